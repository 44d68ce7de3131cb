"""The documentation of the commands, generated from their parsers: the golden files of each command's help."""

from __future__ import annotations

import os

from llmblocks.cli.arguments import COMMANDS, parser, parsers_in


def commands_page() -> str:
    """Return all commands with their options, as Markdown."""
    os.environ["COLUMNS"] = "80"
    top = parser(*COMMANDS)
    parsers = parsers_in(top)
    helps = {"": top.format_help()}
    for each in COMMANDS:
        helps[f" {each.name}"] = parsers[each.name].format_help()
        helps |= {f" {each.name} {name}": part.format_help() for name, part in parsers_in(parsers[each.name]).items()}
    return "\n".join(
        ["# Commands\n", *(f"## llmblocks{name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in helps.items())]
    )
