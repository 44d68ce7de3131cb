"""Refactorings: edits on request, where nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Expected


class Offer(NamedTuple):
    """A refactoring that applies at a place."""

    title: str
    edits: tuple[Edit, ...] = ()
    """Ordered edits that do not touch."""
    expected: Expected = SAME
    refused: str = ""
    """The reason for the lack of edits."""
    later: Callable[[], Offer] | None = None
    """Makes the edits, if that takes noticeably long."""


@dataclass(frozen=True, slots=True)
class Refactoring:
    """A row of the registry."""

    name: str
    layer: str
    """The format that it changes, alone or inside another."""
    summary: str
    keeps: str
    """Names the things that do not change."""
    offer: Callable[[Ask], Iterable[Offer]]
    """Yields the offers for a selection, or for a cursor."""
    language: str
    """The language of the example."""
    before: str
    """Like `after`, an example and a test: `«` and `»` mark the selection, `«»` the cursor."""
    after: str
