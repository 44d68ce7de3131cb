"""`<think>` as reasoning, compared with `thinkTagTransform` of agentick 1.0.0-next.165: recorded streams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from formats.tags.tag_pieces import chunks
from llmblocks.tags import Accumulator, ReasoningDelta, TextDelta, ThinkTags, ToolCallStart

CASES = [json.loads(line) for line in (Path(__file__).parent / "reference_think.jsonl").read_text("ascii").splitlines()]


def routed(pieces: list[str], transform: ThinkTags | None = None) -> list[list[str]]:
    transform = transform or ThinkTags()
    deltas = [each for piece in pieces for each in transform.process(TextDelta(piece))] + transform.flush()
    return [["reasoning" if isinstance(each, ReasoningDelta) else "text", each.delta] for each in deltas]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "".join(case["chunks"])[:30])
def test_a_stream_is_routed_as_the_reference_routes_it(case: Any) -> None:
    found, recorded = routed(case["chunks"]), case["deltas"]
    assert found[: len(recorded)] == recorded
    # the reference loses the half of a tag at the end of a block that nothing closes
    for kind, text in found[len(recorded) :]:
        assert kind == "reasoning"
        assert text.startswith("<")
        assert "".join(case["chunks"]).endswith(text)


def test_there_are_streams_with_a_half_of_a_tag_at_their_end() -> None:
    assert sum(len(routed(case["chunks"])) > len(case["deltas"]) for case in CASES) == 5


@given(chunks())
def test_nothing_but_tags_is_lost(pieces: list[str]) -> None:
    found = routed(pieces)
    whole = routed(["".join(pieces)])
    for kind in ("text", "reasoning"):
        assert "".join(text for of, text in found if of == kind) == "".join(text for of, text in whole if of == kind)


def test_other_tags_and_other_deltas() -> None:
    transform = ThinkTags(("thinking", "reason"))
    start = ToolCallStart("1", "add")
    assert transform.process(start) == [start]
    text = "<thinking a=1>one</thinking><think>two</think><reason/><reason>three"
    assert routed([text], transform) == [["reasoning", "one"], ["text", "<think>two</think>"], ["reasoning", "three"]]


def test_an_accumulator_keeps_reasoning_beside_the_content() -> None:
    transform, accumulator = ThinkTags(), Accumulator()
    for delta in transform.process(TextDelta("<think>It rains.</think>Take an umbrella.")) + transform.flush():
        accumulator.push(delta)
    accumulator.close()
    assert (accumulator.message.reasoning, accumulator.message.text) == ("It rains.", "Take an umbrella.")
