"""The other places of a finding, and the order of findings by their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding


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


def order(finding: Finding) -> tuple[int, int, str]:
    """The sort key of findings."""
    return finding.start, finding.end, finding.code
