"""The state of the scanner between two calls: the context of lines, and the effects of commands on it."""

from __future__ import annotations

from typing import Final, NamedTuple

from llmblocks.core.layered import LayeredState, state_in
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.dialect import DIALECTS, Dialect

# The position of the scanner in a line.
TEXT_START: Final = -1  # the first line of the text, which may begin with a byte-order mark
LINE_START: Final = 0
IN_TEXT: Final = 1
BEHIND_HEADER: Final = 2
IN_NAME: Final = 3
IN_REST: Final = 4
FRESH: Final = "fresh"  # nothing read since the document began or a message ended
OUTSIDE: Final = "outside"
STRAY: Final = "stray"  # outside, after text: with a default role, that text is a message
MESSAGE: Final = "message"
RAW: Final = "raw"  # in a block command that is a message
CALL: Final = "call"  # between a line command and its data line
EMBED: Final = "embed"
BLOCKS: Final = frozenset((RAW, "meta", "extra"))
"""The contexts in block commands, by name. All but `raw` belong to the message around them, or to no message."""
LINES: Final = frozenset((CALL, EMBED))
"""The contexts after line commands, by name."""


class Meaning(NamedTuple):
    """The meaning of a command at its place."""

    kind: Kind
    """The kind of its name."""
    context: str
    """The context of the lines after it."""
    around: str
    """The context around an open block or line command, otherwise empty."""


_BEGINS: Final = Meaning(kinds.MESSAGE_NAME, MESSAGE, "")
_BEGINS_RAW: Final = Meaning(kinds.RAW_NAME, RAW, "")
_ENDS_RAW: Final = Meaning(kinds.END_NAME, FRESH, "")


def meaning(name: str, dialect: Dialect, context: str, around: str) -> Meaning:
    """Return the meaning of a name. A name in the wrong case is unknown, but its lines are read as intended."""
    command = dialect.commands.get(name)
    if command is not None:
        return _meaning(command, context, around)
    meant = dialect.commands.get(name.lower())
    if meant is not None and (context not in BLOCKS or meant.mode == "end"):
        return _meaning(meant, context, around)._replace(kind=kinds.UNKNOWN_NAME)
    return unknown(context, around)


def unknown(context: str, around: str) -> Meaning:
    """Return the meaning of an unknown command name. The line command before it has no data line."""
    return Meaning(kinds.UNKNOWN_NAME, around, "") if context in LINES else Meaning(kinds.UNKNOWN_NAME, context, around)


def outer(context: str, around: str) -> str:
    """Return the context around the open block or line command; otherwise `context`."""
    if around:
        return around
    return OUTSIDE if context in (RAW, FRESH) else context


def _meaning(command: Command, context: str, around: str) -> Meaning:
    in_block = context in BLOCKS
    if command.mode == "message":
        return _BEGINS
    if command.canonical == "raw":
        return _BEGINS_RAW
    if command.mode == "end":
        if context == RAW:
            return _ENDS_RAW
        return Meaning(kinds.END_NAME if in_block else kinds.STRAY_END, outer(context, around), "")
    if in_block:
        return unknown(context, around)
    if command.mode == "flush":
        return Meaning(kinds.FLUSH_NAME, FRESH, "")
    kind = kinds.BLOCK_NAME if command.mode == "block" else kinds.LINE_NAME
    return Meaning(kind, command.canonical, outer(context, around))


class StfState(NamedTuple):
    """The state of the scanner."""

    place: int
    context: str
    depth: int
    """The number of open comment blocks."""
    word: str
    """The name at the scanner's place, or the name of the kind of the rest of the line."""
    dialect: str
    """"" until a line has decided it."""
    around: str
    """The context around the open block or line command."""
    returns: bool
    """Whether a `\\r\\n` has been read."""
    holds: str = ""
    """If roles decide about the formats in messages: the name of the kind of the text here."""
    given: str = ""
    """Likewise, in a line that may name a role: its arguments so far, after a `=`."""
    has_default: bool = False
    """Whether text outside of messages is a message of a default role."""
    ended: bool = False
    """Whether a message ended with the line before."""

    @property
    def crlf(self) -> bool:
        """Whether `\\r\\n` ends a line of a message, as `\\n` does."""
        in_message = MESSAGE in (self.context, self.around) or self.ended or self.has_default
        return not in_message or DIALECTS[self.dialect or "@"].crlf


def state_of(state: object) -> StfState:
    """Return the state of this format's scanner."""
    if type(state) is LayeredState and type(state.outer) is StfState:
        # as in nearly all chats, whose sections need it several times
        return state.outer
    found = state_in(state, StfState)
    assert found is not None
    return found
