"""llm-msg-io at 70dba2c in the `;` dialect: the conformance vectors, and more cases; v0.2.1 where it differs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from formats.stf.stf_pieces import plain
from llmblocks.stf import Transcript, decode
from worded import has_words


def _read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("ascii").split("\n") if line]


VECTOR_LIST = _read(Path(__file__).parents[2] / "vectors" / "stf.dev.jsonl")
CASES = _read(Path(__file__).parent / "reference_cases.jsonl")


def test_there_are_as_many_vectors_as_were_made() -> None:
    assert len(VECTOR_LIST) == 125


def assert_read(transcript: Transcript, expected: Any) -> None:
    assert [plain(message.as_dict()) for message in transcript.messages] == expected["messages"]
    assert transcript.has_metadata == ("metadata" in expected)
    assert plain(transcript.metadata) == expected.get("metadata")


def assert_stopped(transcript: Transcript, line: Any, wording: str) -> None:
    """Ours always name a line, elsewhere than the reference, whose last words make no sense."""
    first = transcript.findings[0]
    assert first.line == int(line or first.line)
    assert has_words(first.message, wording.split("'[object Object]'")[0].removesuffix("."))


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: f"{vector['id']} {vector['name']}")
def test_a_text_decodes_as_the_reference_decodes_it(vector: Any) -> None:
    transcript, expected = decode(vector["input"], **vector["options"]), vector["expected"]
    if expected["ok"]:
        assert transcript.findings == ()
        assert_read(transcript, expected)
        return
    first, error = transcript.findings[0], expected["error"]
    assert first.kind == error["kind"]
    assert first.line == vector["input"].count("\n", 0, first.start) + 1
    assert_stopped(transcript, error["line"], re.sub(r"^Lin[ek] [^:]*: ", "", error["message"]))


TOLD = {"args: json5 dup key": ["S206"]}
"""Findings of texts in which the reference silently loses something."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case_is_read_as_the_reference_reads_it(case: Any) -> None:
    transcript = decode(case["input"], dialect=";", **case["options"])
    if "error" not in case:
        assert [finding.code for finding in transcript.findings] == TOLD.get(case["name"], [])
        assert_read(transcript, case)
        return
    line, wording = re.fullmatch(r"(?:Lin[ek] (\d+): )?(.*)", case["error"], re.DOTALL).groups()  # type: ignore[union-attr]
    if wording.startswith("\n"):
        # Two complaints in one, and about a value that is not a message at all.
        assert transcript.findings[0].kind == "schema"
        wording = ""
    assert_stopped(transcript, line, wording)
