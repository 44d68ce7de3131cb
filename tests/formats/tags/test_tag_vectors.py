"""The conformance vectors, and recorded streams of `thinkTagTransform` of agentick 1.0.0-next.165."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from formats.tags.tag_pieces import chunks
from llmblocks.tags import (
    Accumulator,
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlockStart,
    ReasoningDelta,
    TagHandler,
    TagStream,
    TextDelta,
    ThinkTags,
    ToolCallStart,
)

VECTORS = Path(__file__).parents[2] / "vectors" / "tags.dev.jsonl"
with VECTORS.open(newline="\n") as file:
    CASES: list[dict[str, Any]] = [json.loads(line) for line in file.read().split("\n") if line]


def as_json(delta: object) -> object:
    match delta:
        case TextDelta(text):
            return {"type": "text", "delta": text}
        case CustomBlockStart(tag, attrs):
            return {"type": "custom_block_start", "tag": tag, "attrs": attrs}
        case CustomBlockDelta(tag, text):
            return {"type": "custom_block_delta", "tag": tag, "delta": text}
        case CustomBlockEnd(tag):
            return {"type": "custom_block_end", "tag": tag}
        case CustomBlock(tag, content, attrs, self_closing):
            block = {"type": "custom_block", "tag": tag, "content": content, "attrs": attrs}
            return block | {"selfClosing": True} if self_closing else block
    return delta


def recorder(tag: str, calls: list[list[object]]) -> TagHandler:
    return TagHandler(
        on_start=lambda attrs: calls.append(["onStart", tag, dict(attrs)]),
        on_content=lambda content, attrs: calls.append(["onContent", tag, content, dict(attrs)]),
        on_self_closing=lambda attrs: calls.append(["onSelfClosing", tag, dict(attrs)]),
    )


def test_there_are_150_cases() -> None:
    assert len(CASES) == 150


@pytest.mark.filterwarnings("ignore:the tag .* is never met")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['name']}")
def test_vector(case: dict[str, Any]) -> None:
    calls: list[list[object]] = []
    stream = TagStream({tag: recorder(tag, calls) for tag in case["options"]["tags"]})
    deltas: list[object] = []
    at: list[object] = []
    for index, chunk in enumerate(case["chunks"]):
        new = stream.process(TextDelta(chunk) if isinstance(chunk, str) else chunk)
        deltas += map(as_json, new)
        at += [index] * len(new)
    if case["options"].get("flush", True):
        new = stream.flush()
        deltas += map(as_json, new)
        at += ["end"] * len(new)
    assert {"deltas": deltas, "at": at, "handlers": calls} == case["expected"]


THINK_CASES = [
    json.loads(line) for line in (Path(__file__).parent / "reference_think.jsonl").read_text("ascii").splitlines()
]


def routed(pieces: list[str], transform: ThinkTags | None = None) -> list[list[str]]:
    transform = transform or ThinkTags()
    deltas = [each for piece in pieces for each in transform.process(TextDelta(piece))] + transform.flush()
    return [["reasoning" if isinstance(each, ReasoningDelta) else "text", each.delta] for each in deltas]


@pytest.mark.parametrize("case", THINK_CASES, ids=lambda case: "".join(case["chunks"])[:30])
def test_a_stream_is_routed_as_the_reference_routes_it(case: Any) -> None:
    found, recorded = routed(case["chunks"]), case["deltas"]
    assert found[: len(recorded)] == recorded
    # the reference loses the half of a tag at the end of a block that nothing closes
    for kind, text in found[len(recorded) :]:
        assert kind == "reasoning"
        assert text.startswith("<")
        assert "".join(case["chunks"]).endswith(text)


def test_there_are_streams_with_a_half_of_a_tag_at_their_end() -> None:
    assert sum(len(routed(case["chunks"])) > len(case["deltas"]) for case in THINK_CASES) == 5


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
