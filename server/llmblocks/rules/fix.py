"""Fixes: edits that remove a finding, and the values that a program should read after them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.rules.expected import SAME, Expected, spelt


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


def changing(expect: Callable[..., Expected], title: str, *edits: Edit) -> Fix:
    """Return a fix that expects the effect of its own edits."""
    return Fix(title, edits, expect(*edits))


def rewriting(
    finding: Finding,
    text: str,
    title: str,
    expected: Expected | None = None,
    *,
    safe: bool = False,
    uncovers: tuple[int, int] | None = None,
) -> Fix:
    """Return the fix that writes another text in place of a finding, by default as another value."""
    edit = Edit(finding.start, finding.end, text)
    return Fix(title, (edit,), spelt(finding, text) if expected is None else expected, safe, uncovers)
