"""Our stream against the real llmist, run now."""

from __future__ import annotations

import random
from typing import Any

import pytest

from examples import examples
from formats.gadget.gadget_cases import arguments, hand_written
from formats.gadget.gadget_model import differences, ours
from formats.gadget.gadget_pieces import document, soup, split
from formats.gadget.llmist_peer import run_llmist, without_repeats
from formats.gadget.test_gadget_vectors import recorded

OTHER_MARKERS = [
    {"startPrefix": "<call>", "endPrefix": "</call>", "argPrefix": "<p>"},
    {"startPrefix": "[[", "endPrefix": "]]", "argPrefix": "~"},
    {"startPrefix": "@@", "endPrefix": "!!!GADGET_END", "argPrefix": "!!!ARG:"},
]


def test_the_recorded_answers_are_still_llmists() -> None:
    cases = recorded("llmist.regenerated.jsonl")
    assert [case["name"] for case in cases] == [case["name"] for case in hand_written()]
    for case, result in zip(cases, run_llmist(cases), strict=True):
        fixed = without_repeats(result)
        assert (case["expected"]["events"], case["expected"]["at"]) == (fixed["events"], fixed["at"]), case["name"]


@pytest.mark.parametrize("batch", range(3))
def test_generated_documents_in_random_chunks_are_as_llmist_has_them(batch: int) -> None:
    cases: list[dict[str, Any]] = []
    for number in range(examples(500)):
        chance = random.Random(batch * 1000 + number)
        text = document(chance) if number % 3 else soup(chance)
        options: dict[str, str] = {}
        if number % 7 == 0:
            options = chance.choice(OTHER_MARKERS)
            text = text.replace("!!!GADGET_START:", options["startPrefix"])
            text = text.replace("!!!GADGET_END", options["endPrefix"]).replace("!!!ARG:", options["argPrefix"])
        cases.append({"chunks": split(chance, text), "options": options})
    for case, result in zip(cases, run_llmist(cases), strict=True):
        assert differences(case, without_repeats(result)) == [], case


@pytest.mark.parametrize(
    "pointer", ["__proto__/x", "constructor/x", "constructor/prototype/x", "toString/x", "a/__proto__/x", "a/valueOf/x"]
)
def test_llmist_writes_into_its_runtime_and_we_refuse(pointer: str) -> None:
    case = {"chunks": [arguments(("a/b", "1"), (pointer, "2"))], "options": {}}
    (result,) = run_llmist([case])
    assert result["polluted"] == ["x"]
    assert result["events"][-1]["call"]["parseError"] is None
    (call,) = ours(case).calls
    assert call.facts["errorKind"] == "unsafe_pointer"
    assert call.facts["parseError"].startswith(f"Unsafe pointer: {pointer}")
    assert call.facts["parameters"] is None
