"""Fixes: edits that remove a finding, and the values that a program should read after them."""

from __future__ import annotations

from dataclasses import dataclass

from llmblocks.core.edits import Edit
from llmblocks.rules.expected import SAME, Expected


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to remove a finding."""

    title: str
    """Describes it in the imperative."""
    edits: tuple[Edit, ...]
    """Ordered edits that do not touch."""
    expected: Expected = SAME
    safe: bool = False
    """Whether it does not affect the values for a program, and the text can have no other meaning; or whether it
    removes an argument that keeps a call from running and repeats another one.
    """
    uncovers: tuple[int, int] | None = None
    """The stretch in which other problems may appear, because no rule could check it before."""
    stops: tuple[tuple[int, int], ...] = ()
    """The stretches of the last edit's text that a person is likely to change."""

    @property
    def start(self) -> int:
        return self.edits[0].start

    @property
    def end(self) -> int:
        return self.edits[-1].end
