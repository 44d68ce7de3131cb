"""The state of the scanner of Simple Text Format between two calls."""

from __future__ import annotations

from typing import Final, NamedTuple

from llmblocks.core.layered import LayeredState, state_in
from llmblocks.stf.editor.context import MESSAGE
from llmblocks.stf.syntax.dialect import DIALECTS

# The position of the scanner in a line.
TEXT_START: Final = -1  # the first line of all, where a byte-order mark may stand
LINE_START: Final = 0
IN_TEXT: Final = 1
BEHIND_HEADER: Final = 2
IN_NAME: Final = 3
IN_REST: Final = 4


class StfState(NamedTuple):
    """Shape: `word` is the name that is being read, or the name of the kind that the rest of the line is of;
    `dialect` is "" until a line has decided it; `depth` counts open comment blocks.
    """

    place: int
    context: str
    depth: int
    word: str
    dialect: str
    around: str
    """The context around the open block or line command."""
    returns: bool
    """Whether a `\\r\\n` has been read."""
    holds: str = ""
    """Where roles decide what messages hold: the name of the kind of the text here."""
    given: str = ""
    """Likewise, in a line that may name a role: its arguments so far, after a `=`."""
    has_default: bool = False
    """Whether text outside of messages is a message of a default role."""
    ended: bool = False
    """Whether a message has ended with the line in front."""

    @property
    def crlf(self) -> bool:
        """Whether `\\r\\n` ends a line of a message, as `\\n` does."""
        in_message = MESSAGE in (self.context, self.around) or self.ended or self.has_default
        return not in_message or DIALECTS[self.dialect or "@"].crlf


def state_of(state: object) -> StfState:
    """The state of this format's scanner."""
    if type(state) is LayeredState and type(state.outer) is StfState:
        # as in nearly all chats, whose pieces ask several times
        return state.outer
    found = state_in(state, StfState)
    assert found is not None
    return found
