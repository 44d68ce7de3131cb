"""Refactorings: edits that a person asks for, where nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.languages.ask import Ask
from llmblocks.refactors.promises import Promise

ActionKind = Literal["refactor.extract", "refactor.inline", "refactor.rewrite"]


class Offer(NamedTuple):
    """A refactoring that applies at a place.

    Shape: `edits` are in order and do not touch; `refused` is the reason why there are none. `later` makes the offer
           itself, where that takes longer than a person notices.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    refused: str = ""
    later: Callable[[], Offer] | None = None


@dataclass(frozen=True, slots=True)
class Refactoring:
    """A row of the registry.

    Shape: `layer` names the format that it is about, alone or inside another. `offer` gives what can be done with a
           selection, or at the place of a cursor. `before` and `after` are an example and a test, in the language
           `language`: `«` and `»` mark the selection, `«»` the cursor. `keeps` says what does not change, and
           `promise` whether that is true of an offer: it is made only then. Edits of text that no program reads have
           no promise.
    """

    name: str
    kind: ActionKind
    layer: str
    summary: str
    keeps: str
    promise: Promise | None
    offer: Callable[[Ask], Iterable[Offer]]
    language: str
    before: str
    after: str
