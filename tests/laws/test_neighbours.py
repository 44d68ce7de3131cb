"""Edit equals reparse for facts about neighbours, which look at what the second one holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Role, Symbol
from llmblocks.facts.name_checks import NameCheck, PlacedProblem, forward_check, neighbour_check
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.stf.scanner import StfScanner
from llmblocks.tags.rules import T011_BLANK_BLOCK
from llmblocks.tags.scanner import TagScanner

HEAD: Final[tuple[Role, str]] = ("definition", "head")
HELD: Final[tuple[Role, str]] = ("reference", "held")
MESSAGE: Final[tuple[Role, str]] = ("definition", "message")


def heads(section: Section) -> tuple[Symbol, ...]:
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


def messages(section: Section) -> tuple[Symbol, ...]:
    """Return a message, by its first line. That of the system is a boundary."""
    first, _, _ = section.text.partition("\n")
    if first == "@sys":
        return (Symbol("boundary", "", "", 0, 0),)
    return (Symbol(*MESSAGE, "", 0, len(first)),) if first in ("@user", "@ai") else ()


def same_text(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    """Return a message that says what the one before it says."""
    texts = [place.section.text.partition("\n")[2] for place in (earlier, later)]
    return PlacedProblem(later, {"tag": "x"}) if texts[0] == texts[1] else None


class Subject(NamedTuple):
    """A check, and the lines of the texts that it judges."""

    scanner: Any
    symbols: Callable[[Section], tuple[Symbol, ...]]
    check: NameCheck
    lines: tuple[str, ...]


LINES = ("#\n", "#\n", "x\n", "some words\n", "\n")
EMPTY = partial(forward_check, T011_BLANK_BLOCK, HEAD, ("head", "held"))
SUBJECTS = {
    "a head": Subject(TagScanner(("t",)), heads, EMPTY(partial(holds_nothing, marks_next=False)), LINES),
    "the next head": Subject(TagScanner(("t",)), heads, EMPTY(partial(holds_nothing, marks_next=True)), LINES),
    "a message": Subject(
        StfScanner("@"),
        messages,
        neighbour_check(T011_BLANK_BLOCK, MESSAGE, same_text),
        ("@user\n", "@ai\n", "@sys\n", "word\n", "word\n", "other\n", "\n", "@#\n"),
    ),
}


@pytest.mark.parametrize("name", SUBJECTS)
def test_neighbours_are_judged_again_when_either_differs(name: str) -> None:
    scanner, symbols, check, pieces = SUBJECTS[name]
    texts = st.lists(st.sampled_from(pieces), max_size=20).map("".join)

    def found(document: Document) -> NameFindings:
        rule = NameRule(check, T011_BLANK_BLOCK.severity)
        return NameFindings(document, Index(document.sections, symbols), (rule,))

    @settings(max_examples=examples(200), deadline=None)
    @example(7 * "#\n" + 2 * "some words\n", [(36, 0, "x\n")])
    @example("@user\nword\n@ai\nother\n", [(15, 5, "word")])
    @example("@user\n@sys\n@ai\n", [(6, 5, "")])
    @example("@user\n@user\n", [(1, 5, "")])
    @given(texts, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 6), texts), min_size=1, max_size=6))
    def law(text: str, edits: list[tuple[int, int, str]]) -> None:
        document = Document(scanner, text)
        told = found(document)
        for start, size, new in edits:
            told.note(document.edit(start, start + size, new))
            assert told.findings() == found(Document(scanner, document.text)).findings()

    law()
