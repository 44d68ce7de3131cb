"""The related places of a finding, and the order of findings."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, NamedTuple


class Elsewhere(NamedTuple):
    """A place in another file, whose text may be unavailable."""

    file: str
    """A path, or the URI of an open document."""
    start: int
    """Code points from the start of the file."""
    line: int
    """Counts from 0; lines end at `\\n`, `\\r\\n` or a lone `\\r`."""
    before: str
    """The text of the line up to the place."""
    text: str
    """The text at the place."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Related(NamedTuple):
    """Another place that a finding is about. Offsets count like those of its finding."""

    start: int
    end: int
    message: str

    def moved(self, by: int) -> Related:
        """Return the same place, `by` code points further on."""
        return Related(self.start + by, self.end + by, self.message)


order: Final[Callable[[Any], tuple[int, int, str]]] = attrgetter("start", "end", "code")
"""The sort key of findings."""
