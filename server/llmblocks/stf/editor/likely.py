"""The order in which commands are offered."""

from __future__ import annotations

from typing import Final

from llmblocks.core.caret import Caret
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
    """The commands of the messages in front of the caret's line, the nearest first, each once."""
    found: list[str] = []
    own = len(caret.before)
    for kind, text in caret.tokens_back():
        if own > 0:
            own -= len(text)
        elif kind is kinds.MESSAGE_NAME:
            found.append(text)
            if len(found) == _MOST:
                break
    return [*dict.fromkeys(found)]
