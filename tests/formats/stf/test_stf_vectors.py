"""llm-msg-io at 70dba2c in the `;` dialect: the conformance vectors, and more cases; v0.2.1 where it differs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from formats.stf.stf_pieces import plain
from llmblocks.facts.message import FindingMessage
from llmblocks.stf import decode


def _read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("ascii").split("\n") if line]


VECTOR_LIST = _read(Path(__file__).parents[2] / "vectors" / "stf.dev.jsonl")
CASES = _read(Path(__file__).parent / "reference_cases.jsonl")


def test_there_are_as_many_vectors_as_were_made() -> None:
    assert len(VECTOR_LIST) == 125


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: f"{vector['id']} {vector['name']}")
def test_a_text_decodes_as_the_reference_decodes_it(vector: Any) -> None:
    expected = vector["expected"]
    transcript = decode(vector["input"], **vector["options"])
    if expected["ok"]:
        assert transcript.findings == ()
        assert [plain(message.as_dict()) for message in transcript.messages] == expected["messages"]
        assert transcript.has_metadata == ("metadata" in expected)
        assert plain(transcript.metadata) == expected.get("metadata")
    else:
        error, first = expected["error"], transcript.findings[0]
        assert first.kind == error["kind"]
        # The reference gives no line for some of its errors; ours always do.
        assert first.line == (error["line"] or first.line)
        assert first.line == vector["input"].count("\n", 0, first.start) + 1
        assert _begins(first.message, _wording(error["message"]))


def _wording(message: str) -> str:
    """Return the words of the reference without the place, which ours have elsewhere, and as far as they make sense."""
    message = message.split(": ", 1)[1] if message.startswith(("Line ", "Link ")) else message
    return message.split("'[object Object]'")[0].removesuffix(".")


TOLD = {"args: json5 dup key": ["S206"]}
"""Findings of texts in which the reference silently loses something."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case_is_read_as_the_reference_reads_it(case: Any) -> None:
    transcript = decode(case["input"], dialect=";", **case["options"])
    if "error" not in case:
        assert [finding.code for finding in transcript.findings] == TOLD.get(case["name"], [])
        assert [plain(message.as_dict()) for message in transcript.messages] == case["messages"]
        assert transcript.has_metadata == ("metadata" in case)
        assert plain(transcript.metadata) == case.get("metadata")
        return
    place = re.match(r"Lin[ek] (\d+): ", case["error"])
    wording = case["error"][place.end() :] if place else case["error"]
    first = transcript.findings[0]
    assert first.line == (int(place[1]) if place else first.line)
    if wording.startswith("\n"):
        # Two complaints in one, and about a value that is not a message at all.
        assert first.kind == "schema"
    else:
        assert _begins(first.message, wording.split("'[object Object]'")[0].removesuffix("."))


def _begins(message: FindingMessage, words: str) -> bool:
    """Whether the headline or the note begins with these words of the runtime."""
    return message.headline.startswith(words) or message.note.startswith(words)
