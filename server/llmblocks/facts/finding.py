"""Findings of rules and decoders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from llmblocks.core.places import Elsewhere, Related
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity

PAGES = "https://github.com/llmblocks/llmblocks/blob/main/docs/rules/"
"""The folder of the rules' pages, each named by its code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake or a surprise at a place in a text. It never changes.

    Attributes:
        start, end: Code points from the start of the checked text.
        unnecessary: Whether the text has no effect.
        deprecated: Whether the text has a better spelling.
        data: Input for a fix; ignored when findings are compared.
        elsewhere: Related places in other files, each with its message.
    """

    code: str
    start: int
    end: int
    message: FindingMessage
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = ()
    unnecessary: bool = False
    deprecated: bool = False
    data: Mapping[str, object] = field(default_factory=dict, compare=False)
    elsewhere: tuple[tuple[Elsewhere, str], ...] = ()

    def __replace__(self, **changes: Any) -> Self:
        """Return a copy with other values for some fields, for `copy.replace`."""
        return replace(self, **changes)

    def moved(self, by: int) -> Self:
        """Return the same finding, `by` code points further on."""
        related = tuple([each.moved(by) for each in self.related])
        return replace(self, start=self.start + by, end=self.end + by, related=related)
