"""The ids in the arguments of messages and calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.index import Symbol
from llmblocks.core.query import Query
from llmblocks.core.section import Piece
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, CommandArgument, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS

MESSAGE: Final = "message"
CALL: Final = "call"
_BOUNDARIES = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME, kinds.FLUSH_NAME))


def _symbols(piece: Piece) -> tuple[Symbol, ...]:
    found: list[Symbol] = []
    text = piece.text
    at, header, is_message, is_call = 0, "", False, False
    for kind, width in piece.tokens:
        if kind is kinds.HEADER:
            header, is_message, is_call = text[at], False, False
        elif kind in _BOUNDARIES:
            found.append(Symbol("boundary", "", "", at, at))
            is_message = kind is kinds.MESSAGE_NAME
        elif kind is kinds.LINE_NAME:
            is_call = text.startswith("call", at)
        elif kind is kinds.ARGUMENTS and (is_message or is_call) and "id" in text[at : at + width]:
            read = parse_arguments(text, at, at + width, DIALECTS[header], limit=KEYSTROKE_LIMIT)
            found += _of_arguments(text, read.items, is_call)
        at += width
    return tuple(found)


def _of_arguments(text: str, arguments: tuple[CommandArgument, ...], is_call: bool) -> Iterator[Symbol]:
    for each in arguments:
        if each.key not in ("id", "call_id") or not isinstance(each.value, str):
            continue
        start, end = each.value_start, each.value_end
        if text[start] in "'\"":
            start, end = start + 1, end - 1
        if each.key == "id":
            yield Symbol("definition", CALL if is_call else MESSAGE, each.value, start, end)
        else:
            yield Symbol("reference", CALL, each.value, start, end)


names_of_piece: Final[Query[Piece, tuple[Symbol, ...]]] = Query("stf names", _symbols)
"""The ids of messages and calls, references to calls, and a boundary where a message begins or ends."""
