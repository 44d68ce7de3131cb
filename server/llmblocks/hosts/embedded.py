"""A text embedded in another one, and the mapping of offsets between the two."""

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

    Shape: `start` and `end` are code points of the host; `text` is the embedded text for them, from its code point `at`
           on. If both have the same length, they correspond character by character; otherwise this is an escape, and
           only the two ends correspond.
    """

    start: int
    end: int
    at: int
    text: str


class EmbeddedText:
    """A text of one of our languages inside another document, analysed as its own document.

    Shape: `segments` are in order, at least one, perhaps empty; the text between two of them, such as an indent,
           belongs to the host. If the `text` is known, they may be a function that cuts it: most texts have no
           finding, and need none. `lead` is what the host writes in front of each line.
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

        return self._with(segments, self.text)

    def _with(self, segments: tuple[Segment, ...] | Callable[[], tuple[Segment, ...]], text: str) -> EmbeddedText:
        made = copy(self)
        made._segments, made.text = segments, text
        return made

    def number_at(self, offset: int) -> int:
        """Return the number of the last segment that begins at an offset in the host or in front of it, at least 0."""
        return max(bisect_right(self.segments, offset, key=_start) - 1, 0)

    def typed(self, start: int, end: int, text: str) -> EmbeddedText:
        """Return the text after an edit within one segment without escapes."""
        number = max(bisect_right(self.segments, start, key=_at) - 1, 0)
        by = len(text) - (end - start)
        first, last, at, old = self.segments[number]
        new = Segment(first, last + by, at, old[: start - at] + text + old[end - at :])
        behind = [
            Segment(each.start + by, each.end + by, each.at + by, each.text) for each in self.segments[number + 1 :]
        ]
        return self._with((*self.segments[:number], new, *behind), self.text[:start] + text + self.text[end:])

    @property
    def start(self) -> int:
        return self.segments[0].start

    def outside(self, offset: int) -> int:
        """The offset in the host for an offset in the embedded text; between two segments, the start of the second."""
        segment = self.segments[max(bisect_right(self.segments, offset, key=_at) - 1, 0)]
        return _moved(offset - segment.at, len(segment.text), segment.start, segment.end)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the host of a stretch of the embedded text, without what the host has behind it."""
        first = self.outside(start)
        if start == end:
            return first, first
        segment = self.segments[max(bisect_left(self.segments, end, key=_at) - 1, 0)]
        return first, _moved(end - segment.at, len(segment.text), segment.start, segment.end)

    def inside(self, offset: int) -> int | None:
        """Return the offset in the embedded text for an offset in the host; None outside of all segments."""
        number = bisect_right(self.segments, offset, key=_start) - 1
        if number < 0 or offset > self.segments[number].end:
            return None
        start, end, at, text = self.segments[number]
        return _moved(offset - start, end - start, at, at + len(text))

    def nearest(self, offset: int) -> int:
        """The offset in the embedded text for any offset in the host: in front of it its start, behind it its end."""
        inside = self.inside(offset)
        if inside is not None:
            return inside
        number = bisect_right(self.segments, offset, key=_start)
        last = self.segments[-1]
        return self.segments[number].at if number < len(self.segments) else last.at + len(last.text)


class EmbeddedTexts(NamedTuple):
    """The embedded texts of a host, and what is wrong with the host itself, each in order.

    Shape: each of the `versions` is a text of which the host leaves parts open, with several texts for these. What is
           found in all of them does not depend on the parts. `unread` is the place of the first text that cannot be
           read here, and the reason.
    """

    texts: Sequence[EmbeddedText]
    problems: Sequence[Problem] = ()
    versions: Sequence[tuple[EmbeddedText, ...]] = ()
    unread: tuple[int, str] | None = None


def begins_with_a_call(text: str, markers: Markers) -> bool:
    """Return whether a text begins with the header of a gadget call, in whole."""
    start = text.lstrip()
    header, end, _ = start.removeprefix(markers.start).partition("\n")
    return start.startswith(markers.start) and bool(header.strip() and end)


class Host:
    """A kind of document that may embed texts of ours. Shape: with `by_line`, each line stands for itself."""

    by_line = False

    def settled(self, text: str) -> Host | None:
        """The host for a text that begins so; None if neither settings nor a look at it tell what it may embed."""
        return self

    def may_embed(self, text: str) -> bool:
        """Return whether a text may embed anything, by a look."""
        return True

    def read(self, text: str) -> EmbeddedTexts:
        """Return all embedded texts, in order, and what is wrong with the host itself. Errors: none, for any text."""
        raise NotImplementedError

    def find(self, text: str) -> Sequence[EmbeddedText]:
        """Return the embedded texts alone."""
        return self.read(text).texts

    def keeps_text(self, segment: Segment, old: str, new: str) -> bool:
        """Whether an edit behind the first character of a segment changes this text only, by the same characters."""
        return False

    def keeps_all(self, before: str, old: str, new: str) -> bool:
        """Return whether an edit outside of embedded texts only moves them.

        Shape: `before` is what its line begins with.
        """
        return False

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        """Return the edit of the host `text` that makes an edit of an embedded text; here, one that escapes nothing."""
        return Edit(*embedded.span(edit.start, edit.end), edit.text)


_start, _at = attrgetter("start"), attrgetter("at")


def _moved(offset: int, length: int, start: int, end: int) -> int:
    """Return the corresponding offset on the other side of a segment; inside an escape, the start of the escape."""
    if length == end - start:
        return start + offset
    return end if offset >= length else start
