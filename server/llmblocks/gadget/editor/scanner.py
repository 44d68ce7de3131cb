"""Tokens of the gadget block format."""

from __future__ import annotations

import re
from typing import Any, Final

from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind, Plain, Scanned, Token, held_back
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.markers import Markers

# The scanner's states, which are those of the runtime.
FRESH: Final = 0  # outside calls, nothing read since the document began or a call ended
OUTSIDE: Final = 1
HEADER: Final = 2
BEFORE_ARGUMENTS: Final = 3
POINTER: Final = 4
VALUE: Final = 5
TAIL: Final = 6  # on the line of an end marker, behind it
AFTER: Final = 7  # behind that line, where nothing but blank lines has come yet
INSIDE_LINE: Final = 8  # in front of a start marker, behind text on its line
BEHIND_END: Final = 9  # right behind an end marker

_TEXT_KIND = {
    FRESH: kinds.TEXT,
    OUTSIDE: kinds.TEXT,
    TAIL: kinds.TEXT,
    BEHIND_END: kinds.TEXT,
    AFTER: kinds.TEXT,
    BEFORE_ARGUMENTS: kinds.IGNORED,
    POINTER: kinds.POINTER,
    VALUE: kinds.VALUE,
}
IN_CALL: Final = frozenset((BEFORE_ARGUMENTS, POINTER, VALUE))
_LINE_MATTERS = frozenset((POINTER, TAIL, BEHIND_END))
_READ_ON = {FRESH: OUTSIDE, BEHIND_END: TAIL}
_PLAIN = {
    FRESH: Plain(kinds.TEXT, OUTSIDE, True),
    OUTSIDE: Plain(kinds.TEXT, OUTSIDE, False),
    BEFORE_ARGUMENTS: Plain(kinds.IGNORED, BEFORE_ARGUMENTS, False),
    VALUE: Plain(kinds.VALUE, VALUE, False),
}
_BLANK_LINES = re.compile(r"(?:[ \t\r]*\n)*")


class GadgetScanner:
    """Finds markers anywhere on a line, as the runtime does.

    A start marker ends the call before it. A section is a call with the rest of its end marker's line and the blank
    lines after it, or the text between two calls. A start marker that no newline follows has a header and no
    `HEADER_END`: it is text.
    Source: the gadget block format; `Foo!!!GADGET_START:Bar` in a header is a name, as in llmist.
    """

    free: Final = frozenset((kinds.TEXT,))
    resets: Final[frozenset[Kind]] = frozenset()
    initial: Final = FRESH
    divides: Final = True
    """A call inside a message begins a section, too: at 90 calls in a message of 64 KB, a key would cost 25 ms."""

    __slots__ = ("_arg", "_end", "_find", "_markers", "_start", "markers", "signs")

    def __init__(self, markers: Markers | None = None) -> None:
        self.markers = markers = markers or Markers()
        self._start, self._end, self._arg = markers.start, markers.end, markers.arg
        self._markers = (markers.start, markers.end, markers.arg)
        common = _common_start(self._markers)
        self.signs: Final = (common,) if common else self._markers
        self._find = re.compile(pattern(self._markers)).search

    def scan(self, text: str, start: int, stop: int, state: int, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        head = state == FRESH or (state != HEADER and text.startswith(self._start, start, stop))
        tokens: list[Token] = []
        at, limit = start, stop
        if state == AFTER:
            found = _BLANK_LINES.match(text, start, stop)
            at = found.end() if found else start
            if at > start:
                tokens.append(kinds.TEXT.of[at - start])
                return Scanned(tokens, at, AFTER, False)
            head, state = True, FRESH
        if not final and not text.endswith("\n", 0, stop):
            limit = held_back(text, start, stop, self._markers)
        while at < limit:
            if state == HEADER:
                newline = text.find("\n", at, limit)
                if newline < 0:
                    tokens.append(kinds.HEADER.of[limit - at])
                    at = limit
                    break
                tokens.append(kinds.HEADER.of[newline - at])
                tokens.append(kinds.HEADER_END.of[1])
                at, state = newline + 1, BEFORE_ARGUMENTS
                continue
            found = self._find(text, at, limit)
            marker_at = found.start() if found else limit
            if state in _LINE_MATTERS:
                newline = text.find("\n", at, marker_at)
                if newline >= 0:
                    if state != POINTER:
                        blank = _BLANK_LINES.match(text, newline + 1, limit)
                        end = blank.end() if blank else newline + 1
                        tokens.append(kinds.TEXT.of[end - at])
                        return Scanned(tokens, end, AFTER, head)
                    tokens.append(kinds.POINTER.of[newline - at])
                    tokens.append(kinds.POINTER_END.of[1])
                    at, state = newline + 1, VALUE
            if marker_at > at:
                tokens.append(_TEXT_KIND[state].of[marker_at - at])
                at = marker_at
                state = _READ_ON.get(state, state)
            if found is None:
                break
            marker = found.group()
            width = len(marker)
            if marker == self._start:
                if at > start:
                    if text[at - 1] != "\n" and self._is_inside_line(text, start, at):
                        state = INSIDE_LINE
                    return Scanned(tokens, at, state, head)
                tokens.append(kinds.START.of[width])
                state = HEADER
            elif state not in IN_CALL:
                tokens.append(kinds.STRAY.of[width])
                state = _READ_ON.get(state, state)
            elif marker == self._arg:
                tokens.append(kinds.ARG.of[width])
                state = POINTER
            else:
                tokens.append(kinds.END.of[width])
                state = BEHIND_END
            at += width
        return Scanned(tokens, at, state, head)

    def plain(self, state: int) -> Plain | None:
        """See `ReadsPlain.plain`."""
        return _PLAIN.get(state)

    def inside(self, text: str, start: int, at: int, stop: int, state: int) -> int:
        """See `Outer.inside`."""
        while start < at:
            found = self.scan(text, start, at, state, True)
            start, state = found.end, found.state
        return state

    def _is_inside_line(self, text: str, start: int, at: int) -> bool:
        """Whether text is before a marker on its line. What follows an end marker begins anew."""
        before = text[text.rfind("\n", start, at) + 1 or start : at].strip(" \t\r\ufeff")
        return before != "" and not before.endswith(self._end)


def reads_calls(state: Any) -> bool:
    """Whether this format's scanner reads the text at a state: the format around it may leave it out."""
    return state_in(state, int) is not None


def pattern(markers: tuple[str, ...]) -> str:
    """A regular expression for any of several texts, what they have in common in front: `re` then finds them fast."""
    common = _common_start(markers)
    rest = "|".join(re.escape(marker[len(common) :]) for marker in markers)
    return f"{re.escape(common)}(?:{rest})"


def _common_start(markers: tuple[str, ...]) -> str:
    common = markers[0]
    while not all(marker.startswith(common) for marker in markers):
        common = common[:-1]
    return common
