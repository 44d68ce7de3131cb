"""The comments of a document that silence findings, how far each reaches, and those that are unused."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.places import order
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.facts.silence import Silence, SilencedCode, Silencing
from llmblocks.settings.rule_names import NAMES, code_of, nearest
from llmblocks.settings.rules import C010_UNUSED_IGNORE, C011_UNKNOWN_IGNORE

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
    document: Document, silencing: Silencing, signed: Iterable[Section], find: Callable[[Section], Iterable[Silence]]
) -> list[Reach]:
    """Return the comments in some sections of a document, in order."""
    places = map(document.sections.place_of, signed)
    found = [(placed.start, each) for placed in places for each in find(placed.section)]
    found.sort(key=lambda each: each[0] + each[1].end)
    ahead = _stops(document, silencing, [base + each.end for base, each in found if not (each.of_file or each.unread)])
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


_SilencingPart = tuple[int, SilencedCode | None]
"""The index of a comment, and one code of it, or None for all of a comment without codes."""


class Silences:
    """A filter over the findings of a document, given their codes and places, and the sections with comments."""

    def __init__(
        self,
        document: Document,
        silencing: Silencing,
        signed: Iterable[Section],
        comments: Callable[[Section], Iterable[Silence]],
        found: Iterable[tuple[str, int]],
        off: Collection[str],
        severities: Mapping[Rule, Severity],
    ) -> None:
        self._reaches = reaches(document, silencing, signed, comments)
        self._off = off
        # by code, or the beginning of codes: of the whole text the first, of others all with their starts
        self._of_file: dict[str, _SilencingPart] = {}
        self._parts: dict[str, tuple[list[int], list[_SilencingPart]]] = {}
        for number, reach in enumerate(self._reaches):
            for written in () if reach.silence.unread else reach.silence.codes or (None,):
                code, part = "" if written is None else code_of(written.text), (number, written)
                if code is not None and reach.silence.of_file:
                    self._of_file.setdefault(code, part)
                elif code is not None:
                    starts, parts = self._parts.setdefault(code, ([], []))
                    starts.append(reach.start)
                    parts.append(part)
        used = [each for code, at in found if (each := self._at(code, at)) is not None]
        self._uses = {*used}
        self.hidden = len(used)
        """The number of silenced findings."""
        own = [
            problem.finding(severities[problem.rule]).moved(reach.base)
            for number, reach in enumerate(self._reaches)
            for problem in self._problems(number, reach.silence)
            if problem.rule in severities
        ]
        self.findings = sorted(own, key=order)
        """The findings about comments in order. Places count from the start of the document."""

    def hides(self, code: str, at: int) -> bool:
        """Return whether a finding with this code at a place is silenced."""
        return self._at(code, at) is not None

    def _at(self, code: str, at: int) -> _SilencingPart | None:
        """Return the comment that silences a finding: the nearest one before it, or else one for the whole text."""
        found: list[_SilencingPart] = []
        of_file: _SilencingPart | None = None
        for length in range(len(code) + 1):
            starts, parts = self._parts.get(code[:length], ([], []))
            # a later comment extends at least as far as an earlier one
            index = bisect_right(starts, at) - 1
            if index >= 0 and at < self._reaches[parts[index][0]].end:
                found.append(parts[index])
            of_file = self._of_file.get(code[:length], of_file)
        return max(reversed(found), key=lambda part: part[0], default=of_file)

    def _problems(self, number: int, silence: Silence) -> Iterator[Problem]:
        place = (silence.start, silence.end)
        if silence.unread:
            yield Problem(C011_UNKNOWN_IGNORE, *place, {"case": "form", "text": silence.unread, "near": silence.remedy})
            return
        known = [(each, code_of(each.text)) for each in silence.codes]
        unused = [each for each, code in known if code is not None and self._is_unused(number, each, code)]
        for each, code in known:
            if code is None:
                data = {"text": each.text, "near": nearest(each.text)}
                yield Problem(C011_UNKNOWN_IGNORE, each.start, each.end, data)
        if len(unused) == len(known) and (known or (number, None) not in self._uses):
            yield Problem(C010_UNUSED_IGNORE, *place, {"comment": place})
            return
        for each in unused:
            yield Problem(C010_UNUSED_IGNORE, each.start, each.end, {"case": "code", "text": each.text})

    def _is_unused(self, number: int, written: SilencedCode, code: str) -> bool:
        """Return whether a code silences nothing, although a rule that it names is on."""
        is_on = any(each.startswith(code) for each in NAMES if each not in self._off)
        return is_on and (number, written) not in self._uses
