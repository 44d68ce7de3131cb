"""The documentation of the commands, generated from their parsers."""

from __future__ import annotations

import argparse
import os

from llmblocks import __version__
from llmblocks.cli.arguments import COMMANDS, full_parser
from llmblocks.cli.server import USAGE

_WIDTH = "100"


def commands_page() -> str:
    """All commands with their options, as Markdown."""
    parts = ["# Commands\n"]
    for name, text in _helps().items():
        parts.append(f"## llmblocks {name}\n\n```text\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


def _helps() -> dict[str, str]:
    """The help of each command."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = _WIDTH
    try:
        return {each.name: _help(full_parser(__version__), each.name) for each in COMMANDS}
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _help(parser: argparse.ArgumentParser, name: str) -> str:
    if name == "server":
        return USAGE
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found: argparse.ArgumentParser = action.choices[name]
            return found.format_help()
    raise AssertionError("the parser has commands")
