"""Texts with places marked in them, so that no test says a line or a column by number.

`$0` is the cursor. A line of spaces and carets with a code after them marks a place on the line above it:

    !!!ARG:name
           ^^^^ G101

`⟦` and `⟧` are around other places, `«` and `»` around those that define a name.
"""

from __future__ import annotations

import re
from dataclasses import replace

from llmblocks.core.places import order
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.registry import find_language
from llmblocks.rules.cases import CaretMark, unmarked
from llmblocks.settings.values import DEFAULTS, Settings

_BRACKET = re.compile("\\$0|[⟦⟧«»]")


def unmark(text: str) -> tuple[str, list[CaretMark]]:
    """Return the text without its lines of carets, and these in the order of their places."""
    plain, marks = unmarked(text)
    return plain, sorted([mark for mark, _ in marks], key=order)


def cursor(text: str) -> tuple[str, int]:
    """Return the text without `$0`, and where it stood."""
    return text.replace("$0", "", 1), text.index("$0")


def bracketed(marked: str) -> tuple[str, int, list[tuple[int, int, bool]]]:
    """Return the text without its marks, where the cursor stood, and the places in brackets: which define a name?"""
    places: list[tuple[int, int, bool]] = []
    at = removed = begun = 0
    for mark in _BRACKET.finditer(marked):
        here = mark.start() - removed
        if mark[0] == "$0":
            at = here
        elif mark[0] in "⟦«":
            begun = here
        else:
            places.append((begun, here, mark[0] == "»"))
        removed += len(mark[0])
    return _BRACKET.sub("", marked), at, places


def whole(text: str, language_id: str, settings: Settings = DEFAULTS) -> Ask:
    """Return the question about a whole text."""
    language = find_language(language_id)
    return ask_all(language.open(text, settings), language, settings)


def asked(marked: str, language_id: str, settings: Settings = DEFAULTS) -> Ask:
    """Return the question at the cursor of a text."""
    text, at = cursor(marked)
    return replace(whole(text, language_id, settings), start=at, end=at)
