"""The stream of raw completions, and the law that all their readers agree."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from examples import LAWS
from laws.completions import GOOD, completion
from llmblocks.completions import parse
from llmblocks.completions.machine import machine_of, regions_of
from llmblocks.completions.message import read_calls
from llmblocks.completions.rules import M206_BROKEN_CONSTRAINT
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.completions.stream import (
    CompletionStream,
    Event,
    RegionChunk,
    RegionClosed,
    RegionMalformed,
    RegionOpened,
)
from llmblocks.gadget import Gadgets, read_gadgets


def stream_of(name: str = "hermes", prefix: str = "", tools: list[Any] | None = None) -> CompletionStream:
    return CompletionStream(find_template(name).template, prefix, tools or [])


def test_a_call_arrives_as_it_is_written_and_has_its_value_at_its_end() -> None:
    stream = stream_of()
    events = [event for chunk in ("Hi<tool", '_call>{"name": "get"', "}</tool_call>") for event in stream.feed(chunk)]
    assert events == [
        RegionOpened("content", 0, 0),
        RegionChunk("content", "Hi", False, 0),
        RegionClosed("content", "Hi", 2, 2),
        RegionOpened("tool_calls", 2, 13),
        RegionChunk("tool_calls", '{"name": "get"', True, 13),
        RegionChunk("tool_calls", "}", True, 27),
        RegionClosed("tool_calls", {"type": "function", "function": {"name": "get"}}, 28, 40),
    ]
    assert stream.close() == []
    assert stream.message == {
        "role": "assistant",
        "content": "Hi",
        "tool_calls": [{"type": "function", "function": {"name": "get"}}],
    }


def test_a_malformed_call_is_an_event_and_the_rest_of_the_message_stays() -> None:
    stream = stream_of()
    events = stream.feed('<tool_call>{"name": "get" "arguments": {}}</tool_call>Hi')
    malformed = next(event for event in events if isinstance(event, RegionMalformed))
    assert (malformed.start, malformed.end, malformed.reason.start) == (11, 54, 15)
    assert "comma is missing" in malformed.reason.reason
    stream.close()
    assert stream.message == {"role": "assistant", "content": "Hi"}


@pytest.mark.parametrize(
    ("text", "reason", "at", "missing"),
    [
        ('{"a": [1, {"b": "x', "a string is not closed", 16, '"}]}'),
        ('{"a": [1', "the text ends too early", 7, "]}"),
        ("", "there is no JSON", 0, "{}"),
        ("{'a': 1}", 'a name in `"` is missing', 1, ""),
        ('{"a": True}', "a value is missing, or is not JSON", 6, ""),
        ('{"a": "x\ny"}', "a line end or tab in a string must be escaped", 8, ""),
        ('{"a": 1}}', "the value has ended before this", 8, ""),
    ],
)
def test_a_malformed_call_says_what_is_missing_and_where(text: str, reason: str, at: int, missing: str) -> None:
    stream = stream_of()
    events = [*stream.feed(f"<tool_call>{text}</tool_call>"), *stream.close()]
    found = next(event.reason for event in events if isinstance(event, RegionMalformed))
    assert (found.reason, found.start, found.missing) == (reason, at, missing)


def test_the_place_of_a_mistake_is_that_in_the_text_as_it_was_written() -> None:
    text = '<|tool_call>call:get{city:<|"|>Paris<|"|>,n:?}<tool_call|>'
    stream = stream_of("gemma")
    found = next(event for event in stream.feed(text) if isinstance(event, RegionMalformed))
    assert text[found.start + found.reason.start] == "?"


def test_what_a_template_has_written_of_the_answer_is_read_before_it() -> None:
    stream = stream_of(prefix="<|im_start|>assistant\nold<|im_end|>\n<|im_start|>assistant\n<think>\n")
    assert stream.initial_events == (RegionOpened("thinking", -8, -1), RegionChunk("thinking", "\n", False, -1))
    assert stream.feed("Hm</think>") == [RegionChunk("thinking", "Hm", False, 0), RegionClosed("thinking", "Hm", 2, 10)]


def test_a_delimiter_that_has_not_arrived_is_held_back() -> None:
    stream = stream_of("qwen3-coder")
    assert [stream.feed(chunk) for chunk in ("<tool_call>", "\n", "<function=g")] == [[], [], []]
    assert (stream.held, stream.held_size) == ("<tool_call>\n<function=g", 23)
    assert stream.feed("et>")[0] == RegionOpened("tool_calls", 0, 26)
    assert stream.held == ""


def test_text_that_no_field_gets_has_no_event() -> None:
    stream = stream_of("cohere")
    assert stream.feed("lost<|START_RESPONSE|>") == [RegionOpened("content", 4, 22)]


def test_a_chunk_that_is_not_a_text_is_refused() -> None:
    stream = stream_of()
    for _ in range(2):
        with pytest.raises(TypeError, match="a chunk is a str, not bytes"):
            stream.feed(b"x")  # type: ignore[arg-type]
        stream.feed("x")
    stream.close()
    assert stream.close() == []
    with pytest.raises(ValueError, match="closed"):
        stream.feed("x")


def joined(events: list[Event]) -> list[Event]:
    """Events with the chunks of a region as one."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, RegionChunk) and isinstance(last := found[-1] if found else None, RegionChunk):
            found[-1] = last._replace(text=last.text + event.text)
        else:
            found.append(event)
    return found


@pytest.mark.parametrize("name", template_names())
def test_all_readers_of_a_completion_agree_whatever_its_chunks(name: str) -> None:
    random, template = Random(name), find_template(name).template
    schemas = Gadgets(read_gadgets(M206_BROKEN_CONSTRAINT.gadgets).gadgets)
    for text in (*GOOD[name], *[completion(name, random) for _ in range(LAWS)]):
        whole = CompletionStream(template)
        events = joined([*whole.feed(text), *whole.close()])
        stream, at, found = CompletionStream(template), 0, list[Event]()
        while at < len(text):
            size = random.randrange(1, 9)
            found += stream.feed(text[at : at + size])
            at += size
        assert joined([*found, *stream.close()]) == events
        assert stream.message == whole.message
        regions = [region for region in regions_of(machine_of(template), text) if region.field is not None]
        closed = [event for event in events if isinstance(event, RegionClosed | RegionMalformed)]
        assert [(region.field.name, region.end) for region in regions if region.field] == [
            (event.field, event.end) for event in closed
        ]
        message = parse(text, template, schemas=schemas)
        assert message.values == whole.message
        assert message.openai()["role"] == "assistant"
        assert all(0 <= each.start <= each.end <= len(text) and each.message.headline for each in message.findings)
        calls, message = read_calls(text, template)
        assert text not in GOOD[name] or not message.findings
        assert message == parse(text, template)
        received = [(call.name, call.parameters) for call in calls if call.parameters is not None]
        given = [each["function"] for each in message.tool_calls]
        # a call without a text as its name does not count, and arguments that are not an object are empty
        expected = [(each["name"], json.loads(each["arguments"])) for each in given if isinstance(each["name"], str)]
        assert received == [(one, each if isinstance(each, dict) else {}) for one, each in expected], text
        assert all((call.parameters is None) == bool(call.error) for call in calls), text
