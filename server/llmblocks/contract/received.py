"""A call as a program receives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.facts.rule import Rule

S = TypeVar("S", contravariant=True)


class ReceivedCall(NamedTuple):
    """A call. Shape: `json` are its parameters, empty where it has none that can be read; `notes` are sentences."""

    title: str
    json: str
    notes: tuple[str, ...] = ()


ReceivedAt = Callable[[Section, int, S], "ReceivedCall | None"]
"""The call at an offset in a section; None outside of calls."""


class RejectedCalls(NamedTuple, Generic[S]):
    """The calls of a document that the runtime rejects.

    Shape: `places` are offsets in their headers, or behind them, in order, whichever rules are switched off. A document
           without problems of the `rules` has none. A format whose calls are each of one section gives those
           `in_section`, counted from its start.
    """

    rules: tuple[Rule, ...]
    places: Callable[[Index, S], Iterable[int]] | None = None
    in_section: Callable[[Section, S], Iterable[int]] | None = None
