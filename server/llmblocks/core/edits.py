"""Edits of a text: their result, and the mapping of places through them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple


class Edit(NamedTuple):
    """A replacement of the text from `start` to `end`, in code points of the document."""

    start: int
    end: int
    text: str

    def moved(self, by: int) -> Edit:
        """Return the same replacement at another place."""
        return self._replace(start=self.start + by, end=self.end + by)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply ordered edits to a text."""
    parts, at = [], 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def composed(size: int, rounds: Iterable[Sequence[Edit]]) -> list[Edit]:
    """Combine successive rounds of edits into edits of the original text, which has this size."""
    # stretches of the original text, and new text
    parts: list[range | str] = [range(size)]
    for edits in rounds:
        rest, parts, at = parts[::-1], [], 0
        for start, end, text in edits:
            parts += [*_taken(rest, start - at), text]
            _taken(rest, end - start)
            at = end
        parts += reversed(rest)
    found: list[Edit] = []
    at, new = 0, ""
    for part in (*parts, range(size, size)):
        if isinstance(part, str):
            new += part
            continue
        if part.start > at or new:
            found.append(Edit(at, part.start, new))
        at, new = part.stop, ""
    return found


def _taken(rest: list[range | str], size: int) -> list[range | str]:
    """Take the first characters of a text whose parts are in reverse order."""
    found: list[range | str] = []
    while size:
        part = rest.pop()
        if len(part) > size:
            rest.append(part[size:])
            part = part[:size]
        found.append(part)
        size -= len(part)
    return found


class Shift:
    """Maps the places of a text through ordered edits."""

    __slots__ = ("_edits", "_moved")

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._moved = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in edits)]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the new place of a stretch of text. Insertions at its ends are outside of it."""
        first = self._place(start, bisect_left(self._edits, start + 1, key=itemgetter(1)))
        return first, max(first, self._place(end, bisect_left(self._edits, end, key=itemgetter(0))))

    def _place(self, place: int, number: int) -> int:
        """Return the new place of `place`, which has `number` edits before it."""
        inside = max(number, 1) - 1
        if number and self._edits[inside].end > place:
            return self._edits[inside].start + self._moved[inside]
        if number < len(self._edits) and self._edits[number].start < place:
            return self._edits[number].start + self._moved[number]
        return place + self._moved[number]
