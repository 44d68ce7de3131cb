"""Messages and events of an accumulator."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, chunks
from llmblocks import tags
from llmblocks.tags import Accumulator, Finish, ReasoningDelta, TextDelta, ToolCallDelta, ToolCallEnd, ToolCallStart


def collected(*deltas: object) -> tags.Message:
    accumulator = Accumulator()
    for delta in deltas:
        accumulator.push(delta)
    accumulator.close()
    return accumulator.message


def test_text_and_blocks_keep_their_order() -> None:
    accumulator = Accumulator()
    quote, done = tags.CustomBlock("citation", "quote", {"url": "u"}), tags.CustomBlock("done", "", {}, True)
    assert accumulator.push(TextDelta("te")) == [tags.MessageStart(), tags.ContentStart(0), tags.ContentDelta(0, "te")]
    assert accumulator.push(TextDelta("xt")) == [tags.ContentDelta(0, "xt")]
    assert accumulator.push(quote) == [tags.ContentEnd(0, "text"), quote]
    assert accumulator.push(done) == [done]
    assert accumulator.push(TextDelta("more")) == [tags.ContentStart(3), tags.ContentDelta(3, "more")]
    message = accumulator.message
    assert accumulator.close() == [tags.ContentEnd(3, "more"), tags.MessageEnd(message, None)]
    assert message.content == (
        tags.TextBlock(text="text"),
        tags.CustomContentBlock(tag="citation", content="quote", attrs={"url": "u"}),
        tags.CustomContentBlock(tag="done", content="", self_closing=True),
        tags.TextBlock(text="more"),
    )
    assert [tags.is_custom_block(block) for block in message.content] == [False, True, True, False]
    assert message.text == "textmore"


def test_an_empty_message_has_a_start_and_an_end() -> None:
    assert Accumulator().close() == [tags.MessageStart(), tags.MessageEnd(tags.Message(), None)]


def test_reasoning_and_tool_calls_pass_and_are_kept() -> None:
    deltas = [
        *(ReasoningDelta("be"), ReasoningDelta("cause")),
        *(ToolCallStart("1", "add"), ToolCallDelta("1", '{"a": '), ToolCallDelta("1", "1}"), ToolCallEnd("1")),
        *(ToolCallStart("2", "now"), ToolCallEnd("2")),
        *(ToolCallStart("3", "odd"), ToolCallDelta("3", "{a"), ToolCallEnd("3")),
        *(tags.ToolCall("4", "sub", {"b": 2}), Finish("stop"), Finish(usage={"input": 7})),
    ]
    accumulator = Accumulator()
    assert [event for delta in deltas for event in accumulator.push(delta)] == [tags.MessageStart(), *deltas]
    message = accumulator.message
    assert message.reasoning == "because"
    assert message.tool_calls == (
        tags.ToolCallBlock(id="1", name="add", input={"a": 1}),
        tags.ToolCallBlock(id="2", name="now", input={}),
        tags.ToolCallBlock(id="3", name="odd", input="{a"),
        tags.ToolCallBlock(id="4", name="sub", input={"b": 2}),
    )
    assert (message.stop_reason, message.usage) == ("stop", {"input": 7})


def test_a_delta_of_a_call_that_never_started_is_only_passed_along() -> None:
    assert collected(ToolCallDelta("1", "{}"), ToolCallEnd("1"), object()) == tags.Message()


def test_finish_ends_the_calls_that_are_open() -> None:
    accumulator = Accumulator()
    for number, (name, arguments) in enumerate((("add", '{"a": 1}'), ("sub", '{"b"'))):
        accumulator.push(ToolCallStart(str(number), name))
        accumulator.push(ToolCallDelta(str(number), arguments))
    assert accumulator.push(Finish(usage={"input": 1})) == [Finish(usage={"input": 1})]
    assert not accumulator.message.tool_calls
    finish = Finish("tool_calls")
    assert accumulator.push(finish) == [ToolCallEnd("0"), ToolCallEnd("1"), finish]
    assert accumulator.message.tool_calls == (
        tags.ToolCallBlock(id="0", name="add", input={"a": 1}),
        tags.ToolCallBlock(id="1", name="sub", input='{"b"'),
    )
    assert accumulator.close() == [tags.MessageEnd(accumulator.message, "tool_calls")]


@pytest.mark.parametrize(("reason", "error"), [("cancelled", None), ("error", ConnectionError()), (None, OSError())])
def test_a_call_that_was_cut_short_stays_out_of_the_message(reason: str | None, error: Exception | None) -> None:
    accumulator = Accumulator()
    accumulator.push(tags.ToolCall("1", "whole", {}))
    accumulator.push(ToolCallStart("2", "half"))
    accumulator.close(reason, error)
    assert [call.name for call in accumulator.message.tool_calls] == ["whole"]


@pytest.mark.parametrize("arguments", ["NaN", '{"a": -Infinity}', "[" * 100_000, "9" * 5000, '{"a": 1, "a": 2}'])
def test_arguments_that_are_no_json_stay_text(arguments: str) -> None:
    (call,) = collected(ToolCallStart("1", "f"), ToolCallDelta("1", arguments), ToolCallEnd("1")).tool_calls
    assert call.input == arguments


def test_json_has_the_names_of_the_document() -> None:
    message = collected(tags.CustomBlock("done", "", {}, True), tags.ToolCall("1", "add", None), Finish("stop"))
    data = message.model_dump(mode="json")
    assert data["content"] == [{"type": "custom", "tag": "done", "content": "", "attrs": {}, "selfClosing": True}]
    assert data["toolCalls"] == [{"type": "tool_call", "id": "1", "name": "add", "input": None}]
    assert data["stopReason"] == "stop"


@given(chunks())
def test_a_message_goes_to_json_and_back(pieces: list[str]) -> None:
    blocks = tags.CustomBlocks({name: tags.BlockDefinition() for name in NAMES})
    # JSON cannot hold half of a surrogate pair
    deltas = [delta for piece in pieces for delta in blocks.process(TextDelta(piece.replace("\ude00", "")))]
    message = collected(*deltas, *blocks.flush())
    assert tags.Message.model_validate_json(message.model_dump_json()) == message
    texts = [isinstance(block, tags.TextBlock) for block in message.content]
    assert (True, True) not in pairwise(texts)


HIGH, LOW = "\ud83d", "\ude00"


def test_halves_of_a_character_are_joined_in_text_reasoning_and_arguments() -> None:
    accumulator = Accumulator()
    events = [
        event
        for delta in (
            *(TextDelta("a" + HIGH), ReasoningDelta(HIGH), ToolCallStart("1", "f"), ToolCallStart("2", "g")),
            *(ToolCallDelta("1", '{"a": "' + HIGH), ToolCallDelta("2", '{"a": "' + HIGH), TextDelta(LOW + "b")),
            *(ReasoningDelta(LOW), ToolCallDelta("2", LOW + '"}'), ToolCallDelta("1", LOW + '"}')),
        )
        for event in accumulator.push(delta)
    ]
    events += accumulator.close()
    message = accumulator.message
    assert message.model_dump_json().count("😀") == 4
    assert (message.text, message.reasoning) == ("a😀b", "😀")
    assert [event.delta for event in events if isinstance(event, tags.ContentDelta)] == ["a", "😀b"]
    assert [event.delta for event in events if isinstance(event, ReasoningDelta)] == ["😀"]
    told = "".join([event.delta for event in events if isinstance(event, ToolCallDelta) and event.id == "1"])
    assert told == '{"a": "😀"}'


def test_a_half_that_is_alone_is_kept_to_the_end() -> None:
    accumulator = Accumulator()
    assert accumulator.push(TextDelta(HIGH)) == [tags.MessageStart()]
    block = tags.CustomBlock("done", "", {}, True)
    assert accumulator.push(block) == [
        tags.ContentStart(0),
        tags.ContentDelta(0, HIGH),
        tags.ContentEnd(0, HIGH),
        block,
    ]
    assert accumulator.push(ReasoningDelta(HIGH)) == []
    accumulator.push(ToolCallStart("1", "f"))
    assert accumulator.push(ToolCallDelta("1", HIGH)) == []
    assert accumulator.push(ToolCallEnd("1")) == [ToolCallDelta("1", HIGH), ToolCallEnd("1")]
    assert accumulator.push(TextDelta(LOW)) == [tags.ContentStart(2), tags.ContentDelta(2, LOW)]
    assert accumulator.close()[:2] == [tags.ContentEnd(2, LOW), ReasoningDelta(HIGH)]
    assert (accumulator.message.reasoning, accumulator.message.tool_calls[0].input) == (HIGH, HIGH)
