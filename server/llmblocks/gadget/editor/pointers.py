"""The pointers of the calls in a piece."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Piece
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.javascript import SPACE


class Pointers(NamedTuple):
    """The pointers of a call in one piece.

    Shape: `texts` without the white space around them; `places` in code points from the start of the piece.
    """

    texts: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


class CallsOfPiece(NamedTuple):
    """The pointers of the calls in a piece.

    Shape: `lead` is of the call that is open where the piece begins, if one is, and `passes` says that nothing in the
           piece ends it; `calls` begin in the piece, and `goes_on` says that the last of them does not end in it.
    """

    lead: Pointers
    calls: tuple[Pointers, ...]
    goes_on: bool
    passes: bool


_NONE = Pointers((), ())


def _read(piece: Piece) -> CallsOfPiece:
    lead, calls = _NONE, []
    texts: list[str] = []
    places: list[tuple[int, int]] = []
    is_call, is_lead = False, True
    at, text = 0, piece.text
    for kind, width in piece.tokens:
        end = at + width
        if kind is kinds.POINTER:
            written = text[at:end]
            name = written.strip(SPACE)
            start = at if name is written else at + written.index(name)
            texts.append(name)
            places.append((start, start + len(name)))
        elif kind is kinds.HEADER_END:
            is_call = True
        elif kind is kinds.START or kind is kinds.END:
            if is_lead:
                lead, is_lead = Pointers((*texts,), (*places,)), False
            elif is_call:
                calls.append(Pointers((*texts,), (*places,)))
            texts, places, is_call = [], [], False
        at = end
    last = Pointers((*texts,), (*places,))
    if is_lead:
        lead = last
    elif is_call:
        calls.append(last)
    return CallsOfPiece(lead, (*calls,), is_call, is_lead)


calls_of_piece: Query[Piece, CallsOfPiece] = Query("gadget pointers", _read)
