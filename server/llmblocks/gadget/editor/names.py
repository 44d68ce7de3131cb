"""The names in the headers of gadget calls."""

from __future__ import annotations

from typing import Final, Literal

from llmblocks.core.index import Symbol
from llmblocks.core.query import Query, kinds_of
from llmblocks.core.section import Piece
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.header import HeaderPart, locate_header

INVOCATION: Final = "invocation"
NUMBERED: Final = "numbered invocation"
"""A call without an id: the runtime gives it the next `gadget_N`. It has no name; its place is that of the gadget's."""
GADGET: Final = "gadget"


def _symbols(piece: Piece) -> tuple[Symbol, ...]:
    if kinds.HEADER_END not in kinds_of(piece):
        return ()
    found: list[Symbol] = []
    at = header = 0
    for kind, width in piece.tokens:
        if kind is kinds.START:
            header = at + width
        elif kind is kinds.HEADER_END:
            found += _of_header(piece.text[header:at], header)
        at += width
    return tuple(found)


def _of_header(text: str, at: int) -> list[Symbol]:
    fields = text.split(":")
    if len(fields) == 3 and all(map(str.isidentifier, fields)):
        # nothing to trim, as nearly everywhere
        name, invocation_id, dependency = fields
        first = at + len(name)
        second = first + len(invocation_id) + 1
        return [
            Symbol("definition", GADGET, name, at, first),
            Symbol("definition", INVOCATION, invocation_id, first + 1, second),
            Symbol("reference", INVOCATION, dependency, second + 1, second + 1 + len(dependency)),
        ]
    return _of_any_header(text, at)


def _of_any_header(text: str, at: int) -> list[Symbol]:
    name, invocation_id, dependencies, _ = locate_header(text)

    def at_place(role: Literal["definition", "reference"], kind: str, span: HeaderPart) -> Symbol:
        return Symbol(role, kind, span.of(text), at + span.start, at + span.end)

    if invocation_id is None:
        numbered = Symbol("definition", NUMBERED, "", at + name.start, at + name.end)
        return [at_place("definition", GADGET, name), numbered]
    return [
        at_place("definition", GADGET, name),
        at_place("definition", INVOCATION, invocation_id),
        *[at_place("reference", INVOCATION, each) for each in dependencies],
    ]


names_of_piece: Final[Query[Piece, tuple[Symbol, ...]]] = Query("gadget names", _symbols)
"""For each call the gadget's name, its id, and right behind that its dependencies, as often as they are written."""
