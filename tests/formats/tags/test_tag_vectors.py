"""Every case of the conformance vectors: deltas, the chunk that emitted each, handler calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks.tags import (
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlockStart,
    TagHandler,
    TagStream,
    TextDelta,
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
