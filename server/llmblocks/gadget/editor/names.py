"""The names in the headers of gadget calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from sys import intern
from typing import Final, Literal

from llmblocks.core.section import Piece
from llmblocks.core.symbol import Symbol
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.header import HeaderPart, locate_header

INVOCATION: Final = "invocation"
NUMBERED: Final = "numbered invocation"
"""A call without an id: the runtime gives it the next `gadget_N`. It has no name; its place is that of the gadget's."""
GADGET: Final = "gadget"
# the gadgets of most calls are named at the same place in their pieces, their ids differ
_shared: Final[Callable[..., Symbol]] = lru_cache(maxsize=1024)(Symbol)


def names_of_piece(piece: Piece) -> tuple[Symbol, ...]:
    """For each call the gadget's name, its id, and right after that its dependencies, as often as they are written."""
    if kinds.HEADER_END not in piece.kinds:
        return ()
    if only := only_header(piece):
        return tuple(_of_header(only, piece.tokens[0].width))
    found: list[Symbol] = []
    at = header = 0
    for kind, width in piece.tokens:
        if kind is kinds.START:
            header = at + width
        elif kind is kinds.HEADER_END:
            found += _of_header(piece.text[header:at], header)
        at += width
    return tuple(found)


def only_header(piece: Piece) -> str:
    """The header with which a piece begins; empty where it has another, too."""
    tokens = piece.tokens
    every = [kind for kind, _ in tokens]
    if every[:3] != kinds.HEADER_LINE or kinds.HEADER_END in every[3:]:
        return ""
    at = tokens[0].width
    return piece.text[at : at + tokens[1].width]


def _of_header(text: str, at: int) -> list[Symbol]:
    fields = text.split(":")
    if len(fields) > 3 or not all(map(str.isidentifier, fields)):
        return _of_any_header(text, at)
    # nothing to trim, as nearly everywhere; a name that is given often is kept once
    name, *ids = map(intern, fields)
    first = at + len(name)
    found = [_shared("definition", GADGET, name, at, first)]
    if not ids:
        found.append(_shared("definition", NUMBERED, "", at, first))
        return found
    second = first + len(ids[0]) + 1
    found.append(Symbol("definition", INVOCATION, ids[0], first + 1, second))
    if len(ids) > 1:
        found.append(_shared("reference", INVOCATION, ids[1], second + 1, second + 1 + len(ids[1])))
    return found


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
