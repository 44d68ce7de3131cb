"""OpenAI's requests, key by key: accepted by the service, and every loss is reported."""

from __future__ import annotations

from typing import Any

import pytest

from formats.stf.stf_sdk import assert_openai_takes
from llmblocks.stf import (
    EmbedPart,
    Message,
    TextPart,
    ToolCall,
    Transcript,
    encode,
    from_openai,
    to_openai,
)
from llmblocks.stf.values.messages import Json, Part


def sent(*messages: Message) -> tuple[list[dict[str, Json]], list[str]]:
    value, lost = to_openai(Transcript(list(messages)))
    assert_openai_takes(value)
    return value, [loss.path for loss in lost]


def sent_part(part: Part) -> tuple[Json, list[str]]:
    value, lost = sent(Message("user", [part, TextPart("x")]))
    return value[0]["content"][0], [path.removeprefix("messages[0].content[0].") for path in lost]


def received(message: dict[str, Any]) -> tuple[Message, list[str]]:
    read, lost = from_openai([message])
    return read.messages[0], [loss.path.removeprefix("messages[0].") for loss in lost]


@pytest.mark.parametrize(
    ("url", "mime"),
    [("data:application/pdf;base64,QUJD", "application/pdf"), ("data:text/csv;base64,QUJD", "text/csv")],
)
def test_the_data_of_a_file_and_its_type_are_apart(url: str, mime: str) -> None:
    part = {"type": "file", "file": {"filename": "a", "file_data": url}}
    read, lost = received({"role": "user", "content": [part]})
    assert (read.content, lost) == ([EmbedPart("file", mime=mime, data="QUJD", more={"name": "a"})], [])
    assert sent(read) == ([{"role": "user", "content": [part]}], [])


def test_bare_base64_of_a_file_becomes_a_data_url() -> None:
    read, lost = received({"role": "user", "content": [{"type": "file", "file": {"file_data": "JVBERi0x"}}]})
    assert (read.content, lost) == ([EmbedPart("file", data="JVBERi0x")], [])
    file = {"file_data": "data:application/pdf;base64,JVBERi0x"}
    assert sent_part(EmbedPart("file", data="JVBERi0x")) == ({"type": "file", "file": file}, [])


@pytest.mark.parametrize(("arguments", "text"), [({"a": 1}, '{"a":1}'), ([1], "[1]"), (5, "5"), (False, "false")])
def test_arguments_that_are_no_text_become_json(arguments: Json, text: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments, "strict": True}}
    read, lost = received({"role": "assistant", "content": "", "tool_calls": [call]})
    assert read.tool_calls == [ToolCall("f", text, "c")]
    assert lost == ["tool_calls[0].function.arguments", "tool_calls[0].function.strict"]


def test_the_nulls_of_a_dump_say_nothing() -> None:
    nulls = dict.fromkeys(("annotations", "audio", "function_call", "tool_calls", "refusal", "name", "zzz"))
    read, lost = from_openai([{"role": "assistant", "content": "hi", **nulls}])
    assert lost == ()
    assert encode(read) == "@ai\nhi\n"


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/gif;base64,QUJD"}}


@pytest.mark.parametrize(
    ("part", "written", "lost"),
    [
        (EmbedPart("image", "https://example.org/a", "image/gif", "QUJD"), IMAGE, ["url"]),
        (EmbedPart("image", "data:image/gif;base64,QUJD", "image/png"), IMAGE, ["mime"]),
        (EmbedPart("image", mime="IMAGE/GIF", data="QU\nJD"), IMAGE, []),
        (EmbedPart("image", mime="image/gif", data="QUJD", more={"cache_control": {}, "file_id": "f"}), IMAGE,
         ["file_id", "cache_control"]),
        (EmbedPart("image", mime="image/gif", data="QUJD", more={"detail": "tiny"}), IMAGE, ["detail"]),
        (EmbedPart("image", data="R0lGODlh"), {"type": "image_url",
         "image_url": {"url": "data:image/gif;base64,R0lGODlh"}}, []),
        (EmbedPart("audio", mime="audio/mpeg", data="QUJD"), {"type": "input_audio",
         "input_audio": {"data": "QUJD", "format": "mp3"}}, []),
        (EmbedPart("audio", "data:audio/mp3;base64,QUJD"), {"type": "input_audio",
         "input_audio": {"data": "QUJD", "format": "mp3"}}, ["url"]),
        (EmbedPart("audio", data="QUJD", more={"format": "mpeg"}), {"type": "input_audio",
         "input_audio": {"data": "QUJD", "format": "mp3"}}, ["format"]),
        (EmbedPart("audio", data="QUJD"), {"type": "input_audio",
         "input_audio": {"data": "QUJD", "format": "wav"}}, ["mime"]),
        (EmbedPart("image", data="QUJD"), {"type": "image_url",
         "image_url": {"url": "data:image/png;base64,QUJD"}}, ["mime"]),
        (EmbedPart("image", "Http://example.org/a"), {"type": "image_url",
         "image_url": {"url": "Http://example.org/a"}}, []),
        (EmbedPart("file", "data:application/pdf;base64,QUJD"), {"type": "file",
         "file": {"file_data": "data:application/pdf;base64,QUJD"}}, []),
        (EmbedPart("file", "https://example.org/a.pdf", data="QUJD", more={"file_id": "f", "title": "t"}),
         {"type": "file", "file": {"file_data": "data:application/pdf;base64,QUJD"}},
         ["url", "mime", "file_id", "title"]),
        (TextPart("a", {"cache_control": {"type": "ephemeral"}, "prompt_cache_breakpoint": {"mode": "explicit"}}),
         {"type": "text", "text": "a", "prompt_cache_breakpoint": {"mode": "explicit"}}, ["cache_control"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_part_is_written_as_the_service_takes_it(part: Part, written: Json, lost: list[str]) -> None:
    assert sent_part(part) == (written, lost)


def test_calls_and_results_without_ids_are_given_the_same() -> None:
    value, lost = sent(
        Message("assistant", tool_calls=[ToolCall("f", "{}"), ToolCall("g", "{}"), ToolCall("h", "{}", "call_2")]),
        Message("tool", "1"),
        Message("tool", "2"),
        Message("tool", "3", call_id="call_2"),
        Message("tool", "4"),
    )
    assert [call["id"] for call in value[0]["tool_calls"]] == ["call_1", "call_3", "call_2"]
    assert [message.get("tool_call_id") for message in value] == [None, "call_1", "call_3", "call_2", None]
    assert value[4] == {"role": "user", "content": "4"}
    assert lost == ["messages[0].tool_calls[0]", "messages[0].tool_calls[1]", "messages[1]", "messages[2]",
                    "messages[4].role"]  # fmt: skip


def test_a_result_may_name_the_second_id_of_its_call() -> None:
    value, lost = sent(
        Message("assistant", tool_calls=[ToolCall("f", "{}", "fc_1", "call_1")]), Message("tool", "x", call_id="call_1")
    )
    assert value[1]["tool_call_id"] == value[0]["tool_calls"][0]["id"] == "fc_1"
    assert lost == ["messages[0].tool_calls[0].call_id", "messages[1].call_id"]


def test_names_that_the_service_refuses_are_changed() -> None:
    value, lost = sent(
        Message("user", "x", name="Jo Doe"), Message("assistant", tool_calls=[ToolCall("web.search", "{}", "c")])
    )
    assert value[0]["name"] == "Jo_Doe"
    assert value[1]["tool_calls"][0]["function"]["name"] == "web_search"
    assert lost == ["messages[0].name", "messages[1].tool_calls[0].name"]
