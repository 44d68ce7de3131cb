"""Anthropic's requests, key by key: accepted by the service, and every loss is reported."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from formats.stf.stf_sdk import assert_anthropic_takes
from llmblocks.stf import EmbedPart, Message, TextPart, ToolCall, Transcript, from_anthropic, to_anthropic
from llmblocks.stf.values.messages import Json, Part


def sent(*messages: Message) -> tuple[dict[str, Json], list[str]]:
    value, lost = to_anthropic(Transcript([Message("user", "Hi"), *messages]))
    assert_anthropic_takes(value)
    return value, [loss.path for loss in lost]


def sent_part(part: Part) -> tuple[Json, list[str]]:
    value, lost = sent(Message("user", [part]))
    return value["messages"][1]["content"][0], [path.removeprefix("messages[1].content[0].") for path in lost]


def sent_call(call: ToolCall) -> tuple[Json, list[str]]:
    value, lost = sent(Message("assistant", tool_calls=[call]))
    return value["messages"][1]["content"][0], [path.removeprefix("messages[1].tool_calls[0].") for path in lost]


def received(role: str, *blocks: Json) -> tuple[list[Message], list[str]]:
    read, lost = from_anthropic({"messages": [{"role": role, "content": [*blocks]}]})
    return read.messages, [loss.path.removeprefix("messages[0].") for loss in lost]


TEXT = {"type": "text", "text": "a"}
THINKING = {"type": "thinking", "thinking": "t", "signature": "s"}
USE = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "c", "content": "r"}


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([TEXT, THINKING], ["content[1]"]),
        ([THINKING, USE, THINKING], ["content[2]"]),
        ([THINKING, USE, TEXT, USE], ["content[2]"]),
        ([TEXT, RESULT], ["content[1]"]),
        ([USE, RESULT, THINKING], ["content[1]", "content[2]"]),
        ([THINKING, TEXT, USE], []),
        ([RESULT, RESULT, TEXT], []),
    ],
)
def test_the_order_of_blocks_is_kept_or_told(blocks: list[Json], told: list[str]) -> None:
    messages, lost = received("assistant" if RESULT not in blocks else "user", *blocks)
    assert lost == told
    assert sum(len(message.reasoning or []) for message in messages) == blocks.count(THINKING)
    assert sum(len(message.tool_calls or []) for message in messages) == blocks.count(USE)
    assert [message.role for message in messages].count("tool") == blocks.count(RESULT)


PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "QUJD"}}
GIF = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "QUJD"}}
PLAIN = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "né"}}
NE = base64.b64encode("né".encode()).decode()


@pytest.mark.parametrize(
    ("part", "written", "lost"),
    [
        (EmbedPart("file", "https://example.org/a", more={"file_id": "f"}),
         {"type": "document", "source": {"type": "file", "file_id": "f"}}, ["url"]),
        (EmbedPart("image", "https://example.org/a", data="QUJD", mime="image/gif", more={"file_id": "f"}), GIF,
         ["file_id", "url"]),
        (EmbedPart("image", "data:image/gif;base64,QUJD", "image/png"), GIF, ["mime"]),
        (EmbedPart("image", "data:image/gif;base64,QUJD", more={"detail": "low", "zzz": 1}), GIF, ["detail", "zzz"]),
        (EmbedPart("file", data="QUJD", mime="", more={"name": "n", "title": "t"}), {**PDF, "title": "n"},
         ["mime", "title"]),
        (EmbedPart("file", data="QUJD", more={"title": "t"}), {**PDF, "title": "t"}, ["mime"]),
        (EmbedPart("file", data="JVBERi0x"), {"type": "document", "source": {"type": "base64",
         "media_type": "application/pdf", "data": "JVBERi0x"}}, []),
        (EmbedPart("image", "HTTPS://example.org/a"), {"type": "image", "source": {"type": "url",
         "url": "HTTPS://example.org/a"}}, []),
        (EmbedPart("file", mime="text/plain", data=NE), PLAIN, []),
        (EmbedPart("file", mime="text/markdown", data=NE), PLAIN, ["mime"]),
        (EmbedPart("file", "data:text/plain,n%C3%A9"), PLAIN, []),
        (TextPart("a", {"cache_control": {"type": "ephemeral", "ttl": "1d"}, "zzz": 1}), {
         "type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, ["cache_control.ttl", "zzz"]),
        (TextPart("a", {"cache_control": 5, "citations": [{"type": "zzz"}]}), {
         "type": "text", "text": "a"}, ["cache_control", "citations[0]"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_part_is_written_as_the_service_takes_it(part: Part, written: Json, lost: list[str]) -> None:
    assert sent_part(part) == (written, lost)


@pytest.mark.parametrize(
    "part",
    [
        EmbedPart("image", "holiday.png"),
        EmbedPart("image", "http://example.org/holiday.png"),
        EmbedPart("image", mime="image/svg+xml", data="QUJD"),
        EmbedPart("file", mime="application/zip", data="gICA"),
        EmbedPart("file", data="not base64"),
        EmbedPart("audio", data="QUJD"),
        TextPart(" \n"),
    ],
    ids=str,
)
def test_a_part_that_the_service_refuses_is_left_out_and_so_is_an_empty_message(part: Part) -> None:
    value, lost = sent(Message("user", [part]))
    assert value == {"messages": [{"role": "user", "content": "Hi"}]}
    assert lost[-2:] == ["messages[1].content[0]", "messages[1]"]


@pytest.mark.parametrize(
    ("arguments", "given", "lost"),
    [
        ('{"a": NaN, "b": [1e999, 1]}', {"a": None, "b": [None, 1]}, ["arguments", "arguments"]),
        ('{"a": 1, "a": 2}', {"a": 2}, ["arguments"]),
        ("[1]", {}, ["arguments"]),
        ("{", {}, ["arguments"]),
        ('{"a":' * 100_000, {}, ["arguments"]),
        ("", {}, []),
    ],
    ids=lambda value: str(value)[:20],
)
def test_the_input_of_a_tool_is_json(arguments: str, given: Json, lost: list[str]) -> None:
    assert sent_call(ToolCall("f", arguments, "c")) == ({**USE, "input": given}, lost)


def test_the_keys_of_a_call_are_reported() -> None:
    more: dict[str, Any] = {"zzz": 1, "cache_control": {"type": "ephemeral"}, "caller": {"type": "zzz"}}
    block, lost = sent_call(ToolCall("web.search", "{}", "a b", more=more))
    assert block == {
        "type": "tool_use", "id": "call_1", "name": "web_search", "input": {}, "cache_control": {"type": "ephemeral"}
    }  # fmt: skip
    assert lost == ["id", "name", "zzz", "caller"]


def test_calls_and_results_without_ids_are_given_the_same() -> None:
    value, lost = sent(
        Message("assistant", tool_calls=[ToolCall("f", "{}")]), Message("tool", "1"), Message("tool", "2")
    )
    assert [message["role"] for message in value["messages"]] == ["user", "assistant", "user", "user"]
    assert value["messages"][2]["content"][0]["tool_use_id"] == value["messages"][1]["content"][0]["id"] == "call_1"
    assert value["messages"][3]["content"] == "2"
    assert lost == ["messages[1].tool_calls[0]", "messages[2]", "messages[3].role"]


@pytest.mark.parametrize("between", [Message("user", []), Message("assistant", " "), Message("system", "Be kind.")])
def test_results_around_a_message_that_is_not_sent_are_one_message(between: Message) -> None:
    value, _ = sent(Message("tool", "a", call_id="c"), between, Message("tool", "b", call_id="d"))
    assert [block["tool_use_id"] for block in value["messages"][1]["content"]] == ["c", "d"]


def test_a_system_message_in_the_middle_stays_there() -> None:
    value, lost = sent(
        Message("assistant", "a"), Message("system", "Be brief."), Message("developer", [TextPart("x"), TextPart("y")])
    )
    assert [message["role"] for message in value["messages"]] == ["user", "assistant", "system", "system"]
    assert value["messages"][2]["content"] == "Be brief."
    assert "system" not in value
    assert lost == ["messages[3].role"]
    assert [message.role for message in from_anthropic(value).value.messages] == [
        "user",
        "assistant",
        "system",
        "system",
    ]


def test_a_system_message_does_not_part_a_call_from_its_results() -> None:
    calls = Message("assistant", tool_calls=[ToolCall("f", "{}", "c"), ToolCall("f", "{}", "d")])
    first, second = Message("tool", "a", call_id="c"), Message("tool", "b", call_id="d")
    value, lost = sent(calls, Message("system", "1"), first, Message("system", "2"), second, Message("system", "3"))
    assert [message["content"] for message in value["messages"][3:]] == ["1", "2", "3"]
    assert [block["tool_use_id"] for block in value["messages"][2]["content"]] == ["c", "d"]
    assert lost == ["messages[2]", "messages[4]"]
