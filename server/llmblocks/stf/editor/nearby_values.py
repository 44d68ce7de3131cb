"""The values that arguments have in a document."""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

from llmblocks.core.caret import Caret
from llmblocks.core.query import Query
from llmblocks.core.section import Piece
from llmblocks.stf.editor.arguments import arguments_of_piece
from llmblocks.stf.editor.names import CALL

_KEYS = ("role", "name")
_MOST = 50


class _Value(NamedTuple):
    """A value. Shape: `start` is that of its arguments, counted from the start of the piece."""

    start: int
    key: str
    value: str


def _values(piece: Piece) -> tuple[_Value, ...]:
    return tuple(
        [
            _Value(at, each.key, each.value)
            for at, read in arguments_of_piece(piece).items()
            for each in read.items
            if each.key in _KEYS and isinstance(each.value, str)
        ]
    )


_values_of_piece: Final[Query[Piece, tuple[_Value, ...]]] = Query("stf argument values", _values)


def values_nearby(caret: Caret, key: str) -> list[str]:
    """The values that an argument has on other lines near the caret, the nearest first."""
    found: dict[str, None] = {}
    own = len(caret.before)
    above = ((far, each) for far, each in caret.stated_back(_values_of_piece) if far > own)
    for _, each in chain(above, caret.stated_ahead(_values_of_piece)):
        if each.key == key and each.value:
            found[each.value] = None
            if len(found) >= _MOST:
                break
    return [*found]


def calls_nearby(caret: Caret) -> list[str]:
    """The ids of calls near the caret, the nearest first."""
    found: dict[str, None] = {}
    for symbol in chain(caret.names_back(), caret.names_ahead()):
        if symbol.kind == CALL and symbol.role == "definition":
            found[symbol.name] = None
    return [*found][:_MOST]
