"""What a rule or a decoder has to say about a place in a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """How bad a finding is; the numbers are those of the language server protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


class Related(NamedTuple):
    """Another place that a finding is about. Offsets count like those of the finding that holds it."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or will surprise, at one place.

    Shape: `start` and `end` are code points from the start of the text that was checked (a rule counts from the start
           of its section, a decoder from the start of the document).
    """

    code: str
    start: int
    end: int
    message: str
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = ()
    unnecessary: bool = False

    def moved(self, by: int) -> Finding:
        """The same finding, `by` code points further on."""
        related = tuple(Related(r.start + by, r.end + by, r.message) for r in self.related)
        return Finding(
            self.code, self.start + by, self.end + by, self.message, self.severity, related, self.unnecessary
        )
