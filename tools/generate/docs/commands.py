"""The documentation of the commands, generated from their parsers."""

from __future__ import annotations

import argparse
import os

from llmblocks import __version__
from llmblocks.cli.arguments import COMMANDS, full_parser
from llmblocks.cli.server import USAGE

_WIDTH = "100"


def commands_page() -> str:
    """Return all commands with their options, as Markdown."""
    os.environ["COLUMNS"] = _WIDTH
    (parsers,) = [
        each.choices for each in full_parser(__version__)._actions if isinstance(each, argparse._SubParsersAction)
    ]
    helps = {each.name: USAGE if each.name == "server" else parsers[each.name].format_help() for each in COMMANDS}
    return "\n".join(
        ["# Commands\n", *(f"## llmblocks {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in helps.items())]
    )
