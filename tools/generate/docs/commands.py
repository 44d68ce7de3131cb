"""The documentation of the commands, generated from their parsers."""

from __future__ import annotations

import os

from llmblocks import __version__
from llmblocks.cli.arguments import COMMANDS, actions_of, full_parser
from llmblocks.cli.server import USAGE

_WIDTH = "100"


def commands_page() -> str:
    """Return all commands with their options, as Markdown."""
    os.environ["COLUMNS"] = _WIDTH
    parsers = actions_of(full_parser(__version__))
    helps: dict[str, str] = {}
    for each in COMMANDS:
        helps[each.name] = USAGE if each.name == "server" else parsers[each.name].format_help()
        helps |= {f"{each.name} {name}": part.format_help() for name, part in actions_of(parsers[each.name]).items()}
    return "\n".join(
        ["# Commands\n", *(f"## llmblocks {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in helps.items())]
    )
