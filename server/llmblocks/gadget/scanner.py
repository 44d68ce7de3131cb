"""Tokens of the gadget block format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.gadget import kinds
from llmblocks.gadget.syntax.markers import Markers

# The scanner's states are those of the runtime.
FRESH: Final = 0  # outside calls, nothing read since the document began or a call ended
OUTSIDE: Final = 1
HEADER: Final = 2
BEFORE_ARGUMENTS: Final = 3
POINTER: Final = 4
VALUE: Final = 5
TAIL: Final = 6  # on the line of an end marker, after it
AFTER: Final = 7  # after that line, with only blank lines so far
INSIDE_LINE: Final = 8  # before a start marker, after text on its line
BEHIND_END: Final = 9  # right after an end marker

_TEXT, _HEADER, _ARG, _POINTER = kinds.TEXT.of, kinds.HEADER.of, kinds.ARG.of, kinds.POINTER.of
_HEADER_END, _POINTER_END = kinds.HEADER_END.of[1], kinds.POINTER_END.of[1]
_TEXT_KIND = {
    **dict.fromkeys((FRESH, OUTSIDE, TAIL, BEHIND_END, AFTER), _TEXT),
    BEFORE_ARGUMENTS: kinds.IGNORED.of,
    POINTER: _POINTER,
    VALUE: kinds.VALUE.of,
}
IN_CALL: Final = frozenset((BEFORE_ARGUMENTS, POINTER, VALUE))
_LINE_MATTERS = frozenset((POINTER, TAIL, BEHIND_END))
_READ_ON = {FRESH: OUTSIDE, BEHIND_END: TAIL}
_BLANK_LINES = re.compile(r"(?:[ \t\r]*\n)*")


class GadgetScanner:
    """Finds markers anywhere on a line, as the runtime does.

    A start marker ends the call before it. A section is a call with the rest of its end marker's line and the blank
    lines after it, or the text between two calls. A start marker without a newline after it is text: it has a header
    but no `HEADER_END`.

    Source: the gadget block format; `Foo!!!GADGET_START:Bar` in a header is a name, as in llmist.
    """

    free: Final = frozenset((kinds.TEXT,))
    resets: Final[frozenset[Kind]] = frozenset()
    initial: Final = FRESH
    divides: Final = True
    """A call inside a message begins a section, too: with 90 calls in a message of 64 KB, a key would cost 25 ms."""

    __slots__ = ("_arg", "_behind_end", "_end", "_is_plain", "_start", "_within", "_without", "lead", "markers")

    def __init__(self, markers: Markers | None = None, *, sections: bool = True) -> None:
        """Create a scanner. Without `sections`, as for streams, no section ends a scan, and stray markers are text."""
        self.markers = markers = markers or Markers()
        start, end, arg = self._start, self._end, self._arg = markers
        self.lead: Final = start[0] if len({each[0] for each in markers}) == 1 else ""
        self._within = MarkerSearch((start, end, arg), {arg: (start, end)})
        self._without = MarkerSearch((start, end, arg), dict.fromkeys((end, arg), (start,)))
        self._behind_end = BEHIND_END if sections else OUTSIDE
        if not sections:
            self._without = MarkerSearch((start,))

    def scan(self, text: str, start: int, stop: int, state: int, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        head = state == FRESH or (state != HEADER and text.startswith(self._start, start, stop))
        tokens: list[Token] = []
        at = start
        if state == AFTER:
            found = _BLANK_LINES.match(text, start, stop)
            at = found.end() if found else start
            if at > start:
                tokens.append(_TEXT[at - start])
                return Scanned(tokens, at, AFTER, False)
            head, state = True, FRESH
        # no marker continues after its line
        is_certain = final or text.endswith("\n", 0, stop)
        while at < stop:
            if state == HEADER:
                newline = text.find("\n", at, stop)
                if newline < 0:
                    tokens.append(_HEADER[stop - at])
                    at = stop
                    break
                tokens.append(_HEADER[newline - at])
                tokens.append(_HEADER_END)
                at, state = newline + 1, BEFORE_ARGUMENTS
                continue
            search = self._within if state in IN_CALL else self._without
            found = search.find(text, at, stop)
            marker_at = found.start() if found else stop
            if not is_certain and (found is None or search.overlaps):
                held = search.held_back(text, at, stop)
                if held <= marker_at:
                    found, marker_at = None, held
            if state in _LINE_MATTERS:
                newline = text.find("\n", at, marker_at)
                if newline >= 0:
                    if state != POINTER:
                        blank = _BLANK_LINES.match(text, newline + 1, marker_at)
                        end = blank.end() if blank else newline + 1
                        tokens.append(_TEXT[end - at])
                        return Scanned(tokens, end, AFTER, head)
                    tokens.append(_POINTER[newline - at])
                    tokens.append(_POINTER_END)
                    at, state = newline + 1, VALUE
            if marker_at > at:
                tokens.append(_TEXT_KIND[state][marker_at - at])
                at = marker_at
                state = _READ_ON.get(state, state)
            if found is None:
                break
            marker = found.group()
            width = len(marker)
            if marker == self._start:
                if at > start and self._behind_end == BEHIND_END:
                    before = text[text.rfind("\n", start, at) + 1 or start : at].strip(" \t\r\ufeff")
                    # text after an end marker counts as a new line
                    inside = before != "" and not before.endswith(self._end)
                    return Scanned(tokens, at, INSIDE_LINE if inside else state, head)
                tokens.append(kinds.START.of[width])
                state = HEADER
            elif state not in IN_CALL:
                tokens.append(kinds.STRAY.of[width])
                state = _READ_ON.get(state, state)
            elif marker == self._arg:
                tokens.append(_ARG[width])
                state = POINTER
            else:
                tokens.append(kinds.END.of[width])
                state = self._behind_end
            at += width
        return Scanned(tokens, at, state, head)

    def may_begin(self, text: str, state: int) -> bool:
        """Return whether a whole text is the beginning of a marker."""
        return state != HEADER and text in (self._within if state in IN_CALL else self._without).begun

    def inside(self, text: str, start: int, at: int, stop: int, state: int) -> int:
        """See `Outer.inside`."""
        while start < at:
            found = self.scan(text, start, at, state, True)
            start, state = found.end, found.state
        return state


def reads_calls(state: Any) -> bool:
    """Return whether this scanner reads the text in a state. A format around it may exclude the text."""
    return state_in(state, int) is not None


class MarkerSearch:
    """The search for markers, which may overlap.

    `closers` are the markers that end the text before them anywhere: a marker in which one of these begins does not
    count.
    """

    __slots__ = ("_last", "_longest", "begun", "find", "overlaps")

    begun: frozenset[str]
    overlaps: bool
    """Whether one marker can begin inside another, so that only the following text decides between them."""

    def __init__(self, markers: tuple[str, ...], closers: Mapping[str, tuple[str, ...]] | None = None) -> None:
        ends = closers or {}
        rests = {one: {rest for each in ends.get(one, ()) for rest in _rests(one, each)} for one in markers}
        ways = [
            re.escape(one) + (f"(?!{'|'.join(map(re.escape, sorted(rest)))})" if rest else "")
            for one, rest in rests.items()
            if "" not in rest
        ]
        self.find = re.compile("|".join(ways)).search
        begun = [*markers, *(one + rest for one in markers for rest in rests[one])]
        self.begun = frozenset(text[:size] for text in begun for size in range(1, len(text)))
        self._last = frozenset(text[-1] for text in self.begun)
        self._longest = max(map(len, self.begun), default=0)
        self.overlaps = any(_rests(one, other) for one in markers for other in markers)

    def held_back(self, text: str, start: int, stop: int) -> int:
        """Return the start of an ending that may become a marker, or `stop`."""
        if start < stop and text[stop - 1] in self._last:
            for at in range(max(start, stop - self._longest), stop):
                if text[at:stop] in self.begun:
                    return at
        return stop


def _rests(marker: str, closer: str) -> set[str]:
    """Return the rests of a closer that begins inside a marker, after the marker; "" if the marker ends later."""
    found = set()
    for at in range(1, len(marker)):
        inside = marker[at:]
        if inside.startswith(closer):
            found.add("")
        elif closer.startswith(inside):
            found.add(closer[len(inside) :])
    return found
