"""The silenced codes, with the comment that hides each finding."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from llmblocks.facts.silence import SilencedCode
from llmblocks.rules.reaches import Reach
from llmblocks.settings.rule_names import code_of


class SilencingPart(NamedTuple):
    """One code of a comment, or all of a comment without codes."""

    number: int
    """The index of the comment."""
    written: SilencedCode | None


class SilencedCodes:
    """The codes and prefixes of codes that comments silence. `reaches` are in the order of their starts."""

    __slots__ = ("_of_file", "_parts", "_reaches", "_starts")

    def __init__(self, reaches: Sequence[Reach]) -> None:
        self._reaches = reaches
        self._parts: dict[str, list[SilencingPart]] = {}
        self._starts: dict[str, list[int]] = {}
        self._of_file: dict[str, SilencingPart] = {}
        for number, reach in enumerate(reaches):
            self._take(number, reach)

    def at(self, code: str, at: int) -> SilencingPart | None:
        """Return the comment that silences a finding: the nearest one before it, or else one for the whole text."""
        best: SilencingPart | None = None
        for length in range(len(code) + 1):
            starts = self._starts.get(code[:length])
            # a later comment extends at least as far as an earlier one
            index = bisect_left(starts, at + 1) - 1 if starts else -1
            if index >= 0:
                part = self._parts[code[:length]][index]
                if at < self._reaches[part.number].end and (best is None or part.number >= best.number):
                    best = part
        return self.of_file(code) if best is None else best

    def of_file(self, code: str) -> SilencingPart | None:
        """Return the comment for the whole text that silences a code."""
        if not self._of_file:
            return None
        return next(
            (self._of_file[code[:end]] for end in range(len(code), -1, -1) if code[:end] in self._of_file), None
        )

    def _take(self, number: int, reach: Reach) -> None:
        silence = reach.silence
        if silence.unread:
            return
        for written in silence.codes or (None,):
            code = "" if written is None else code_of(written.text)
            if code is None:
                continue
            part = SilencingPart(number, written)
            if silence.of_file:
                self._of_file.setdefault(code, part)
            else:
                self._parts.setdefault(code, []).append(part)
                self._starts.setdefault(code, []).append(reach.start)
