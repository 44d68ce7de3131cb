"""The delimiters of a template as texts: those that close a region, and misspelt ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


class Delimiters:
    """The delimiters of a template."""

    def __init__(self, template: Template) -> None:
        self.template: Final = template
        self.literals: Final = [
            (literal, field, opens)
            for field in template.fields
            for opens, texts in ((True, texts_of(field, opens=True)), (False, texts_of(field, opens=False)))
            for literal in texts
            if _WORDS.fullmatch(literal)
        ]
        self._known = {literal for literal, _, _ in self.literals}

    def near(self, text: str, start: int, end: int) -> Iterator[NearDelimiter]:
        """Yield the misspelt delimiters between two places."""
        if not self.literals:
            return
        for found in _WORDS.finditer(text, start, end):
            near = self._near(found[0])
            if near is not None:
                literal, field, opens = near
                yield NearDelimiter(*found.span(), literal, field.name, opens)

    def _near(self, word: str) -> tuple[str, TemplateField, bool] | None:
        if word in self._known:
            return None
        letters = _LETTERS.sub("", word.lower())
        for literal, field, opens in self.literals:
            if ("/" in word[:3]) != ("/" in literal[:3]):
                continue
            wanted = _LETTERS.sub("", literal.lower())
            longer = "/" in word[:3] and letters.startswith(wanted) and len(letters) - len(wanted) < _SHORT
            if letters == wanted or (longer and len(wanted) >= _SHORT):
                return literal, field, opens
            most = 2 if len(wanted) > 2 * _SHORT else 1
            if len(wanted) > _SHORT and distance(letters, wanted, most) <= most and word[0] == literal[0]:
                return literal, field, opens
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


@lru_cache(maxsize=64)
def delimiters_of(template: Template) -> Delimiters:
    """Return the cached delimiters of a template."""
    return Delimiters(template)
