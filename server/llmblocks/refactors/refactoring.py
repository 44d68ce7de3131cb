"""Refactorings: edits that a person asks for, where nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import SAME, Expected


class Offer(NamedTuple):
    """A refactoring that applies at a place.

    Shape: `edits` are in order and do not touch, and a program reads the values `expected` after them; `refused` is the
           reason why there are none. `later` makes the offer itself, where that takes longer than a person notices.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    expected: Expected = SAME
    refused: str = ""
    later: Callable[[], Offer] | None = None


@dataclass(frozen=True, slots=True)
class Refactoring:
    """A row of the registry.

    Shape: `layer` names the format that it is about, alone or inside another. `offer` gives those of a cursor.
           `before` and `after` are an example and a test, in the language `language`: `«»` marks the cursor. `keeps`
           says what does not change.
    """

    name: str
    layer: str
    summary: str
    keeps: str
    offer: Callable[[Ask], Iterable[Offer]]
    language: str
    before: str
    after: str
