"""The fixes of single findings that keep their promises, tried on the lines around each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property

from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.checker import checker_of
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixing import Applied, TextReading, suggested
from llmblocks.rules.surroundings import Surroundings, surroundings
from llmblocks.settings.rule_names import BY_CODE

LONGEST = 1 << 20
"""Up to this length, the whole document is read if a part does not suffice."""
_LONGEST_COMMENTED = 1 << 16
Suggest = Callable[[Finding, Ask], Iterable[Fix]]


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
        document, found = self._ask.document, None
        if not (suggest is suggested and BY_CODE[finding.code].whole) and not self._is_commented:
            around = surroundings(document, finding.start, finding.end)
            # alone, it may have another meaning
            if around is not None and around.are((part := self._read(around.text)).ask.document):
                found = self._tried_in(part, around, finding, suggest, most)
                if not found and len(around.text) < len(document):
                    found = None
        if found is None and len(document) <= LONGEST:
            found = self._tried_in(self._read(document.text), None, finding, suggest, most)
        return found or []

    @cached_property
    def _is_commented(self) -> bool:
        """Whether a comment may silence findings far from it."""
        document, check = self._ask.document, checker_of(self._ask.language, self._ask.settings)
        return len(document) <= _LONGEST_COMMENTED and bool(check.signed(document.sections))

    def _tried_in(
        self, reading: TextReading, part: Surroundings | None, finding: Finding, suggest: Suggest, most: int | None
    ) -> list[Fix] | None:
        """Return the fixes that keep their promises in a text; None if names, or a block around its part, decide."""
        start, last = (part.start, part.last) if part is not None else (0, True)
        alone = start == 0 and last
        inside = not alone and self._ask.language.is_inside(self._ask.document.section_at(start).section.before)
        there = finding.moved(-start)
        before = reading.ask.document.end_state
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
