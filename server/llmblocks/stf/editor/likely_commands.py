"""The order of suggested commands."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import Final, NamedTuple

from llmblocks.contract.caret import Caret
from llmblocks.core.query import Query
from llmblocks.core.section import Section, tokens_in
from llmblocks.stf import kinds
from llmblocks.stf.editor.names import CALL
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.dialect import Dialect

_ANSWERS: Final = {"user": "assistant", "tool": "assistant"}
_WITHOUT_MESSAGE: Final = frozenset(("raw", "meta"))
_MOST = 16


def likely_commands(caret: Caret, dialect: Dialect) -> list[Command]:
    """Return all commands but `end`: the role that answers the last message, those that the file uses, then the others.

    Commands that belong to a message come last without one.
    """
    used, called = _used(caret)
    last = dialect.commands.get(used[0]) if used else None
    expected = "tool" if called else _ANSWERS.get(last.canonical if last else "", "user")

    def rank(each: Command) -> tuple[int, int]:
        place = used.index(each.name) if each.name in used else _MOST
        if each.canonical == expected:
            return 0, place
        if each.mode == "message":
            return (1 if each.name in used else 2 if each.role else 3), place
        return (4 if last is not None or each.canonical in _WITHOUT_MESSAGE else 5), place

    return sorted([each for each in dialect.commands.values() if each.mode != "end"], key=rank)


def roles_of(commands: list[Command]) -> list[str]:
    """Return the roles of the messages that commands begin, without repeats."""
    return [*dict.fromkeys(each.role for each in commands if each.role)]


class _Command(NamedTuple):
    """A command that begins a message."""

    start: int
    """Counts from the start of the lines."""
    name: str


def _used(caret: Caret) -> tuple[list[str], bool]:
    """Return the commands of earlier messages, nearest first, and whether the last message calls a tool."""
    own = len(caret.before)
    found = [*islice(((far, each.name) for far, each in caret.stated_back(_messages) if far > own), _MOST)]
    last = found[0][0] if found else 0
    behind = takewhile(lambda stated: stated[0] < last, caret.stated_back(caret.symbols))
    called = any(each.kind == CALL and each.role == "definition" for _, each in behind)
    return [*dict.fromkeys(name for _, name in found)], called


def _messages_of(lines: Section) -> tuple[_Command, ...]:
    if kinds.MESSAGE_NAME not in lines.kinds:
        return ()
    return tuple([_Command(start, lines.text[start:end]) for _, start, end in tokens_in(lines, (kinds.MESSAGE_NAME,))])


_messages: Final = Query("stf messages", _messages_of)
"""The commands that begin messages in some lines, with their places."""
