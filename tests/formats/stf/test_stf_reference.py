"""llm-msg-io at its commit 70dba2c, case by case, in the `;` dialect; and its tag v0.2.1 where it differs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from formats.stf.stf_pieces import plain
from llmblocks.stf import decode
from worded import has_words


def _cases() -> list[Any]:
    with (Path(__file__).parent / "reference_cases.jsonl").open(encoding="ascii", newline="\n") as lines:
        return [json.loads(line) for line in lines]


CASES = _cases()
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
        assert has_words(first.message, wording.split("'[object Object]'")[0].removesuffix("."))
