"""The decoded values of a document, compared before and after fixes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from llmblocks.contract.decoded import Decode, Decoded, DecodedValue
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings

_Format = tuple[str, Decode[Settings]]


def values_of(text: str, language: Language, settings: Settings) -> list[DecodedValue]:
    """Return all values of a text; those of an inner format follow those of the text around them."""
    return _values(text, _formats(language), settings)


def contents_around_calls(text: str, language: Language, settings: Settings) -> list[str]:
    """Return the contents of the custom blocks of a text, with a sign in the place of each call."""
    (_, decode), *within = _formats(language)
    read = decode(text, settings)
    calls = [each.before for each in read if isinstance(each, DecodedValue)]
    free = "".join([each for each in read if isinstance(each, str)])
    marked = "\0".join([free[start:end] for start, end in pairwise([0, *calls, len(free)])])
    return [each.content for each in _values(marked, within, settings) if each.content is not None]


def _formats(language: Language) -> list[_Format]:
    # a format without decoded values: its text must not change
    return [(each.name, each.decoded() if each.decoded else _as_it_is) for each in language.loaded]


def _as_it_is(text: str, _: Settings) -> Decoded:
    return [DecodedValue(text), text]


def _values(text: str, formats: Sequence[_Format], settings: Settings) -> list[DecodedValue]:
    read: Decoded = [text]
    within = formats
    while within:
        (_, decode), *within = within
        read = decode(text, settings)
        if read != [text]:
            break
    else:
        # most texts of messages contain no constructs
        return [DecodedValue("", free=text)]
    found = []
    known: dict[frozenset[str], Sequence[_Format]] = {}
    for each in read:
        if isinstance(each, DecodedValue):
            found.append(each)
        elif isinstance(each, str):
            found += _values(each, within, settings)
        else:
            if each.formats not in known:
                known[each.formats] = [one for one in within if one[0] in each.formats]
            found += _values(each.text, known[each.formats], settings)
    return found
