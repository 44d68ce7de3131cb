"""Refactorings: edits on request, where nothing is wrong, and the proof that they lead to the values expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from llmblocks.core.edits import Edit, edited
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Expected, agree, values_of
from llmblocks.rules.surroundings import surroundings


class Offer(NamedTuple):
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


LONGEST = 1 << 16
"""The most characters that are read to offer a refactoring."""


def is_proved(ask: Ask, offer: Offer, *, whole: bool = False) -> bool:
    """Return whether edits lead to the values expected; only `whole` reads more than `LONGEST` characters."""
    document, language, settings = ask.document, ask.language, ask.settings
    first, last = offer.edits[0], offer.edits[-1]
    # the line before an edit may end there no longer
    around = None if whole else surroundings(document, max(first.start - 1, 0), last.end, LONGEST)
    if around is not None and not around.are(language.open(around.text, settings)):
        around = None
    if around is None and not whole and len(document) > LONGEST:
        return False
    start, old, is_last = (around.start, around.text, around.last) if around else (0, document.text, True)
    new = edited(old, [each.moved(-start) for each in offer.edits])
    if not is_last and language.open(new, settings).end_state != language.open(old, settings).end_state:
        return False
    before, after = (values_of(each, language, settings) for each in (old, new))
    changes = offer.expected.changes
    return agree(before, after, changes, in_messages=not changes, in_place=True)
