"""Symbols and their places as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.wire.rpc import encode

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.features.outline import Entry

SYMBOL_KINDS: Final = {"message": 3, "call": 12, "argument": 7, "data": 14, "block": 2}
"""The protocol's symbol kinds, all of them known to every client: namespace, function, property, constant, module."""
UNNAMED = "(unnamed)"


def places_in(
    section: Section, offsets: Iterable[int], encoding: Encoding, line: int, character: int
) -> dict[int, str]:
    """Places in a section that begins at a line and character, as JSON."""
    from llmblocks.lsp.documents.cursor import Cursor

    cursor = Cursor(section, encoding)
    found: dict[int, str] = {}
    for offset in sorted(offsets):
        at_line, at_character = cursor.place(offset)
        found[offset] = written_place(line + at_line, at_character if at_line else character + at_character)
    return found


def place_after(section: Section, encoding: Encoding, line: int, character: int) -> tuple[int, int]:
    """The line and character after a section that begins at a line and character."""
    from llmblocks.lsp.documents.cursor import Cursor

    lines, last = Cursor(section, encoding).place(section.length)
    return line + lines, last if lines else character + last


def opened(entry: Entry, places: dict[int, str]) -> str:
    detail = f'"detail":{json_text(entry.detail)},' if entry.detail else ""
    return (
        f'{{"name":{json_text(entry.name or UNNAMED)},{detail}"kind":{SYMBOL_KINDS[entry.kind]},'
        f'"selectionRange":{{"start":{places[entry.name_start]},"end":{places[entry.name_end]}}},'
        f'"range":{{"start":{places[entry.start]},"end":'
    )


def closed(head: str, end: str, children: Iterable[str]) -> str:
    inside = ",".join(children)
    return f'{head}{end}}},"children":[{inside}]}}' if inside else f"{head}{end}}}}}"


def written_place(line: int, character: int) -> str:
    return f'{{"line":{line},"character":{character}}}'


def json_text(value: str) -> str:
    return encode(value).decode("ascii")
