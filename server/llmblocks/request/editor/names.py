"""The ids of the calls whose results are in a request."""

from __future__ import annotations

from typing import Final

from llmblocks.core.section import Piece
from llmblocks.core.symbol import Symbol
from llmblocks.request.editor import kinds

INVOCATION: Final = "invocation"
"""The names of calls, in the words of the format inside."""


def names_of_piece(piece: Piece) -> tuple[Symbol, ...]:
    """The ids of calls with a result, and a boundary where a message begins."""
    if kinds.ROLE not in piece.kinds and kinds.RESULT_ID not in piece.kinds:
        return ()
    found: list[Symbol] = []
    at = 0
    for kind, width in piece.tokens:
        if kind is kinds.ROLE:
            # each message of the assistant is a response of its own
            found.append(Symbol("boundary", "", "", at, at))
        elif kind is kinds.RESULT_ID:
            found.append(Symbol("reference", INVOCATION, piece.text[at : at + width], at, at + width))
        at += width
    return tuple(found)
