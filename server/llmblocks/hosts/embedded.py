"""A text embedded in another one, and the mapping of offsets between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from copy import copy
from operator import attrgetter
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.facts.problem import Problem
from llmblocks.gadget.syntax.markers import Markers


class Segment(NamedTuple):
    """A part of an embedded text and its place in the host.

    If both have the same length, they correspond character by character; otherwise this is an escape, and only the two
    ends correspond.
    """

    start: int
    """Code points of the host."""
    end: int
    at: int
    """The start of its text in the embedded text."""
    text: str


class EmbeddedText:
    """A text of one of our languages inside another document, analysed as a separate document.

    `segments` are in order, at least one, perhaps empty; the text between two of them, such as an indent, belongs to
    the host. If the `text` is known, they may be a function that makes them: most texts have no finding, and need none.
    `lead` is the text of the host before each line.
    """

    __slots__ = ("_segments", "language_id", "lead", "text")

    def __init__(
        self,
        language_id: str,
        segments: tuple[Segment, ...] | Callable[[], tuple[Segment, ...]],
        lead: str = "",
        text: str | None = None,
    ) -> None:
        self.language_id = language_id
        self._segments = segments
        self.lead = lead
        self.text = "".join([each.text for each in self.segments]) if text is None else text

    @property
    def segments(self) -> tuple[Segment, ...]:
        if not isinstance(self._segments, tuple):
            self._segments = self._segments()
        return self._segments

    def moved(self, by: int) -> EmbeddedText:
        """Return the same text, `by` code points further on in the host."""
        if not by:
            return self

        def segments() -> tuple[Segment, ...]:
            return tuple([Segment(each.start + by, each.end + by, each.at, each.text) for each in self.segments])

        made = copy(self)
        made._segments = segments
        return made

    @property
    def start(self) -> int:
        return self.segments[0].start

    def outside(self, offset: int) -> int:
        """Map an offset in the embedded text to the host; between two segments, to the start of the second."""
        segment = self.segments[max(bisect_right(self.segments, offset, key=_at) - 1, 0)]
        return _moved(offset - segment.at, len(segment.text), segment.start, segment.end)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the host of a stretch of the embedded text, without the host's text after it."""
        first = self.outside(start)
        if start == end:
            return first, first
        segment = self.segments[max(bisect_left(self.segments, end, key=_at) - 1, 0)]
        return first, _moved(end - segment.at, len(segment.text), segment.start, segment.end)

    def inside(self, offset: int) -> int | None:
        """Map an offset in the host to the embedded text; None outside of all segments."""
        number = bisect_right(self.segments, offset, key=_start) - 1
        if number < 0 or offset > self.segments[number].end:
            return None
        start, end, at, text = self.segments[number]
        return _moved(offset - start, end - start, at, at + len(text))

    def nearest(self, offset: int) -> int:
        """Map any offset in the host to the embedded text: before it to its start, after it to its end."""
        inside = self.inside(offset)
        if inside is not None:
            return inside
        number = bisect_right(self.segments, offset, key=_start)
        last = self.segments[-1]
        return self.segments[number].at if number < len(self.segments) else last.at + len(last.text)


class EmbeddedTexts(NamedTuple):
    """The embedded texts of a host, and the problems of the host, each in order."""

    texts: Sequence[EmbeddedText]
    problems: Sequence[Problem] = ()
    versions: Sequence[tuple[EmbeddedText, ...]] = ()
    """For each text with open parts, several texts with different fillings. Only findings common to all are reported.
    """
    unread: tuple[int, str] | None = None
    """The place of the first unreadable text, and the reason."""


def begins_with_a_call(text: str, markers: Markers) -> bool:
    """Return whether a text begins with a complete header of a gadget call."""
    start = text.lstrip()
    header, end, _ = start.removeprefix(markers.start).partition("\n")
    return start.startswith(markers.start) and bool(header.strip() and end)


class Host:
    """A kind of document that may embed texts of ours. With `by_line`, each line is independent."""

    by_line = False

    def settled(self, text: str) -> Host | None:
        """Return the host for a text that begins like this; None if nothing shows what it may embed."""
        return self

    def may_embed(self, text: str) -> bool:
        """Return whether a quick search finds possible embedded texts."""
        return True

    def read(self, text: str) -> EmbeddedTexts:
        """Return all embedded texts, in order, and the problems of the host. Never raises."""
        raise NotImplementedError

    def find(self, text: str) -> Sequence[EmbeddedText]:
        """Return the embedded texts alone."""
        return self.read(text).texts

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        """Return the edit of the host `text` for an edit of an embedded text. This one escapes nothing."""
        return Edit(*embedded.span(edit.start, edit.end), edit.text)


_start, _at = attrgetter("start"), attrgetter("at")


def _moved(offset: int, length: int, start: int, end: int) -> int:
    """Return the corresponding offset on the other side of a segment; inside an escape, the start of the escape."""
    if length == end - start:
        return start + offset
    return end if offset >= length else start
