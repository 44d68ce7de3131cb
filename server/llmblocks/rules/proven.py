"""The fixes of single findings that keep their promises, tried on the lines around each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.checker import checker_of
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixing import Applied, TextReading, suggested
from llmblocks.rules.surroundings import surroundings
from llmblocks.settings.rule_names import BY_CODE

LONGEST = 1 << 20
"""Up to this length, the whole document is read if a part does not suffice."""
_LONGEST_COMMENTED = 1 << 16
Suggest = Callable[[Finding, Ask], Iterable[Fix]]


class _Part(NamedTuple):
    """Some sections, read as a separate text."""

    reading: TextReading
    start: int
    last: bool
    """Whether nothing follows them."""
    inside: bool
    """Whether their free text belongs to a block before them."""


class Prover:
    """Tries the fixes of a document, at most on `most` characters. `read` may cache: a section is tried in turn."""

    def __init__(self, ask: Ask, read: Callable[[str], TextReading], most: float = math.inf) -> None:
        self._ask = ask
        self._read = read
        self._left = most

    def fixes(self, finding: Finding, suggest: Suggest = suggested, most: int | None = None) -> list[Fix]:
        """Return the fixes of a finding that keep their promises, or the first of them."""
        if self._left <= 0:
            return []
        document = self._ask.document
        whole = (suggest is suggested and BY_CODE[finding.code].whole) or self._is_commented
        part = None if whole else self._part(finding)
        found = None if part is None else self._tried_in(part, finding, suggest, most)
        if found is None or (not found and part is not None and len(part.reading.text) < len(document)):
            if len(document) > LONGEST:
                return []
            found = self._tried_in(_Part(self._read(document.text), 0, True, False), finding, suggest, most)
        return found or []

    @cached_property
    def _is_commented(self) -> bool:
        """Whether a comment may silence findings far from it."""
        document, check = self._ask.document, checker_of(self._ask.language, self._ask.settings)
        return len(document) <= _LONGEST_COMMENTED and bool(check.signed(document.sections))

    def _part(self, finding: Finding) -> _Part | None:
        """Return the sections around a finding; None if they have another meaning alone."""
        document = self._ask.document
        around = surroundings(document, finding.start, finding.end)
        if around is None:
            return None
        reading = self._read(around.text)
        if not around.are(reading.ask.document):
            return None
        inside = self._ask.language.is_inside(document.section_at(around.start).section.before)
        return _Part(reading, around.start, around.last, inside)

    def _tried_in(self, part: _Part, finding: Finding, suggest: Suggest, most: int | None) -> list[Fix] | None:
        """Return the fixes that keep their promises in a part; None if names, or a block around it, decide."""
        reading, start, last, inside = part
        there = finding.moved(-start)
        before = reading.ask.document.end_state
        alone = start == 0 and last
        found: list[Fix] = []
        # its own values are computed by the first try
        cost = 2 * len(reading.text)
        for each in suggest(there, reading.ask):
            if self._left <= 0 or len(found) == most:
                break
            self._left -= cost
            cost = len(reading.text)
            new = reading.after([Applied(there, each)])
            if new is None or not (last or new.ask.document.end_state == before):
                continue
            if not alone and (_names(new) != _names(reading) or (inside and new.free_text != reading.free_text)):
                return None
            found.append(
                Fix(each.title, (*[edit.moved(start) for edit in each.edits],), safe=each.safe, stops=each.stops)
            )
        return found


def _names(reading: TextReading) -> list[tuple[str, str, str]]:
    """Return the names in a text, which rules may compare with those around it."""
    symbols = reading.ask.language.symbols
    return [
        (symbol.role, symbol.kind, symbol.name)
        for section in reading.ask.document.sections
        for symbol in symbols(section)
    ]
