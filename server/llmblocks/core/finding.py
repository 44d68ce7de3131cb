"""Findings of rules and decoders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from llmblocks.core.places import Elsewhere, Related
from llmblocks.core.severity import Severity


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

    def with_places(self, related: tuple[Related, ...], elsewhere: tuple[tuple[Elsewhere, str], ...]) -> Finding:
        """The same finding, about these other places."""
        return replace(self, related=related, elsewhere=elsewhere)
