"""Edits and cuts do not matter for a fact that is written as a function of a whole construct."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.core import rescan
from llmblocks.core.document import Document
from llmblocks.facts.construct import Part, WholeFact
from llmblocks.facts.finding import Finding
from llmblocks.facts.lines import Lines
from llmblocks.facts.open_construct import ConstructKind
from llmblocks.facts.problem import Problem, facts_together
from llmblocks.gadget.editor import kinds as of_calls
from llmblocks.gadget.editor import layer as gadget_layer
from llmblocks.gadget.editor.pointers import CALLS, VALUES
from llmblocks.gadget.editor.view import call_in
from llmblocks.gadget.rules import MISSING_END_MARKER
from llmblocks.gadget.rules import RULES as RULES_OF_CALLS
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import Settings
from llmblocks.stf.editor import kinds as of_messages
from llmblocks.stf.editor import layer as stf_layer
from llmblocks.stf.editor.lines import COMMANDS
from llmblocks.stf.rules import RULES as RULES_OF_MESSAGES
from llmblocks.stf.rules import UNTERMINATED_BLOCK
from llmblocks.tags.editor import blocks
from llmblocks.tags.rules import BLANK_BLOCK

OWN = Settings(tags=("whole",))
"""No other test has these settings: what judges them is made here."""
CALL = "!!!GADGET_START:A\n!!!GADGET_END\n"
START, ARG, END = "!!!GADGET_START:A\n", "!!!ARG:p\n", "!!!GADGET_END\n"
BLOCKS = ("<whole>", "<whole>", "</whole>", "a", "aa", "b ", "\n", "@user\n", CALL, "<whole>\naaa\n</whole>\n")


class Written(NamedTuple):
    """A construct as it is written."""

    start: int
    text: str


def calls(lines: Lines) -> Sequence[Written]:
    call = call_in(lines)
    return () if call is None else (Written(call.start, lines.slice(call.start, call.end)),)


def values(lines: Lines) -> Sequence[Written]:
    found: list[Written] = []
    for kind, start, end in lines.spans():
        if kind is of_calls.ARG:
            found.append(Written(start, ""))
        elif kind is of_calls.VALUE and found:
            found[-1] = found[-1]._replace(text=found[-1].text + lines.slice(start, end))
    return found


def commands(lines: Lines) -> Sequence[Written]:
    found: list[Written] = []
    is_open = False
    for kind, start, end in lines.spans():
        if kind in of_messages.NAMES:
            is_open = kind in (of_messages.BLOCK_NAME, of_messages.RAW_NAME)
            found += [Written(start, "")] * (is_open or kind is of_messages.LINE_NAME)
        elif kind is of_messages.BODY and is_open:
            found[-1] = found[-1]._replace(text=found[-1].text + lines.slice(start, end))
    return found


def holds_three(block: Part) -> Iterator[Problem]:
    if "".join([block.text[start:end] for _, start, end in block.inside]).count("a") > 2:
        yield Problem(BLANK_BLOCK, block.start, block.end, block.data)


def test_a_fact_of_a_block_is_found_however_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    fact = WholeFact(blocks.BLOCKS, blocks.begun_in, holds_three, 1 << 16)
    monkeypatch.setattr(blocks, "FACTS", (fact,))
    check = law(
        "stf", OWN, BLOCKS, [("<whole>aaa", []), ("@user\n<whole>\naa\n\n\n\n\n\n", [(20, 0, "a")])], monkeypatch
    )
    assert BLANK_BLOCK.code in [each.code for each in check("<whole>aaa")]


@pytest.mark.parametrize(
    ("language", "layer", "rules", "kind", "views", "pieces", "found"),
    [
        ("gadget", gadget_layer, RULES_OF_CALLS, CALLS, calls, (START, ARG, END, "aa\n", "a", "\n"), START + "aaa"),
        (
            "gadget",
            gadget_layer,
            RULES_OF_CALLS,
            VALUES,
            values,
            (START, ARG, END, "aa\n", "a", "\n"),
            START + ARG + "aaa",
        ),
        (
            "stf",
            stf_layer,
            RULES_OF_MESSAGES,
            COMMANDS,
            commands,
            ("@user\n", "@raw\n", "@end\n", "@call\n", "@@", "@# a\n", "aa\n", "a", "\n", CALL),
            "@raw\naaa",
        ),
    ],
    ids=["calls", "values", "commands"],
)
def test_a_fact_of_any_construct_is_found_however_it_is_stored(
    language: str,
    layer: Any,
    rules: Any,
    kind: ConstructKind[Any],
    views: Callable[[Lines], Sequence[Written]],
    pieces: Sequence[str],
    found: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule = UNTERMINATED_BLOCK if language == "stf" else MISSING_END_MARKER

    def judge(view: Written) -> Iterator[Problem]:
        if view.text.count("a") > 2:
            yield Problem(rule, view.start, view.start + 1, {"marker": "three", "name": "three", "header": "three"})

    fact, facts = WholeFact(kind, views, judge, 1 << 16), layer.facts
    monkeypatch.setattr(layer, "facts", lambda *given: facts_together(rules, facts(*given), fact))
    check = law(language, Settings(tags=("whole", kind.name.replace(" ", "-"))), pieces, [(found, [])], monkeypatch)
    assert any("three" in str(each.message) for each in check(found))


def law(
    name: str, own: Settings, pieces: Sequence[str], tried: Sequence[tuple[str, list[Any]]], patch: pytest.MonkeyPatch
) -> Callable[[str], list[Finding]]:
    """Compare the findings after edits with those of the same text, opened in small and in large pieces."""
    language = find_language(name)
    check = Checker(language, own)
    texts = st.lists(st.sampled_from(pieces), max_size=25).map("".join)

    def opened(text: str) -> Document:
        return language.open(text, own, check.count_findings)

    @settings(max_examples=examples(400), deadline=None)
    @given(texts, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 6), texts), max_size=4))
    def holds(text: str, edits: list[tuple[int, int, str]]) -> None:
        found = []
        for size in (8, 8192):
            patch.setattr(rescan, "PIECE", size)
            document = opened(text)
            for start, length, new in edits:
                document.edit(start, start + length, new)
            fresh = opened(document.text)
            found.append([*check.all(document)])
            assert found[-1] == [*check.all(fresh)]
            assert document.sections.finding_count == fresh.sections.finding_count
        assert found[0] == found[1]

    for text, edits in tried:
        holds = example(text, edits)(holds)
    holds()
    return lambda text: [*check.all(opened(text))]
