"""`llmblocks parse` and `graph`: the values that a program reads, or the tree, tokens, events or graph of a text."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from llmblocks.cli.arguments import LARGEST, add_input, add_output, add_settings, describe, number, option
from llmblocks.cli.input import Input, add_template, read_input
from llmblocks.cli.output import print_json, text_output, write_output
from llmblocks.contract.answers import GRAPH_FORMATS
from llmblocks.core.lines import Lines
from llmblocks.features.navigation import graph_of
from llmblocks.features.streams import steps, values
from llmblocks.hosts.hosted import embedded_in
from llmblocks.json5.finite import finite
from llmblocks.languages.registry import find_language, host_ids

_DESCRIPTION = """\
Prints what the runtime reads in a file: gadget calls with their parameters or errors,
the messages of a chat, custom blocks, and the text between them. Of a Markdown or JSON
Lines file, it prints a list: what is read in each text of our languages in it.

Other formats: tree is the outline, tokens has every token with its place, events has what
a stream emits and holds back (its last 200 characters and its size), chunk by chunk.

exit status: 0 read; 2 the file could not be read. `llmblocks check` finds mistakes
"""
_EXAMPLES = """\
  llmblocks parse 0003.response | jq '.items[] | select(.error)'
  llmblocks parse chat.stf
  llmblocks parse prompts.md
  llmblocks parse answer.blocks --output-format tree
  llmblocks parse 0003.response --output-format events --chunk 4
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    add_input(parser)
    shown = add_output(parser, ("json", "tree", "tokens", "events"), "json")
    option(shown, "--chunk", "N", "for events: the characters of a chunk (default: all)", type=number(1, LARGEST))
    add_template(parser)
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    form, file = given.output_format, given.output_file
    if given.chunk and form != "events":
        parser.error("--chunk requires --output-format events")
    source = read_input(given, hosts=form == "json")
    if form == "json":
        is_host = source.language_id in host_ids()
        print_json([*_embedded_values(source)] if is_host else _values(source), file)
        return 0
    size = given.chunk or len(source.text) or 1
    lines = _tree(source) if form == "tree" else _tokens(source) if form == "tokens" else _events(source, size)
    with text_output(file) as out:
        out.writelines(lines)
    return 0


def _values(source: Input) -> dict[str, Any]:
    return values(source.text, find_language(source.language_id), source.settings)


def _embedded_values(source: Input) -> Iterator[dict[str, Any]]:
    """Yield the values of each embedded text, with its language and its first line."""
    lines = Lines(source.text)
    for embedded in embedded_in(source.text, source.language_id, source.settings):
        inner = source._replace(language_id=embedded.language_id, text=embedded.text)
        line, _ = lines.of(embedded.outside(0))
        yield {"language": embedded.language_id, "line": line, **_values(inner)}


def _tree(source: Input) -> Iterator[str]:
    from llmblocks.features.outline import outline

    lines = Lines(source.text)
    for entry in outline(source.ask()):
        line, column = lines.of(entry.start)
        detail = f"  {entry.detail}" if entry.detail else ""
        yield f"{'  ' * entry.depth}{entry.kind} {entry.name or '(unnamed)'} [{line}:{column}]{detail}\n"


def _events(source: Input, size: int) -> Iterator[str]:
    """Yield a line of JSON for each chunk, and one for the end."""
    start = 0
    for step in steps(source.text, find_language(source.language_id), source.settings, (size,)):
        chunk = source.text[start : step.end] or None
        event = {"chunk": chunk, "events": step.events, "held": step.held, "size": step.size, "why": step.why}
        yield json.dumps(finite(event)) + "\n"
        start = step.end


def _tokens(source: Input) -> Iterator[str]:
    document = find_language(source.language_id).open(source.text, source.settings)
    lines = Lines(source.text)
    for placed in document.placed():
        for kind, start, end in placed.section.spans():
            line, column = lines.of(placed.start + start)
            yield f"{line}:{column}\t{kind}\t{json.dumps(placed.section.text[start:end])}\n"


_GRAPHS = """\
Shows which gadget calls wait for others, in the waves in which llmist runs them, and
which calls it rejects, skips because they wait for one that fails, or never runs. Each
message of a chat is a separate response. A call may wait for one of an earlier log.

exit status: 0 every call runs; 1 some do not; 2 the file could not be read
"""
_OF_GRAPHS = """\
  llmblocks graph 0003.response
  llmblocks graph chat.stf --output-format svg > calls.svg
  some-agent | llmblocks graph - --language gadget --output-format mermaid
"""


def graph_add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _GRAPHS, _OF_GRAPHS)
    add_input(parser)
    add_output(parser, GRAPH_FORMATS, "text")
    add_settings(parser)


def graph_main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    found = graph_of(read_input(given).ask())
    drawn = found.write(given.output_format)
    if given.output_format == "text":
        with text_output(given.output_file) as out:
            out.write(drawn)
    else:
        # UTF-8 in any locale
        write_output(drawn, given.output_file)
    return 0 if found.all_run else 1
