"""The proof of a refactoring: a program reads the values that it expects."""

from __future__ import annotations

from llmblocks.core.edits import edited
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import Offer
from llmblocks.rules.fix import agree
from llmblocks.rules.surroundings import surroundings
from llmblocks.rules.values import values_of

LONGEST = 1 << 16
"""The most characters that are read to offer a refactoring."""


def is_proved(ask: Ask, offer: Offer, *, whole: bool = False) -> bool:
    """Return whether the edits of an offer lead to the values expected, and leave the text after them unchanged.

    Returns:
        Only `whole` reads more than `LONGEST` characters.
    """
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
