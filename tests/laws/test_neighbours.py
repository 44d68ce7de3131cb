"""Edit equals reparse for a fact about two neighbours, which looks at what the second one holds."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.core.symbol import Role, Symbol
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.facts.name_checks import PlacedProblem, forward_check
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.tags.rules import BLANK_BLOCK
from llmblocks.tags.scanner import TagScanner

HEAD: Final[tuple[Role, str]] = ("definition", "head")
HELD: Final[tuple[Role, str]] = ("reference", "held")


def symbols(section: Section) -> tuple[Symbol, ...]:
    """A line that begins with `#` is a head, one that begins with `x` is held by the head before it."""
    return tuple(
        Symbol(*(HEAD if found[0] == "#" else HELD), found[0], *found.span())
        for found in re.finditer("^[#x]", section.text, re.MULTILINE)
    )


def both_empty(index: Index, head: PlacedSymbol, *, marks_second: bool) -> PlacedProblem | None:
    number, heads = index.count_before(*HEAD, head), index.count(*HEAD)
    behind = [index.nth(*HEAD, each) for each in range(number + 1, min(number + 3, heads))]
    held = [index.count_before(*HELD, each) for each in (head, *behind)]
    held += [index.count(*HELD)] * (len(behind) == 1)
    return PlacedProblem(behind[0] if marks_second else head, {"tag": "x"}) if behind and len({*held}) == 1 else None


RULES = {
    marks_second: NameRule(
        forward_check(BLANK_BLOCK, HEAD, ("head", "held"), partial(both_empty, marks_second=marks_second), over=1),
        BLANK_BLOCK.severity,
    )
    for marks_second in (False, True)
}
lines = st.lists(st.sampled_from(("#\n", "#\n", "x\n", "some words\n", "\n")), max_size=24).map("".join)


def findings(document: Document, rule: NameRule) -> NameFindings:
    return NameFindings(document, Index(document.sections, symbols), (rule,))


@pytest.mark.parametrize("marks_second", RULES)
def test_two_neighbours_that_hold_nothing_are_found_after_any_edits(marks_second: bool) -> None:
    @settings(max_examples=examples(200), deadline=None)
    @example(7 * "#\n" + 2 * "some words\n", [(36, 0, "x\n")])
    @given(lines, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 6), lines), min_size=1, max_size=6))
    def law(text: str, edits: list[tuple[int, int, str]]) -> None:
        document = Document(TagScanner(("t",)), text)
        found = findings(document, RULES[marks_second])
        for start, size, new in edits:
            found.note(document.edit(start, start + size, new))
            fresh = Document(TagScanner(("t",)), document.text)
            assert found.findings() == findings(fresh, RULES[marks_second]).findings()

    law()
