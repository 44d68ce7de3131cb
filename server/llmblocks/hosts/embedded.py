"""A text inside another one, and how places in the two correspond."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Protocol


class Segment(NamedTuple):
    """A part of an embedded text and where it stands in its host.

    Shape: `start` and `end` are code points of the host; `text` is what the embedded text has for them, from its code
           point `at` on. Where both are of one length, they correspond character by character; otherwise this is an
           escape, of which only the two ends correspond.
    """

    start: int
    end: int
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text of one of our languages inside another document: a document of its own.

    Shape: `segments` are in the order of their places, at least one, though it may be empty; what stands between two
           of them is the host's, e.g. an indent.
    """

    language_id: str
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The embedded text."""
        return "".join([segment.text for segment in self.segments])

    def outside(self, offset: int) -> int:
        """The place in the host of a place in the embedded text; where two segments meet, the start of the second."""
        segment = self.segments[max(bisect_right(self.segments, offset, key=_at) - 1, 0)]
        return _moved(offset - segment.at, len(segment.text), segment.start, segment.end)

    def inside(self, offset: int) -> int | None:
        """The place in the embedded text of a place in the host; None for one that is the host's."""
        number = bisect_right(self.segments, offset, key=_start) - 1
        if number < 0 or offset > self.segments[number].end:
            return None
        start, end, at, text = self.segments[number]
        return _moved(offset - start, end - start, at, at + len(text))


class Host(Protocol):
    """A kind of document that may have texts of ours inside."""

    def find(self, text: str) -> Sequence[Embedded]:
        """Every embedded text, in order. Errors: none; any text at all is input."""


_start, _at = attrgetter("start"), attrgetter("at")


def _moved(offset: int, length: int, start: int, end: int) -> int:
    """A place in a segment on the other side; inside an escape it is the escape's start."""
    if length == end - start:
        return start + offset
    return end if offset >= length else start
