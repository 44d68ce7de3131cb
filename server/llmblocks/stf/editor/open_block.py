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

    Shape: `name` is the command, empty outside of blocks; `text` is its data before the caret, empty if it begins in an
           earlier piece or is long.
    """

    name: str = ""
    header: str = "@"
    text: str = ""


def open_block(caret: Caret) -> OpenBlock:
    """The block around the caret, whatever ends it on the caret's own line. The cost is that of a piece."""
    number, inside = caret.section.piece_at(caret.offset)
    if not inside and number:
        number -= 1
        inside = caret.section.pieces[number].length
    piece = caret.section.pieces[number]
    state = _outermost(piece.before)
    name = state.context if state and state.context in BLOCKS else ""
    header = state.dialect if state and state.dialect else "@"
    parts: list[str] | None = None
    at = 0
    for kind, width in piece.tokens:
        if at >= inside:
            break
        end = min(at + width, inside)
        if kind in _OPENS and at + width < inside:
            name, parts = piece.text[at:end], []
        elif kind in _ENDS and not (kind is kinds.END_NAME and at >= inside - len(caret.before)):
            name, parts = "", None
        elif kind is kinds.HEADER:
            header = piece.text[at]
        elif kind is kinds.BODY and parts is not None:
            parts.append(piece.text[at:end])
        at += width
    text = "".join(parts or ())
    return OpenBlock(name, header, text if len(text) < _LONGEST else "") if name else OpenBlock()


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
