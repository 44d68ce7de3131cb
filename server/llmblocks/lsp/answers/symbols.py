"""Symbols and their places as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.core.section import Section
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.documents.cursor import Cursor
from llmblocks.lsp.wire.rpc import encode

if TYPE_CHECKING:
    from llmblocks.features.outline import Entry

SYMBOL_KINDS: Final = {"message": 3, "call": 12, "argument": 7, "data": 14, "block": 2}
"""The protocol's symbol kinds, all of them known to every client: namespace, function, property, constant, module."""
UNNAMED = "(unnamed)"


class WrittenSymbols(NamedTuple):
    """The symbols of neighbouring sections as JSON, each list of them as one text: few are put together for an answer.

    Shape: `before` are those before `stop`, where a message ends that began earlier; `after` are after it.
           `head` is a message that goes on after these sections, without its end, and `children` what is in it so far.
    """

    before: bytes
    stop: str
    after: bytes
    head: str
    children: bytes


_BETWEEN: Final = b"\0"
_LINE: Final = re.compile(rb'"line":(\d+)')


class MovableSymbols:
    """Symbols whose sections may begin on any line: an answer moves thousands of them."""

    __slots__ = ("_form", "_lines")

    def __init__(self, written: WrittenSymbols, line: int) -> None:
        before, stop, after, head, children = written
        whole = _BETWEEN.join((before, stop.encode("ascii"), after, head.encode("ascii"), children))
        # in a text, quotes are escaped, and so is the sign between the parts
        parts = _LINE.split(whole.replace(b"%", b"%%"))
        self._form = b'"line":%d'.join(parts[::2])
        self._lines = [int(each) - line for each in parts[1::2]]

    def at(self, line: int) -> WrittenSymbols:
        """These symbols, where the sections begin on a line."""
        whole = self._form % tuple([each + line for each in self._lines])
        before, stop, after, head, children = whole.split(_BETWEEN)
        return WrittenSymbols(before, stop.decode("ascii"), after, head.decode("ascii"), children)


def joined(parts: Iterable[WrittenSymbols]) -> WrittenSymbols:
    """Those of neighbouring stretches together."""
    before, stop, after, head, children = gathered(parts)
    return WrittenSymbols(b",".join(before), stop, b",".join(after), head, b",".join(children))


def gathered(parts: Iterable[WrittenSymbols]) -> tuple[list[bytes], str, list[bytes], str, list[bytes]]:
    """The same, in lists of texts."""
    before: list[bytes] = []
    after: list[bytes] = []
    children: list[bytes] = []
    stop = head = ""
    for part in parts:
        if part.before:
            (children if head else after if stop else before).append(part.before)
        if part.stop:
            if head:
                after.append(closed_message(head, part.stop, children))
                head, children = "", []
            stop = stop or part.stop
            if part.after:
                after.append(part.after)
        if part.head:
            head, children = part.head, [part.children] if part.children else []
    return before, stop, after, head, children


def closed_message(head: str, end: str, children: Iterable[bytes]) -> bytes:
    """A message with what is in it."""
    return closed(head, end, [b",".join(children).decode("ascii")]).encode("ascii")


def left_out(start: str, end: str) -> bytes:
    """A symbol for the rest of a document, whose own symbols are too many."""
    name = f'"name":"… (the outline ends here)","kind":{SYMBOL_KINDS["data"]}'
    places = f'"range":{{"start":{start},"end":{end}}},"selectionRange":{{"start":{start},"end":{start}}}'
    return f"{{{name},{places}}}".encode()


def places_in(
    section: Section, offsets: Iterable[int], encoding: Encoding, line: int, character: int
) -> dict[int, str]:
    """Places in a section that begins at a line and character, as JSON."""
    cursor = Cursor(section, encoding)
    found: dict[int, str] = {}
    for offset in sorted(offsets):
        at_line, at_character = cursor.place(offset)
        found[offset] = written_place(line + at_line, at_character if at_line else character + at_character)
    return found


def place_after(section: Section, encoding: Encoding, line: int, character: int) -> tuple[int, int]:
    """The line and character after a section that begins at a line and character."""
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
