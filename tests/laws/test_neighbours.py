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
from llmblocks.core.symbol import PlacedSymbol, Role, Symbol
from llmblocks.facts.name_checks import PlacedProblem, forward_check, neighbour_check
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.stf.scanner import StfScanner
from llmblocks.tags.rules import T011_BLANK_BLOCK
from llmblocks.tags.scanner import TagScanner

HEAD: Final[tuple[Role, str]] = ("definition", "head")
HELD: Final[tuple[Role, str]] = ("reference", "held")


def symbols(section: Section) -> tuple[Symbol, ...]:
    """Return a line that begins with `#` is a head, one that begins with `x` is held by the head before it."""
    return tuple(
        Symbol(*(HEAD if found[0] == "#" else HELD), found[0], *found.span())
        for found in re.finditer("^[#x]", section.text, re.MULTILINE)
    )


def holds_nothing(index: Index, head: PlacedSymbol, *, marks_next: bool) -> PlacedProblem | None:
    number = index.count_before(*HEAD, head) + 1
    if number == index.count(*HEAD):
        return None
    following = index.nth(*HEAD, number)
    is_empty = index.count_before(*HELD, head) == index.count_before(*HELD, following)
    return PlacedProblem(following if marks_next else head, {"tag": "x"}) if is_empty else None


RULES = {
    marks_next: NameRule(
        forward_check(T011_BLANK_BLOCK, HEAD, ("head", "held"), partial(holds_nothing, marks_next=marks_next)),
        T011_BLANK_BLOCK.severity,
    )
    for marks_next in (False, True)
}
lines = st.lists(st.sampled_from(("#\n", "#\n", "x\n", "some words\n", "\n")), max_size=24).map("".join)


def findings(document: Document, rule: NameRule) -> NameFindings:
    return NameFindings(document, Index(document.sections, symbols), (rule,))


@pytest.mark.parametrize("marks_next", RULES)
def test_a_head_that_holds_nothing_up_to_the_next_is_found_after_any_edits(marks_next: bool) -> None:
    @settings(max_examples=examples(200), deadline=None)
    @example(7 * "#\n" + 2 * "some words\n", [(36, 0, "x\n")])
    @given(lines, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 6), lines), min_size=1, max_size=6))
    def law(text: str, edits: list[tuple[int, int, str]]) -> None:
        document = Document(TagScanner(("t",)), text)
        found = findings(document, RULES[marks_next])
        for start, size, new in edits:
            found.note(document.edit(start, start + size, new))
            fresh = Document(TagScanner(("t",)), document.text)
            assert found.findings() == findings(fresh, RULES[marks_next]).findings()

    law()


MESSAGE: Final[tuple[Role, str]] = ("definition", "message")
messages = st.lists(
    st.sampled_from(("@user\n", "@ai\n", "@sys\n", "word\n", "word\n", "other\n", "\n", "@#\n")), max_size=16
).map("".join)


def messages_of(section: Section) -> tuple[Symbol, ...]:
    """Return a message, by its first line. That of the system is a boundary."""
    first, _, _ = section.text.partition("\n")
    if first == "@sys":
        return (Symbol("boundary", "", "", 0, 0),)
    return (Symbol(*MESSAGE, "", 0, len(first)),) if first in ("@user", "@ai") else ()


def same_text(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    """Return a message that says what the one before it says."""
    texts = [place.section.text.partition("\n")[2] for place in (earlier, later)]
    return PlacedProblem(later, {"tag": "x"}) if texts[0] == texts[1] else None


SAME: Final = NameRule(neighbour_check(T011_BLANK_BLOCK, MESSAGE, same_text), T011_BLANK_BLOCK.severity)


def naive(text: str) -> list[int]:
    """Return the starts of the messages that say what the one before them says."""
    found: list[int] = []
    before: str | None = None
    for part in re.finditer(r"^@(user|ai|sys)\n((?:(?!@(?:user|ai|sys)\n).*\n)*)", text, re.MULTILINE):
        if part[1] == "sys":
            before = None
            continue
        if part[2] == before:
            found.append(part.start())
        before = part[2]
    return found


@settings(max_examples=examples(200), deadline=None)
@example("@user\nword\n@ai\nother\n", [(15, 5, "word")])
@example("@user\n@sys\n@ai\n", [(6, 5, "")])
@example("@user\n@user\n", [(1, 5, "")])
@given(messages, st.lists(st.tuples(st.integers(0, 90), st.integers(0, 6), messages), min_size=1, max_size=6))
def test_a_neighbour_is_judged_again_when_either_differs(text: str, edits: list[tuple[int, int, str]]) -> None:
    document = Document(StfScanner("@"), text)
    found = NameFindings(document, Index(document.sections, messages_of), (SAME,))
    for start, size, new in edits:
        found.note(document.edit(start, start + size, new))
        fresh = Document(StfScanner("@"), document.text)
        told = NameFindings(fresh, Index(fresh.sections, messages_of), (SAME,)).findings()
        assert found.findings() == told
        if all(line in ("@user", "@ai", "@sys", "word", "other", "", "@#") for line in document.text.split("\n")):
            assert [each.start for each in told] == naive(document.text)
