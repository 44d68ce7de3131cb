"""Tokens of requests: the headers of messages, results, and the markers in instructions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from llmblocks.core.scan import Kind, Scanned, Token

SIGN = Kind("sign", opaque=True)
"""The text around the role in the header of a message."""
ROLE = Kind("role", opaque=True)
LINE_END = Kind("line-end", opaque=True)
TEXT = Kind("text", merges=True)
"""The text of an assistant's message, which may contain calls."""
PROMPT = Kind("prompt", merges=True, opaque=True)
"""The text of any other message, and before the first one."""
RESULT = Kind("result", opaque=True)
RESULT_ID = Kind("result-id", opaque=True)
RESULT_END = Kind("result-end", opaque=True)
OUTPUT = Kind("output", merges=True, opaque=True)
"""The text that a call returned."""
MEDIA = Kind("media", merges=True, opaque=True)
"""A line about a returned picture or sound."""
EXAMPLE = Kind("example-marker", opaque=True)
"""A marker outside of the assistant's messages: an instruction, not a call."""
EXAMPLE_HEADER = Kind("example-header", merges=True, opaque=True)
EXAMPLE_POINTER = Kind("example-pointer", merges=True, opaque=True)

Role = Literal["system", "user", "assistant"]
ROLES: Final[Mapping[str, Role]] = {role.upper(): role for role in get_args(Role)}
"""The roles, by the words in their headers."""
HEADERS: Final = tuple(f"=== {name} ===" for name in ROLES)
LONGEST_ID: Final = 128
"""The maximum length of an id in a result. The meaning of a line is unknown until this much of it has arrived."""
RESULT_LINE: Final = re.compile(rf"Result \((?P<id>[^():\n]{{1,{LONGEST_ID}}})\): ")
MEDIA_LINE: Final = re.compile(r"\[Media: (?P<id>[^\n]*?) \((?P<kind>[a-z]+)\)(?: → saved to: (?P<path>[^\n]+))?\]\r?")


def _begun(*texts: str) -> str:
    """Return a pattern for a beginning of one of some texts, at the end of the received text."""
    return f"(?:{'|'.join([re.escape(text[:size]) for text in texts for size in range(1, len(text))])})\\Z"


_ASSISTANT, _RESULT = "assistant", "result"
_MEDIA_SIGN: Final = "[Media: "
_HEADER = re.compile(rf"=== ({'|'.join(ROLES)}) ===(\r?\n|\Z)")
_NEXT_HEADER = re.compile(rf"\n{_HEADER.pattern}")
_NEXT_MEDIA = re.compile(rf"(?<=\n){re.escape(_MEDIA_SIGN)}")
_HEADER_BEGUN = re.compile(_begun(*[f"{header}\r\n" for header in HEADERS]))
_RESULT_BEGUN = re.compile(rf"{_begun('Result (')}|Result \([^():\n]{{0,{LONGEST_ID}}}(?:\):?)?\Z")
_MEDIA_BEGUN = re.compile(_begun(_MEDIA_SIGN))

# The positions of the scanner: `FIRST` is right after the header of a user's message, `IN_HEADER` and `IN_POINTER` are
# after a marker that begins a line of instructions.
FIRST, LINE, INSIDE, IN_HEADER, IN_POINTER, IN_MEDIA = range(6)
_REST = {IN_HEADER: EXAMPLE_HEADER, IN_POINTER: EXAMPLE_POINTER, IN_MEDIA: MEDIA}


class RequestState(NamedTuple):
    """The state of the scanner."""

    place: int
    role: str
    """The role of the message, "result" for the result of a call; empty before the first message."""


class RequestScanner:
    """A section is a message. Only the text of the assistant is free: other messages cannot contain calls.

    `markers` are those that begin a call, end it, and begin an argument. Without them, it separates messages and reads
    nothing in them.

    Source: `formatLlmRequest` of llmist 18, which escapes nothing.
    """

    free: Final = frozenset((TEXT,))
    resets: Final = frozenset((ROLE,))
    initial: Final = RequestState(LINE, "")

    def __init__(self, markers: tuple[str, ...] = ()) -> None:
        self._places = dict(zip(markers, (IN_HEADER, INSIDE, IN_POINTER), strict=False))
        self._marker = re.compile("|".join(map(re.escape, markers)) or "(?!)")
        self._begun = re.compile(_begun(*markers))
        self._longest = max(map(len, markers), default=0)

    def scan(self, text: str, start: int, stop: int, state: RequestState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        place, role = state
        tokens: list[Token] = []
        at, head = start, False
        whole = final or text.endswith("\n", start, stop)
        while at < stop:
            if place in (FIRST, LINE):
                header = _HEADER.match(text, at, stop)
                if (header and at > start) or (not whole and _HEADER_BEGUN.match(text, at, stop)):
                    break
                if header:
                    head, role = True, ROLES[header[1]]
                    tokens += (SIGN.of[4], ROLE.of[len(role)], SIGN.of[4])
                    tokens += [LINE_END.of[len(header[2])]] if header[2] else []
                    at, place = header.end(), FIRST if role == "user" and self._places else LINE
                    continue
            if place == FIRST:
                if not whole and _RESULT_BEGUN.match(text, at, stop):
                    break
                place = LINE
                if result := RESULT_LINE.match(text, at, stop):
                    tokens += (RESULT.of[len("Result (")], RESULT_ID.of[len(result["id"])], RESULT_END.of[len("): ")])
                    at, place, role = result.end(), INSIDE, _RESULT
                    continue
            end = stop if whole else self._decided(text, at, stop, RequestState(place, role))
            if end == at:
                break
            following = _NEXT_HEADER.search(text, at, end)
            end = following.start() + 1 if following else end
            place, at = self._read(text, at, end, RequestState(place, role), tokens), end
        return Scanned(tokens, at, RequestState(place, role), head)

    def inside(self, text: str, start: int, at: int, stop: int, state: RequestState) -> RequestState:
        """See `Outer.inside`. Free text is the assistant's."""
        return state if at == start else RequestState(_after(text, at), _ASSISTANT)

    def _decided(self, text: str, at: int, stop: int, state: RequestState) -> int:
        """Return the end of the text whose meaning does not depend on the rest of its last line."""
        line = text.rfind("\n", at, stop) + 1 or (at if state.place == LINE else stop)
        if _HEADER_BEGUN.match(text, line, stop):
            return line
        if state.role == _ASSISTANT:
            return stop
        if state.role == _RESULT:
            return line if _MEDIA_BEGUN.match(text, line, stop) else stop
        held = self._begun.search(text, max(at, stop - self._longest), stop)
        return held.start() if held else stop

    def _read(self, text: str, at: int, end: int, state: RequestState, tokens: list[Token]) -> int:
        """Tokenize the text of a message, and return the place after it."""
        place, role = state
        if role == _ASSISTANT:
            tokens.append(TEXT.of[end - at])
            return _after(text, end)
        plain, sign = (OUTPUT, _NEXT_MEDIA) if role == _RESULT else (PROMPT, self._marker)
        while at < end:
            if role == _RESULT and place == LINE and text.startswith(_MEDIA_SIGN, at, end):
                place = IN_MEDIA
            if place in _REST:
                newline = text.find("\n", at, end)
                size = (end if newline < 0 else newline) - at
                tokens += [_REST[place].of[size]] if size else []
                at, place = at + size, place if newline < 0 else INSIDE
                continue
            found = sign.search(text, at, end)
            stop = found.start() if found else end
            if stop > at:
                tokens.append(plain.of[stop - at])
                at, place = stop, _after(text, stop)
            if found and role != _RESULT:
                tokens.append(EXAMPLE.of[len(found[0])])
                at, place = found.end(), self._places[found[0]] if place == LINE else INSIDE
        return place


def _after(text: str, at: int) -> int:
    return LINE if text[at - 1] == "\n" else INSIDE
