"""Our stream on the answers of llmist: those recorded of 18.4.0, and those of now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from formats.gadget.gadget_cases import arguments, hand_written
from formats.gadget.gadget_model import differences, ours
from formats.gadget.gadget_pieces import chunkings, documents, texts
from formats.gadget.llmist_peer import run_llmist, without_repeats
from llmblocks.gadget.call import read_body
from llmblocks.gadget.running.schema import ParameterSchema

VECTORS = Path(__file__).resolve().parents[2] / "vectors"

# zod types that leave no trace in the JSON Schema: a bigint becomes {}, an intersection of objects one object.
LOST_IN_JSON_SCHEMA = {
    "schema: value 'true' for string/number/boolean/any/int/enum/union": "bi",
    "schema: value '+5' for string/number/boolean/any/int/enum/union": "bi",
    "schema: intersection of objects": "u",
}
OTHER_MARKERS = [
    {"startPrefix": "<call>", "endPrefix": "</call>", "argPrefix": "<p>"},
    {"startPrefix": "[[", "endPrefix": "]]", "argPrefix": "~"},
    {"startPrefix": "@@", "endPrefix": "!!!GADGET_END", "argPrefix": "!!!ARG:"},
]


def recorded(file: str) -> list[dict[str, Any]]:
    with (VECTORS / file).open(encoding="ascii", newline="\n") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("file", ["llmist.dev.jsonl", "llmist.regenerated.jsonl"])
def test_the_stream_says_what_llmist_said(file: str) -> None:
    wrong = {}
    for case in recorded(file):
        found = differences(case, case.get("expected_fixed", case["expected"]))
        if found:
            wrong[case["name"]] = found
    assert wrong == {}


def test_a_schema_types_the_parameters_as_llmists_executor_does() -> None:
    compared = 0
    for case in recorded("llmist.dev.jsonl"):
        if "jsonSchema" not in case["options"]:
            continue
        schema = ParameterSchema(case["options"]["jsonSchema"])
        for event in case["expected"]["events"]:
            if event["type"] == "gadget_call" and event["call"]["parameters"] is not None:
                expected = dict(event["call"]["schemaParameters"])
                got, problems = read_body(event["call"]["parametersRaw"], "!!!ARG:").decoded(schema.expected)
                assert got is not None
                assert problems == ()
                lost = LOST_IN_JSON_SCHEMA.get(case["name"])
                if lost is not None:
                    assert got.pop(lost) != expected.pop(lost)
                assert got == expected, case["name"]
                compared += 1
    assert compared >= 10


def test_the_recorded_answers_are_still_llmists() -> None:
    cases = recorded("llmist.regenerated.jsonl")
    assert [case["name"] for case in cases] == [case["name"] for case in hand_written()]
    for case, result in zip(cases, run_llmist(cases), strict=True):
        fixed = without_repeats(result)
        assert (case["expected"]["events"], case["expected"]["at"]) == (fixed["events"], fixed["at"]), case["name"]


@given(st.data())
@settings(max_examples=examples(1500))
def test_generated_documents_in_random_chunks_are_as_llmist_has_them(data: st.DataObject) -> None:
    text = data.draw(st.one_of(documents, documents, texts)).encode("utf-16", "replace").decode("utf-16")
    options = data.draw(st.sampled_from([{}, {}, {}, *OTHER_MARKERS]))
    for marker, name in (("START:", "startPrefix"), ("END", "endPrefix")):
        text = text.replace(f"!!!GADGET_{marker}", options.get(name, f"!!!GADGET_{marker}"))
    text = text.replace("!!!ARG:", options.get("argPrefix", "!!!ARG:"))
    case = {"chunks": data.draw(chunkings(text)), "options": options}
    (result,) = run_llmist([case])
    assert differences(case, without_repeats(result)) == []


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
