"""The delimiters of a template as texts: those that close a region, and misspelt ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from llmblocks.completions.template import Template, TemplateField
from llmblocks.core.distance import distance

_BEGIN = re.compile(r"(?:[^\\\[\](){}.*+?|^$\s]|\\[^A-Za-z0-9])+")
_WORDS = re.compile(r"<[^<>\n]{1,48}>|\[/?[A-Za-z_ -]{2,24}\]")
_LETTERS = re.compile(r"[^a-z0-9]+")
_SHORT: Final = 4


class NearDelimiter(NamedTuple):
    """A misspelt delimiter."""

    start: int
    end: int
    better: str
    """The delimiter of the field."""
    field: str
    opens: bool


def near_in(template: Template, text: str, start: int, end: int) -> Iterator[NearDelimiter]:
    """Yield the misspelt delimiters of a template between two places."""
    literals = _literals(template)
    for found in _WORDS.finditer(text, start, end) if literals else ():
        near = None if found[0] in literals else _nearest(found[0], literals)
        if near is not None:
            yield NearDelimiter(*found.span(), near, *literals[near])


@lru_cache(maxsize=64)
def _literals(template: Template) -> Mapping[str, tuple[str, bool]]:
    """Return the words that are delimiters, each with its field, and whether it opens that."""
    found: dict[str, tuple[str, bool]] = {}
    for field in template.fields:
        for opens in (True, False):
            for literal in texts_of(field, opens=opens):
                if _WORDS.fullmatch(literal):
                    found.setdefault(literal, (field.name, opens))
    return found


def _nearest(word: str, literals: Iterable[str]) -> str | None:
    letters = _LETTERS.sub("", word.lower())
    for literal in literals:
        if ("/" in word[:3]) != ("/" in literal[:3]):
            continue
        wanted = _LETTERS.sub("", literal.lower())
        longer = "/" in word[:3] and letters.startswith(wanted) and len(letters) - len(wanted) < _SHORT
        if letters == wanted or (longer and len(wanted) >= _SHORT):
            return literal
        most = 2 if len(wanted) > 2 * _SHORT else 1
        if len(wanted) > _SHORT and distance(letters, wanted, most) <= most and word[0] == literal[0]:
            return literal
    return None


def texts_of(field: TemplateField, *, opens: bool) -> tuple[str, ...]:
    """Return the literals that open or close a field, or the literal beginning of its pattern."""
    pattern = field.open if opens else field.close
    if pattern is None:
        return ()
    if pattern.literals:
        return pattern.literals
    begin = _BEGIN.match(pattern.source)
    text = re.sub(r"\\(.)", r"\1", begin[0]) if begin else ""
    word = _WORDS.match(text)
    return (word[0],) if word else ()
