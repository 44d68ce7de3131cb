"""The block command that is open at the caret."""

from __future__ import annotations

from typing import Any, NamedTuple

from llmblocks.core.caret import Caret
from llmblocks.core.layered import LayeredState
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.context import BLOCKS
from llmblocks.stf.editor.scanner import State

_LONGEST = 1 << 13
_OPENS = frozenset((kinds.RAW_NAME, kinds.BLOCK_NAME))
_ENDS = frozenset((kinds.END_NAME, kinds.MESSAGE_NAME, kinds.LINE_NAME, kinds.FLUSH_NAME))


class OpenBlock(NamedTuple):
    """A block.

    Shape: `name` is the command, empty outside of blocks; `text` is its data before the caret, empty if that is longer
           than `_LONGEST`.
    """

    name: str = ""
    header: str = "@"
    text: str = ""


def open_block(caret: Caret) -> OpenBlock:
    """The block around the caret, whatever ends it on the caret's own line. The cost is that of a few pieces."""
    pieces = caret.section.pieces
    last, inside = caret.section.piece_at(caret.offset)
    if not inside and last:
        last -= 1
        inside = pieces[last].length
    # a block may begin in an earlier piece
    first, end = last, inside
    while first and end < _LONGEST and _context(pieces[first].before) in BLOCKS:
        first -= 1
        end += pieces[first].length
    state, name = _outermost(pieces[first].before), _context(pieces[first].before)
    name, header = name if name in BLOCKS else "", state.dialect if state and state.dialect else "@"
    parts: list[str] | None = None
    at = opened = 0
    for piece in pieces[first : last + 1]:
        text, start = piece.text, at
        for kind, width in piece.tokens:
            if at >= end:
                break
            token = text[at - start : min(at + width, end) - start]
            if kind in _OPENS and at + width < end:
                name, parts, opened = token, [], at + width
            elif kind in _ENDS and not (kind is kinds.END_NAME and at >= end - len(caret.before)):
                name, parts = "", None
            elif kind is kinds.HEADER:
                header = token
            elif kind is kinds.BODY and parts is not None:
                parts.append(token)
            at += width
    if not name:
        return OpenBlock()
    return OpenBlock(name, header, "".join(parts) if parts and end - opened < _LONGEST else "")


def is_in_comment_block(caret: Caret) -> bool:
    """Whether the start of a line is in a comment block."""
    return next((kind for kind, _ in caret.tokens_back()), None) is kinds.COMMENT


def header_nearby(caret: Caret) -> str:
    """The character that begins command lines near the caret."""
    number, _ = caret.section.piece_at(max(caret.offset - 1, 0))
    state = _outermost(caret.section.pieces[number].after)
    return (state.dialect if state else "") or "@"


def _outermost(state: Any) -> State | None:
    outer = state.outer if isinstance(state, LayeredState) else state
    return outer if isinstance(outer, State) else None


def _context(state: Any) -> str:
    outer = _outermost(state)
    return outer.context if outer else ""
