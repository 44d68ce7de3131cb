"""Edits and cuts do not matter for a fact that is written as a function of a block."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.core import rescan
from llmblocks.core.document import Document
from llmblocks.facts.construct import Part, WholeFact
from llmblocks.facts.problem import Problem
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import Settings
from llmblocks.tags.editor import blocks
from llmblocks.tags.rules import BLANK_BLOCK

OWN = Settings(tags=("whole",))
"""No other test has these settings: what judges them is made here."""
CALL = "!!!GADGET_START:A\n!!!GADGET_END\n"
texts = st.lists(
    st.sampled_from(
        ("<whole>", "<whole>", "</whole>", "a", "aa", "b ", "\n", "@user\n", CALL, "<whole>\naaa\n</whole>\n")
    ),
    max_size=25,
).map("".join)


def holds_three(block: Part) -> Iterator[Problem]:
    if "".join([block.text[start:end] for _, start, end in block.inside]).count("a") > 2:
        yield Problem(BLANK_BLOCK, block.start, block.end, block.data)


def test_a_fact_of_a_block_is_found_however_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    fact = WholeFact(blocks.BLOCKS, blocks.begun_in, holds_three, 1 << 16)
    monkeypatch.setattr(blocks, "FACTS", (fact,))
    language = find_language("stf")
    check = Checker(language, OWN)

    def opened(text: str) -> Document:
        return language.open(text, OWN, check.count_findings)

    @settings(max_examples=examples(400), deadline=None)
    @given(texts, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 6), texts), max_size=4))
    @example("<whole>aaa", [])
    @example("@user\n<whole>\naa\n\n\n\n\n\n", [(20, 0, "a")])
    def law(text: str, edits: list[tuple[int, int, str]]) -> None:
        found = []
        for size in (8, 8192):
            monkeypatch.setattr(rescan, "PIECE", size)
            document = opened(text)
            for start, length, new in edits:
                document.edit(start, start + length, new)
            fresh = opened(document.text)
            found.append([*check.all(document)])
            assert found[-1] == [*check.all(fresh)]
            assert document.sections.finding_count == fresh.sections.finding_count
        assert found[0] == found[1]

    law()
    assert [each.code for each in check.all(opened("<whole>aaa")) if each.code == BLANK_BLOCK.code]
