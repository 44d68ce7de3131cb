"""The other places of a finding, and the order of findings by their own."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, NamedTuple


class Elsewhere(NamedTuple):
    """A place in another file, whose text need not be at hand.

    Shape: `file` is a path, or the URI of an open document; `start` counts code points from the start of the file.
           `line` counts from 0; lines end at `\\n`, `\\r\\n` or a lone `\\r`. `before` is the text of the line up to
           the place, `text` the one at the place.
    """

    file: str
    start: int
    line: int
    before: str
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Related(NamedTuple):
    """Another place that a finding is about. Offsets count like those of the finding that holds it."""

    start: int
    end: int
    message: str

    def moved(self, by: int) -> Related:
        """The same place, `by` code points further on."""
        return Related(self.start + by, self.end + by, self.message)


order: Final[Callable[[Any], tuple[int, int, str]]] = attrgetter("start", "end", "code")
"""The sort key of findings."""
