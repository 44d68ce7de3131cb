"""The order in which commands are offered."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from llmblocks.core.caret import REACH, Caret
from llmblocks.core.query import Query, kinds_of
from llmblocks.core.section import Piece
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.dialect import Dialect

_ANSWERS: Final = {"user": "assistant", "tool": "assistant"}
_WITHOUT_MESSAGE: Final = frozenset(("raw", "meta"))
_MOST = 16


def likely_commands(caret: Caret, dialect: Dialect) -> list[Command]:
    """All commands but `end`: the role that answers the last message, those that the file uses, then the others.

    What belongs to a message comes last where there is none.
    """
    used = _used(caret)
    last = dialect.commands.get(used[0]) if used else None
    expected = _ANSWERS.get(last.canonical if last else "", "user")

    def rank(each: Command) -> tuple[int, int]:
        place = used.index(each.name) if each.name in used else _MOST
        if each.canonical == expected:
            return 0, place
        if each.mode == "message":
            return (1 if each.name in used else 2 if each.role else 3), place
        return (4 if last is not None or each.canonical in _WITHOUT_MESSAGE else 5), place

    return sorted([each for each in dialect.commands.values() if each.mode != "end"], key=rank)


def _used(caret: Caret) -> list[str]:
    """The commands of the messages before the caret's line, the nearest first, each once."""
    found: list[str] = []
    number, inside = caret.section.piece_at(max(caret.offset - 1, 0))
    size, here = inside + (caret.offset > 0), caret.section.pieces[number]
    own, seen = len(caret.before), 0
    for piece in caret.earlier():
        if piece is not here:
            size = piece.length
        found += [name for at, name in reversed(_messages(piece)) if at < size - own]
        own, seen = max(own - size, 0), seen + size
        if len(found) >= _MOST or seen > REACH:
            break
    return [*dict.fromkeys(found[:_MOST])]


def _messages_of(piece: Piece) -> tuple[tuple[int, str], ...]:
    if kinds.MESSAGE_NAME not in kinds_of(piece):
        return ()
    ends = accumulate([width for _, width in piece.tokens])
    return tuple(
        [
            (end - width, piece.text[end - width : end])
            for (kind, width), end in zip(piece.tokens, ends, strict=True)
            if kind is kinds.MESSAGE_NAME
        ]
    )


_messages: Query[Piece, tuple[tuple[int, str], ...]] = Query("stf messages", _messages_of)
"""The commands that begin messages in a piece, each with its place."""
