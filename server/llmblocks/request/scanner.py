"""Tokens of requests: the headers of messages, results, and the markers in instructions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol

from llmblocks.core.scan import Scanned, Token
from llmblocks.request import kinds

Role = Literal["system", "user", "assistant"]
ROLES: Final[tuple[Role, ...]] = ("system", "user", "assistant")
HEADERS: Final = tuple(f"=== {role.upper()} ===" for role in ROLES)
RESULT: Final = "Result ("
RESULT_END: Final = "): "
MEDIA: Final = "[Media: "
LONGEST_ID: Final = 128
"""The maximum length of an id in a result. The meaning of a line is unknown until this much of it has arrived."""

_NAMES = "|".join(map(str.upper, ROLES))
_HEADER = rf"=== (?P<role>{_NAMES}) ===(?P<end>\r?\n|\Z)"
HEADER: Final = re.compile(_HEADER)
NEXT_HEADER: Final = re.compile(rf"\n{_HEADER}")
RESULT_LINE: Final = re.compile(rf"Result \((?P<id>[^():\n]{{1,{LONGEST_ID}}})\): ")
_RESULT_BEGUN = re.compile(rf"Result \([^():\n]{{0,{LONGEST_ID}}}(?:\):?)?")
MEDIA_LINE: Final = re.compile(r"\[Media: (?P<id>[^\n]*?) \((?P<kind>[a-z]+)\)(?: → saved to: (?P<path>[^\n]+))?\]\r?")


def role_of(name: str) -> Role:
    """Return the role in a header."""
    return next(role for role in ROLES if role.upper() == name)


def may_become_header(line: str) -> bool:
    """Return whether the beginning of a line may become a header."""
    return any(header.startswith(line) or line in (header, f"{header}\r") for header in HEADERS)


def may_become_result(line: str) -> bool:
    """Return whether the beginning of a message may become a result."""
    return RESULT.startswith(line) or _RESULT_BEGUN.fullmatch(line) is not None


class CallMarkers(Protocol):
    """The markers of calls, which are text to this format."""

    @property
    def start(self) -> str: ...
    @property
    def end(self) -> str: ...
    @property
    def arg(self) -> str: ...


# The position of the scanner.
FIRST: Final = 0  # right after the header of a user's message
LINE: Final = 1
INSIDE: Final = 2
IN_HEADER: Final = 3  # after a start marker that begins a line of instructions
IN_POINTER: Final = 4
IN_MEDIA: Final = 5

_REST = {IN_HEADER: kinds.EXAMPLE_HEADER, IN_POINTER: kinds.EXAMPLE_POINTER, IN_MEDIA: kinds.MEDIA}
_ASSISTANT: Final = "assistant"
_LONGEST_HEADER: Final = len("=== ASSISTANT ===\r")
_MEDIA = re.compile(rf"\n{re.escape(MEDIA)}")


class RequestState(NamedTuple):
    """The state of the scanner."""

    place: int
    role: str
    """The role of the message; empty before the first."""
    returned: bool
    """Whether the message is a result."""


class RequestScanner:
    """A section is a message. Only the text of the assistant is free: other messages cannot contain calls.

    Without `markers`, it separates messages and reads nothing in them.

    Source: `formatLlmRequest` of llmist 18, which escapes nothing.
    """

    free: Final = frozenset((kinds.TEXT,))
    resets: Final = frozenset((kinds.ROLE,))
    initial: Final = RequestState(LINE, "", False)

    __slots__ = ("_find", "_markers")

    def __init__(self, markers: CallMarkers | None = None) -> None:
        self._markers: tuple[str, ...] = () if markers is None else (markers.start, markers.arg, markers.end)
        self._find = re.compile("|".join(map(re.escape, self._markers)) or "(?!)")

    def scan(self, text: str, start: int, stop: int, state: RequestState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        place, role, returned = state
        tokens: list[Token] = []
        at, head = start, place in (FIRST, LINE) and self._header(text, start, stop, final) is not None
        whole = final or text.endswith("\n", start, stop)
        while at < stop:
            if place in (FIRST, LINE):
                found = self._header(text, at, stop, final)
                if found is not None:
                    if at > start:
                        break
                    role, returned = role_of(found["role"]), False
                    tokens += (kinds.SIGN.of[4], kinds.ROLE.of[len(role)], kinds.SIGN.of[4])
                    if found["end"]:
                        tokens.append(kinds.LINE_END.of[len(found["end"])])
                    at, place = found.end(), FIRST if role == "user" and self._markers else LINE
                    continue
                if not whole and self._undecided(text, at, stop, place):
                    break
            if place == FIRST:
                result = RESULT_LINE.match(text, at, stop)
                place = LINE
                if result is not None:
                    returned, place = True, INSIDE
                    for kind, length in zip(
                        kinds.RESULT_HEAD, (len(RESULT), len(result["id"]), len(RESULT_END)), strict=True
                    ):
                        tokens.append(kind.of[length])
                    at = result.end()
                    continue
            end = self._end_of_text(text, at, stop, whole, RequestState(place, role, returned))
            if end == at:
                break
            place = self._text(text, at, end, RequestState(place, role, returned), tokens)
            at = end
        return Scanned(tokens, at, RequestState(place, role, returned), head)

    def inside(self, text: str, start: int, at: int, stop: int, state: RequestState) -> RequestState:
        """See `Outer.inside`. Free text is the assistant's."""
        if at == start:
            return state
        return RequestState(LINE if text[at - 1] == "\n" else INSIDE, _ASSISTANT, False)

    def _header(self, text: str, at: int, stop: int, final: bool) -> re.Match[str] | None:
        found = HEADER.match(text, at, stop) if text.startswith("=== ", at, stop) else None
        return found if found is None or found["end"] or final else None

    def _undecided(self, text: str, at: int, stop: int, place: int) -> bool:
        """Return whether the beginning of a line is too short to classify it."""
        if text.find("\n", at, stop) >= 0:
            return False
        if stop - at <= _LONGEST_HEADER and may_become_header(text[at:stop]):
            return True
        return place == FIRST and stop - at < 256 and may_become_result(text[at:stop])

    def _end_of_text(self, text: str, at: int, stop: int, whole: bool, state: RequestState) -> int:
        """Return the end of the text from a place on: the next header, or the end of the decided text."""
        if not whole:
            line = text.rfind("\n", at, stop) + 1
            if line and self._undecided(text, line, stop, LINE):
                stop = line
            elif state.returned:
                begins = line or (at if state.place == LINE else stop)
                stop = begins if MEDIA.startswith(text[begins:stop]) else stop
            elif state.role != _ASSISTANT:
                stop = _held_back(text, at, stop, self._markers)
        found = NEXT_HEADER.search(text, at, stop)
        if found is not None and (found["end"] or whole):
            return found.start() + 1
        return stop

    def _text(self, text: str, at: int, end: int, state: RequestState, tokens: list[Token]) -> int:
        """Read the text of a message, and return the place after it."""
        place, role, returned = state
        if role == _ASSISTANT:
            tokens.append(kinds.TEXT.of[end - at])
            return LINE if text[end - 1] == "\n" else INSIDE
        if place in _REST:
            at, place = self._rest(text, at, end, place, tokens)
        if returned:
            return self._output(text, at, end, place, tokens)
        return self._prompt(text, at, end, place, tokens)

    def _rest(self, text: str, at: int, end: int, place: int, tokens: list[Token]) -> tuple[int, int]:
        newline = text.find("\n", at, end)
        stop = end if newline < 0 else newline
        if stop > at:
            tokens.append(_REST[place].of[stop - at])
        return stop, place if newline < 0 else INSIDE

    def _prompt(self, text: str, at: int, end: int, place: int, tokens: list[Token]) -> int:
        while at < end:
            found = self._find.search(text, at, end)
            stop = end if found is None else found.start()
            if stop > at:
                tokens.append(kinds.PROMPT.of[stop - at])
                place = LINE if text[stop - 1] == "\n" else INSIDE
                at = stop
            if found is None:
                break
            marker = found.group()
            tokens.append(kinds.EXAMPLE.of[len(marker)])
            at += len(marker)
            begins, place = place == LINE, INSIDE
            if begins and marker != self._markers[2]:
                place = IN_HEADER if marker == self._markers[0] else IN_POINTER
                at, place = self._rest(text, at, end, place, tokens)
        return place

    def _output(self, text: str, at: int, end: int, place: int, tokens: list[Token]) -> int:
        while at < end:
            if place == LINE and text.startswith(MEDIA, at, end):
                at, place = self._rest(text, at, end, IN_MEDIA, tokens)
                continue
            found = _MEDIA.search(text, at, end)
            stop = end if found is None else found.start() + 1
            tokens.append(kinds.OUTPUT.of[stop - at])
            place = LINE if text[stop - 1] == "\n" else INSIDE
            at = stop
        return place


def _held_back(text: str, start: int, stop: int, markers: Sequence[str]) -> int:
    """Return the start of a tail that may still become one of the markers, or `stop`."""
    for at in range(max(start, stop - max(map(len, markers), default=1) + 1), stop):
        tail = text[at:stop]
        if any(marker.startswith(tail) for marker in markers):
            return at
    return stop
