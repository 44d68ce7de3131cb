"""Refactorings of a selection, or at a cursor, in the order in which editors list them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.languages.ask import Ask
from llmblocks.refactors import calls, dialect
from llmblocks.refactors.refactoring import Offer, Refactoring, is_proved

REFACTORINGS: Final[tuple[Refactoring, ...]] = (
    calls.SPREAD,
    calls.COLLECT,
    calls.RENUMBER,
    dialect.CONVERT,
)


def refactorings(ask: Ask) -> Iterator[tuple[Refactoring, Offer]]:
    """Yield the applicable refactorings that lead to the values that they expect."""
    for each in REFACTORINGS:
        if each.layer in ask.language.layers:
            for offer in each.offer(ask):
                if not offer.edits or is_proved(ask, offer):
                    yield each, offer


def made_later(ask: Ask, name: str, title: str) -> Offer | None:
    """Return a deferred offer with its edits; None if it no longer applies."""
    for each, offer in refactorings(ask):
        if each.name != name or offer.title != title:
            continue
        made = offer if offer.later is None else offer.later()
        return made if not made.edits or offer.later is None or is_proved(ask, made, whole=True) else None
    return None
