"""`llmblocks parse`: what a program reads in a text, as JSON; or its tree, its tokens, or the events of a stream."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from llmblocks.cli.as_json import print_json
from llmblocks.cli.files import InputError
from llmblocks.cli.input import Input, add_input, read_input
from llmblocks.cli.values import items
from llmblocks.core.lines import Lines
from llmblocks.languages.registry import find_language

_DESCRIPTION = """\
Prints what the runtime reads in a file, as JSON: gadget calls with their parameters
or errors, the messages of a chat, custom blocks, and the text between them.

exit status: 0 read; 2 the file could not be read. `llmblocks check` finds mistakes
"""
_EXAMPLES = """\
examples:
  llmblocks parse 0003.response | jq '.items[] | select(.error)'
  llmblocks parse chat.stf
  llmblocks parse answer.blocks --tree
  llmblocks parse 0003.response --tokens
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_input(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--tree", action="store_true", help="print the outline: messages, calls, arguments, blocks")
    shown.add_argument("--tokens", action="store_true", help="print every token with its place")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    """Run the command."""
    try:
        source = read_input(given)
    except InputError as error:
        sys.stderr.write(f"llmblocks parse: {error}\n")
        return 2
    if given.tree:
        sys.stdout.writelines(_tree(source))
    elif given.tokens:
        sys.stdout.writelines(_tokens(source))
    else:
        print_json(_values(source))
    return 0


def _values(source: Input) -> dict[str, Any]:
    if source.language_id == "stf":
        from llmblocks.stf import decode

        role = source.settings.default_role or None
        return decode(source.text, dialect=source.settings.dialect, default_role=role).as_dict()
    return {"items": [*items(source.text, source.settings, calls=source.language_id == "gadget")]}


def _tree(source: Input) -> Iterator[str]:
    from llmblocks.features.outline import outline
    from llmblocks.languages.ask import ask_all

    language = find_language(source.language_id)
    document = language.open(source.text, source.settings)
    lines = Lines(source.text)
    for entry in outline(ask_all(document, language, source.settings)):
        line, column = lines.of(entry.start)
        detail = f"  {entry.detail}" if entry.detail else ""
        yield f"{'  ' * entry.depth}{entry.kind} {entry.name or '(unnamed)'} [{line}:{column}]{detail}\n"


def _tokens(source: Input) -> Iterator[str]:
    document = find_language(source.language_id).open(source.text, source.settings)
    lines = Lines(source.text)
    for placed in document.placed():
        for kind, start, end in placed.section.spans():
            line, column = lines.of(placed.start + start)
            yield f"{line}:{column}\t{kind}\t{json.dumps(placed.section.slice(start, end))}\n"
