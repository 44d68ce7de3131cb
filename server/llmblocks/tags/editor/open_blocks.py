"""Blocks that continue after the piece in which they begin, and unclosed blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from llmblocks.core.index import Index
from llmblocks.core.layered import state_in
from llmblocks.core.section import Piece
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import NamedProblem, forward_check
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.scanner import LIST, State
from llmblocks.tags.rules import UNCLOSED_BLOCK

OPEN: Final = "open block"
"""A block that does not end in its piece, by its tag; with a `<` after it, its tag has no `>` there."""
LISTED: Final = "listed block"
"""The `>` of a tag that begins in an earlier piece."""
END: Final = "end of a block"
"""The end of an open block: "closed", or cut off by what is around it, in its content or in its tag."""
CLOSED, CUT, UNLISTED = "closed", "cut", "unlisted"


def _state(state: object) -> State | None:
    found = state_in(state, State)
    return found if found is not None and found.tag else None


def symbols_of_piece(piece: Piece) -> tuple[Symbol, ...]:
    """The beginnings and ends of blocks that are not both in a piece."""
    before = _state(piece.before)
    if before is None and "<" not in piece.text:
        return ()
    after = _state(piece.after)
    found: list[Symbol] = []
    inside, lists = before is not None, before is not None and before.mode == LIST
    opening: Symbol | None = None
    at = 0

    def end(place: int, name: str) -> None:
        if opening is not None and name == CUT:
            found.append(opening)
        if opening is None or name == CUT:
            found.append(Symbol("definition", END, name, place, place))

    for number, (kind, width) in enumerate(piece.tokens):
        if inside and (kind is kinds.OPENING or kind is kinds.TEXT):
            end(at - 1, UNLISTED if lists else CUT)
            inside, opening = False, None
        if kind is kinds.OPENING:
            inside = lists = True
            tag = piece.tokens[number + 1].width
            opening = _opening(piece.text, at, at + 1 + tag)
        elif kind is kinds.OPENED:
            lists = False
            if opening is None:
                found.append(Symbol("definition", LISTED, "", at, at))
            else:
                opening = opening._replace(name=opening.name[:-1], end=min(opening.end, at + width))
        elif kind is kinds.CLOSED or kind is kinds.SELF_CLOSED:
            end(at, CLOSED)
            inside, opening = False, None
        at += width
    if inside and after is None:
        end(at, UNLISTED if lists else CUT)
    elif inside and opening is not None:
        found.append(opening)
    return (*found,)


def _opening(text: str, start: int, name_end: int) -> Symbol:
    """A tag, up to the end of its line."""
    line_end = text.find("\n", start)
    line = text[start : line_end if line_end >= 0 else None].rstrip("\r")
    return Symbol("definition", OPEN, f"{text[start + 1 : name_end]}<", start, start + len(line))


def _unclosed(index: Index, pieces: Iterable[Piece]) -> Iterator[NamedProblem]:
    for piece in pieces:
        for symbol in index.symbols(piece):
            if symbol.kind != OPEN:
                continue
            place = PlacedSymbol(piece, symbol)
            # blocks do not nest: the first end behind an opening is its own
            number = index.count_before("definition", END, place)
            if number < index.count("definition", END):
                is_closed = index.nth("definition", END, number).symbol.name != CUT
                data = {"case": "in-message"}
            else:
                from llmblocks.tags.editor.view import open_tag

                is_closed, data = not open_tag(index.end_state), {}
            if not is_closed:
                tag = symbol.name.removesuffix("<")
                yield NamedProblem(UNCLOSED_BLOCK, piece, place, {"tag": tag, **data})


CHECK: Final = forward_check(UNCLOSED_BLOCK, ("definition", OPEN), (OPEN, LISTED, END), _unclosed)
