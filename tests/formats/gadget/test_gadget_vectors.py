"""Our stream on the recorded answers of llmist 18.4.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.gadget.gadget_model import differences
from llmblocks.gadget.call import read_body
from llmblocks.gadget.running.schema import ParameterSchema

VECTORS = Path(__file__).resolve().parents[2] / "vectors"

# zod types that leave no trace in the JSON Schema: a bigint becomes {}, an intersection of objects one object.
LOST_IN_JSON_SCHEMA = {
    "schema: value 'true' for string/number/boolean/any/int/enum/union": "bi",
    "schema: value '+5' for string/number/boolean/any/int/enum/union": "bi",
    "schema: intersection of objects": "u",
}


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
