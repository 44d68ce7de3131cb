"""A call as a program receives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.facts.rule import Rule

S = TypeVar("S", contravariant=True)


class ReceivedCall(NamedTuple):
    """A call."""

    title: str
    json: str
    """Its parameters; empty if none can be read."""
    notes: tuple[str, ...] = ()
    """Sentences."""


ReceivedAt = Callable[[Section, int, S], "ReceivedCall | None"]
"""Returns the call at an offset in a section; None outside of calls."""


class RejectedCalls(NamedTuple, Generic[S]):
    """The calls of a document that the runtime rejects."""

    rules: tuple[Rule, ...]
    """A document without problems of these rules has no rejected calls."""
    places: Callable[[Index, S], Iterable[int]] | None = None
    """Finds offsets in the calls, in order, even if rules are switched off."""
    in_section: Callable[[Section, S], Iterable[int]] | None = None
    """The same for a format whose calls are each in one section, counted from its start."""
