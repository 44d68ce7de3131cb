"""Findings of rules and decoders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """The severity of a finding; the numbers are those of the language server protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


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


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake or a surprise at a place in a text.

    Shape: `start` and `end` are code points from the start of the text that was checked; `unnecessary` text has no
           effect, `deprecated` text has a better spelling; `data` is what a fix needs to know. `elsewhere` are places
           in other files that it is about, each with its message.
    """

    code: str
    start: int
    end: int
    message: str
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = ()
    unnecessary: bool = False
    deprecated: bool = False
    data: Mapping[str, object] = field(default_factory=dict, compare=False)
    elsewhere: tuple[tuple[Elsewhere, str], ...] = ()

    def moved(self, by: int) -> Finding:
        """The same finding, `by` code points further on."""
        related = tuple([Related(each.start + by, each.end + by, each.message) for each in self.related])
        return replace(self, start=self.start + by, end=self.end + by, related=related)


def order(finding: Finding) -> tuple[int, int, str]:
    """The sort key of findings."""
    return finding.start, finding.end, finding.code
