"""Fixes: edits that remove a finding, and the values that a program should read after them."""

from __future__ import annotations

from dataclasses import dataclass

from llmblocks.core.edits import Edit
from llmblocks.rules.expected import SAME, Expected


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to remove a finding.

    Shape: `title` describes it in the imperative; `edits` are in order and do not touch. A program reads the
           `expected` values after it. It is `safe` if they are the same, and the text can have no other meaning; or if
           it removes an argument that keeps a call from running and repeats another one. In the stretch that it
           `uncovers`, other problems may be found: no rule could judge it before. `stops` are the
           stretches of the text of the last edit that a person is likely to change.
    """

    title: str
    edits: tuple[Edit, ...]
    expected: Expected = SAME
    safe: bool = False
    uncovers: tuple[int, int] | None = None
    stops: tuple[tuple[int, int], ...] = ()

    @property
    def start(self) -> int:
        return self.edits[0].start

    @property
    def end(self) -> int:
        return self.edits[-1].end
