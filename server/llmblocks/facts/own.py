"""The results of the functions that the rules of a team are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from llmblocks.core.places import Related
from llmblocks.facts.rule import NO_DATA


class Spot(NamedTuple):
    """A place that a rule reports.

    `start` and `end` are code points from the start of the section, also those of `related`; `data` are the words in
    braces of the rule's message.
    """

    start: int
    end: int
    data: Mapping[str, object] = NO_DATA
    related: tuple[Related, ...] = ()


class Repair(NamedTuple):
    """A way to remove a finding.

    `title` describes it in the imperative. `edits` are stretches of the text, in order, each with its new text. One
    that is `safe` is not made if it changes a value that a program reads.
    """

    title: str
    edits: Sequence[tuple[int, int, str]]
    safe: bool = False
