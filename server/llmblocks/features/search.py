"""The search for names in a workspace: how well a name matches the query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.sequence import Block
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

EXACT, PREFIX, WORD, LETTERS = range(4)
"""The ways in which a name fits, best first: all of it, its beginning, that of a word in it, letters in their order."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")

Rank = tuple[int, int, str]
"""The sort key of a name: the way in which it fits, then the shorter, then by letters."""


class Landmark(NamedTuple):
    """A name with some of its places in a document."""

    kind: str
    name: str
    start: int
    places: list[tuple[int, int]]
    """Starts and ends in code points from `start`."""


def ranking(typed: str) -> Callable[[str], Rank | None]:
    """Return the function that ranks names against a query, ignoring white space and case.

    It returns None for a name that does not match.
    """
    wanted = "".join(typed.lower().split())
    letters = re.compile(".*?".join(map(re.escape, wanted)), re.DOTALL)

    def rank(name: str) -> Rank | None:
        lower = name.lower()
        if lower.startswith(wanted):
            return EXACT if lower == wanted else PREFIX, len(name), name
        if letters.search(lower) is None:
            return None
        begins = wanted in lower and any(lower.startswith(wanted, word.start()) for word in _WORDS.finditer(name))
        return WORD if begins else LETTERS, len(name), name

    return rank


def landmarks(ask: Ask) -> Iterator[Landmark]:
    """Yield the searchable names of a document, block by block, so that after an edit one block is searched again."""
    of_block = _landmarks(ask.language)
    start = 0
    for block in ask.document.sections.blocks:
        ask.pause()
        for (kind, name), places in of_block(block).items():
            yield Landmark(kind, name, start, places)
        start += block.before["length"][-1]


_Found = dict[tuple[str, str], list[tuple[int, int]]]


@lru_cache(maxsize=16)
def _landmarks(language: Language) -> Query[Block, _Found]:
    """Return the query for the names in a block with their places, counted from its start."""
    findable = language.findable

    def of_block(block: Block) -> _Found:
        found: _Found = {}
        at = 0
        for section in block:
            for role, kind, name, start, end in language.stored(section):
                if role == "definition" and kind in findable and name:
                    found.setdefault((kind, name), []).append((at + start, at + end))
            at += section.length
        return found

    return Query("landmarks", of_block)
