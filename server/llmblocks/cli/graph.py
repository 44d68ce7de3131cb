"""`llmblocks graph`: the dependencies between the calls of a file."""

from __future__ import annotations

import argparse

from llmblocks.cli.input import ask_of, read_input
from llmblocks.cli.options import add_input, add_output, add_settings
from llmblocks.cli.output import text_output, write_output
from llmblocks.contract.answers import GRAPH_FORMATS
from llmblocks.features.navigation import graph_of

_DESCRIPTION = """\
Shows which gadget calls wait for others, in the waves in which llmist runs them, and
which calls it rejects, skips because they wait for one that fails, or never runs. Each
message of a chat is a separate response. A call may wait for one of an earlier log.

exit status: 0 every call runs; 1 some do not; 2 the file could not be read
"""
_EXAMPLES = """\
examples:
  llmblocks graph 0003.response
  llmblocks graph chat.stf --output-format svg > calls.svg
  some-agent | llmblocks graph - --language gadget --output-format mermaid
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_input(parser)
    add_output(parser, GRAPH_FORMATS, "text")
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    found = graph_of(ask_of(read_input(given)))
    drawn = found.write(given.output_format)
    if given.output_format == "text":
        with text_output(given.output_file) as out:
            out.write(drawn)
    else:
        # UTF-8 in any locale
        write_output(drawn, given.output_file)
    return 0 if found.all_run else 1
