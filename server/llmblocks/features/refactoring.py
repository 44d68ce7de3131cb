"""Refactorings of a selection, or at a cursor."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import get_args

from llmblocks.languages.ask import Ask
from llmblocks.refactors.promises import Promises
from llmblocks.refactors.refactoring import ActionKind, Offer, Refactoring
from llmblocks.refactors.registry import REFACTORINGS

_ALL = frozenset(get_args(ActionKind))


def refactorings(ask: Ask, kinds: Container[str] = _ALL) -> Iterator[tuple[Refactoring, Offer]]:
    """Yield the applicable refactorings of some kinds that keep their promises."""
    promises = Promises(ask)
    for each in REFACTORINGS:
        if each.layer in ask.language.layers and each.kind in kinds:
            for offer in each.offer(ask):
                if offer.edits and each.promise is not None and not promises.keep(each.promise, offer.edits):
                    continue
                yield each, offer


def made_later(ask: Ask, name: str, title: str) -> Offer | None:
    """Return a deferred offer with its edits; None if it no longer applies."""
    for each, offer in refactorings(ask):
        if each.name != name or offer.title != title:
            continue
        if offer.later is None:
            return offer
        made = offer.later()
        if made.edits and each.promise is not None and not Promises(ask).keep(each.promise, made.edits, whole=True):
            return None
        return made
    return None
