"""The stretches of a document in which comments silence findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.facts.silence import Silence, Silencing
from llmblocks.settings.rule_names import NAMES

_WORD = re.compile(r"\w[\w-]*")
_CODE = re.compile(r"[A-Za-z][0-9]{1,4}|[CGST]")
_NAMES = frozenset(NAMES.values())
_MOST_NAMED = 4


class Reach(NamedTuple):
    """A comment in a document, which silences findings from `start` up to `end`."""

    start: int
    end: int
    base: int
    """The start of its section."""
    silence: Silence


def comments_of(section: Section, outer: Silencing, inner: Iterable[Silencing]) -> tuple[Silence, ...]:
    """Return the comments in a section that silence findings, or resemble one. `inner` ones have no effect."""
    own = [_understood(each) for each in outer.find(section)]
    inside = [
        each._replace(unread=each.unread or section.text[each.start : each.end], remedy=outer.inside)
        for silencing in inner
        for each in silencing.find(section)
        if not each.bare
    ]
    return tuple(sorted([*own, *inside])) if inside else (*own,)


def _understood(silence: Silence) -> Silence:
    """Return a comment for all rules, unless it names some without brackets."""
    if silence.codes or silence.unread:
        return silence
    named = [word for word in _WORD.findall(silence.reason) if _CODE.fullmatch(word) or word.lower() in _NAMES]
    if not named:
        return silence
    verb = "ignore-file" if silence.of_file else "ignore"
    remedy = f"write {verb}[{', '.join(named[:_MOST_NAMED])}]"
    return silence._replace(unread=f"{verb}{silence.reason.rstrip()}", remedy=remedy)


def reaches(
    document: Document,
    silencing: Silencing,
    signed: Iterable[Section],
    find: Callable[[Section], Iterable[Silence]],
) -> list[Reach]:
    """Return the comments in some sections of a document, in order."""
    found: list[tuple[int, Silence]] = []
    for placed in map(document.sections.place_of, signed):
        whole = not placed.start or document.slice(placed.start - 1, placed.start) == "\n"
        found += [
            (placed.start, each)
            for each in find(placed.section)
            if whole or not each.bare or "\n" in placed.section.text[: each.start]
        ]
    found.sort(key=lambda each: each[0] + each[1].end)
    ahead = _stops(document, silencing, [base + each.end for base, each in found if each.of_part])
    size = len(document) + 1
    made = []
    for base, each in found:
        stop = base + each.end if each.unread else None if each.of_file else next(ahead)
        made.append(Reach(base + each.end, size if stop is None else stop, base, each))
    return made


def _stops(document: Document, silencing: Silencing, comments: Sequence[int]) -> Iterator[int | None]:
    """Yield where each comment stops silencing, given the ends of all in order. None is the end of the text."""
    done = 0
    while done < len(comments):
        # the first comments: before the last end, and before the last beginning after an end
        passed = begun = done
        for placed in document.onward(comments[done] - 1):
            for place, ends in silencing.marks(placed.section):
                if not ends:
                    begun = passed
                    continue
                yield from [placed.start + place] * (begun - done)
                done = begun
                while passed < len(comments) and comments[passed] <= placed.start + place:
                    passed += 1
            if done == passed and (passed == len(comments) or comments[passed] > placed.start + placed.section.length):
                break
        else:
            yield from [None] * (len(comments) - done)
            return
