"""Anthropic's requests, key by key: accepted by the service, and every loss is reported; objects of its SDK."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from formats.stf.stf_sdk import assert_anthropic_takes
from llmblocks import stf
from llmblocks.stf import EmbedPart, Message, TextPart, ToolCall, Transcript, decode, from_anthropic, to_anthropic
from llmblocks.stf.values.messages import Json, Part


@pytest.fixture(autouse=True)
def sdk() -> None:
    """The SDK takes seconds to load: without it, the rest is tested."""
    pytest.importorskip("anthropic")


def sent(*messages: Message) -> tuple[dict[str, Json], list[str]]:
    value, lost = to_anthropic(Transcript([Message("user", "Hi"), *messages]))
    assert_anthropic_takes(value)
    return value, [loss.path for loss in lost]


def sent_call(call: ToolCall) -> tuple[Json, list[str]]:
    value, lost = sent(Message("assistant", tool_calls=[call]))
    return value["messages"][1]["content"][0], [path.removeprefix("messages[1].tool_calls[0].") for path in lost]


def text(said: str, **more: Json) -> dict[str, Json]:
    return {"type": "text", "text": said, **more}


def base(mime: str) -> dict[str, Json]:
    return {"source": {"type": "base64", "media_type": mime, "data": "QUJD"}}


def at(url: str) -> dict[str, Json]:
    return {"source": {"type": "url", "url": url}}


CACHED = {"cache_control": {"type": "ephemeral"}}
THINKING = [
    {"type": "thinking", "thinking": "Hm.", "signature": "s"},
    {"type": "redacted_thinking", "data": "d"},
]
CITATION = {"type": "char_location", "cited_text": "so", "document_index": 0, "document_title": None,
            "start_char_index": 0, "end_char_index": 2}  # fmt: skip
REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "any",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 2},
    "content": [
        *THINKING,
        text("It says so.", citations=[{**CITATION, "file_id": None}]),
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": None}},
    ],
}


def reply() -> Any:
    from anthropic.types import Message

    return Message.model_validate(REPLY)


@pytest.mark.parametrize("given", [lambda: reply(), lambda: reply().model_dump()])
def test_an_answer_is_read(given: Callable[[], Any]) -> None:
    read, lost = from_anthropic(given())
    assert [loss.path for loss in lost] == ["model", "stop_reason", "usage"]
    (message,) = read.messages
    assert (message.id, message.role, message.text) == ("msg_1", "assistant", "It says so.")
    assert message.tool_calls == [ToolCall("look", '{"at":null}', "t1")]


def test_an_answer_goes_back_as_the_sdk_sends_it() -> None:
    read, lost = from_anthropic([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": reply().content}])
    assert lost == ()
    value, paths = sent(*read.messages[1:])
    assert paths == []
    blocks = [block.model_dump(exclude_none=True) for block in reply().content]
    # the null of a citation's title is required, and that of the input is the tool's
    blocks[2]["citations"][0]["document_title"] = None
    blocks[3]["input"] = {"at": None}
    assert value["messages"][1]["content"] == blocks


RESOURCES = [
    {"type": "image", **base("image/jpeg")},
    {"type": "image", **at("https://example.org/a.png")},
    {"type": "image", "source": {"type": "file", "file_id": "f"}, "transformations": {"oversized_image": "error"}},
    {"type": "document", **base("application/pdf"), "title": "a", "context": "c", "citations": {"enabled": True}},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "näheres\n"}},
    {"type": "document", **at("https://example.org/a.pdf")},
    {"type": "document", "source": {"type": "file", "file_id": "f"}},
]
USE = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "c", "content": "r"}
ASKED: dict[str, Any] = {
    "system": [text("Be kind.", cache_control={"type": "ephemeral", "ttl": "1h"})],
    "messages": [
        {"role": "user", "content": [text("What is it?", **CACHED), *RESOURCES]},
        {
            "role": "assistant",
            "content": [
                *(*THINKING, text("Let me see.")),
                *({**USE, "input": {"at": "it"}, **CACHED, "caller": {"type": "direct"}}, {**USE, "id": "d"}),
            ],
        },
        {"role": "user", "content": [{**RESULT, "is_error": True}, {**RESULT, "content": [text("done")], **CACHED}]},
        {"role": "assistant", "content": "No cat."},
    ],
}


def test_messages_come_back() -> None:
    assert_anthropic_takes(ASKED)
    read, lost = from_anthropic(ASKED)
    assert lost == ()
    assert to_anthropic(read) == (ASKED, ())
    assert decode(stf.encode(read)) == read


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([text("a"), THINKING[0]], ["content[1]"]),
        ([THINKING[0], USE, THINKING[0]], ["content[2]"]),
        ([THINKING[0], USE, text("a"), USE], ["content[2]"]),
        ([text("a"), RESULT], ["content[1]"]),
        ([USE, RESULT, THINKING[0]], ["content[1]", "content[2]"]),
        ([THINKING[0], text("a"), USE], []),
        ([RESULT, RESULT, text("a")], []),
    ],
)
def test_the_order_of_blocks_is_kept_or_told(blocks: list[Json], told: list[str]) -> None:
    role = "user" if RESULT in blocks else "assistant"
    read, lost = from_anthropic({"messages": [{"role": role, "content": blocks}]})
    assert [loss.path for loss in lost] == [f"messages[0].{path}" for path in told]
    assert sum(len(message.reasoning or []) for message in read.messages) == blocks.count(THINKING[0])
    assert sum(len(message.tool_calls or []) for message in read.messages) == blocks.count(USE)
    assert [message.role for message in read.messages].count("tool") == blocks.count(RESULT)


PDF = {"type": "document", **base("application/pdf")}
GIF = {"type": "image", **base("image/gif")}
PLAIN = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "né"}}
NE = base64.b64encode("né".encode()).decode()


@pytest.mark.parametrize(
    ("part", "written", "lost"),
    [
        (EmbedPart("file", "https://example.org/a", more={"file_id": "f"}), RESOURCES[-1], ["url"]),
        (EmbedPart("image", "https://example.org/a", data="QUJD", mime="image/gif", more={"file_id": "f"}), GIF,
         ["file_id", "url"]),
        (EmbedPart("image", "data:image/gif;base64,QUJD", "image/png"), GIF, ["mime"]),
        (EmbedPart("image", "data:image/gif;base64,QUJD", more={"detail": "low", "zzz": 1}), GIF, ["detail", "zzz"]),
        (EmbedPart("file", data="QUJD", mime="", more={"name": "n", "title": "t"}), {**PDF, "title": "n"},
         ["mime", "title"]),
        (EmbedPart("file", data="QUJD", more={"title": "t"}), {**PDF, "title": "t"}, ["mime"]),
        (EmbedPart("file", data="JVBERi0x"), {"type": "document", "source": {**PDF["source"], "data": "JVBERi0x"}}, []),
        (EmbedPart("image", "HTTPS://example.org/a"), {"type": "image", **at("HTTPS://example.org/a")}, []),
        (EmbedPart("file", mime="text/plain", data=NE), PLAIN, []),
        (EmbedPart("file", mime="text/markdown", data=NE), PLAIN, ["mime"]),
        (EmbedPart("file", "data:text/plain,n%C3%A9"), PLAIN, []),
        (TextPart("a", {"cache_control": {"type": "ephemeral", "ttl": "1d"}, "zzz": 1}), text("a", **CACHED),
         ["cache_control.ttl", "zzz"]),
        (TextPart("a", {"cache_control": 5, "citations": [{"type": "zzz"}]}), text("a"),
         ["cache_control", "citations[0]"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_part_is_written_as_the_service_takes_it(part: Part, written: Json, lost: list[str]) -> None:
    value, paths = sent(Message("user", [part]))
    assert value["messages"][1]["content"][0] == written
    assert paths == [f"messages[1].content[0].{path}" for path in lost]


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
    block, lost = sent_call(ToolCall("web.search", "{}", "a b", more={"zzz": 1, **CACHED, "caller": {"type": "zzz"}}))
    assert block == {**USE, "id": "call_1", "name": "web_search", **CACHED}
    assert lost == ["id", "name", "zzz", "caller"]


def test_calls_and_results_without_ids_are_given_the_same() -> None:
    call = Message("assistant", tool_calls=[ToolCall("f", "{}")])
    value, lost = sent(call, Message("tool", "1"), Message("tool", "2"))
    assert [message["role"] for message in value["messages"]] == ["user", "assistant", "user", "user"]
    assert value["messages"][2]["content"][0]["tool_use_id"] == value["messages"][1]["content"][0]["id"] == "call_1"
    assert value["messages"][3]["content"] == "2"
    assert lost == ["messages[1].tool_calls[0]", "messages[2]", "messages[3].role"]


@pytest.mark.parametrize("between", [Message("user", []), Message("assistant", " "), Message("system", "Be kind.")])
def test_results_around_a_message_that_is_not_sent_are_one_message(between: Message) -> None:
    value, _ = sent(Message("tool", "a", call_id="c"), between, Message("tool", "b", call_id="d"))
    assert [block["tool_use_id"] for block in value["messages"][1]["content"]] == ["c", "d"]


def test_a_system_message_in_the_middle_stays_there() -> None:
    several = Message("developer", [TextPart("x"), TextPart("y")])
    value, lost = sent(Message("assistant", "a"), Message("system", "Be brief."), several)
    roles = ["user", "assistant", "system", "system"]
    assert [message["role"] for message in value["messages"]] == roles
    assert value["messages"][2]["content"] == "Be brief."
    assert "system" not in value
    assert lost == ["messages[3].role"]
    assert [message.role for message in from_anthropic(value).value.messages] == roles


def test_a_system_message_does_not_part_a_call_from_its_results() -> None:
    calls = Message("assistant", tool_calls=[ToolCall("f", "{}", "c"), ToolCall("f", "{}", "d")])
    first, second = Message("tool", "a", call_id="c"), Message("tool", "b", call_id="d")
    value, lost = sent(calls, Message("system", "1"), first, Message("system", "2"), second, Message("system", "3"))
    assert [message["content"] for message in value["messages"][3:]] == ["1", "2", "3"]
    assert [block["tool_use_id"] for block in value["messages"][2]["content"]] == ["c", "d"]
    assert lost == ["messages[2]", "messages[4]"]
