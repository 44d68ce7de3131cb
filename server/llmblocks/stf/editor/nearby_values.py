"""The values that arguments have in a document."""

from __future__ import annotations

from typing import Final

from llmblocks.core.caret import Caret
from llmblocks.core.query import Query
from llmblocks.core.section import Piece
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.names import CALL
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS

_KEYS = ("role", "name")
_MOST = 50


def _values(piece: Piece) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    at, header = 0, "@"
    for kind, width in piece.tokens:
        if kind is kinds.HEADER:
            header = piece.text[at]
        elif kind is kinds.ARGUMENTS:
            read = parse_arguments(piece.text, at, at + width, DIALECTS[header], limit=KEYSTROKE_LIMIT)
            for each in read.items:
                if each.key in _KEYS and isinstance(each.value, str):
                    found[each.key, each.value] = None
        at += width
    return (*found,)


_values_of_piece: Final[Query[Piece, tuple[tuple[str, str], ...]]] = Query("stf argument values", _values)


def values_nearby(caret: Caret, key: str) -> list[str]:
    """The values that an argument has near the caret, the nearest first."""
    found: dict[str, None] = {}
    for piece in caret.nearby():
        found |= {value: None for known, value in _values_of_piece(piece) if known == key and value}
        if len(found) >= _MOST:
            break
    return [*found][:_MOST]


def calls_nearby(caret: Caret) -> list[str]:
    """The ids of calls near the caret, the nearest first."""
    found: dict[str, None] = {}
    for piece in caret.nearby():
        for symbol in reversed(caret.symbols(piece)):
            if symbol.kind == CALL and symbol.role == "definition":
                found[symbol.name] = None
    return [*found][:_MOST]
