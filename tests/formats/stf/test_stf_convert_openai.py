"""OpenAI's requests, key by key: accepted by the service, and every loss is reported; objects of its SDK."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from formats.stf.stf_sdk import assert_openai_takes
from llmblocks.stf import EmbedPart, Message, TextPart, ToolCall, Transcript, decode, encode, from_openai, to_openai
from llmblocks.stf.values.messages import Json, Part


@pytest.fixture(autouse=True)
def sdk() -> None:
    """The SDK takes seconds to load: without it, the rest is tested."""
    pytest.importorskip("openai")


def sent(*messages: Message) -> tuple[list[dict[str, Json]], list[str]]:
    value, lost = to_openai(Transcript(list(messages)))
    assert_openai_takes(value)
    return value, [loss.path for loss in lost]


def received(message: dict[str, Any]) -> tuple[Message, list[str]]:
    read, lost = from_openai([message])
    return read.messages[0], [loss.path.removeprefix("messages[0].") for loss in lost]


def answer() -> Any:
    from openai.types.chat import ChatCompletionMessage

    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}
    message = {"role": "assistant", "content": "Let me see.", "refusal": None, "tool_calls": [call]}
    return ChatCompletionMessage.model_validate(message)


@pytest.mark.parametrize(
    "given",
    [
        lambda: [answer()],
        lambda: answer(),
        lambda: [answer().model_dump()],
        lambda: answer().model_dump(),
        lambda: iter([answer()]),
    ],
)
def test_an_answer_becomes_the_short_form(given: Callable[[], Any]) -> None:
    read, lost = from_openai(given())
    assert lost == ()
    assert encode(read) == '@ai\nLet me see.\n@call name=look id=call_1\n{"at": "it"}\n'
    assert sent(*read.messages) == ([answer().model_dump(exclude_none=True)], [])


def text(said: str, **more: Json) -> dict[str, Json]:
    return {"type": "text", "text": said, **more}


def image(url: str, **more: str) -> dict[str, Json]:
    return {"type": "image_url", "image_url": {"url": url, **more}}


def audio(form: str) -> dict[str, Json]:
    return {"type": "input_audio", "input_audio": {"data": "QUJD", "format": form}}


def file(**given: str) -> dict[str, Json]:
    return {"type": "file", "file": given}


PDF = "data:application/pdf;base64,QUJD"
GIF = image("data:image/gif;base64,QUJD")
EXPLICIT = {"mode": "explicit"}
USER = [
    *(text("What is it?", prompt_cache_breakpoint=EXPLICIT), image("https://example.org/a.png", detail="low")),
    *(image("data:image/jpeg;base64,QUJD"), audio("mp3"), file(filename="a.pdf", file_data=PDF), file(file_id="f-1")),
]
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}}
REQUEST: list[dict[str, Json]] = [
    {"role": "developer", "content": [text("Be kind.")]},
    {"role": "user", "name": "Jo", "content": USER},
    {"role": "assistant", "content": [text("Let me see.")], "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
    {"role": "function", "name": "f", "content": "1"},
    {"role": "assistant", "content": "", "refusal": "no"},
]


def test_messages_come_back() -> None:
    assert_openai_takes(REQUEST)
    read, lost = from_openai(REQUEST)
    assert lost == ()
    assert to_openai(read) == (REQUEST, ())
    assert from_openai({"messages": REQUEST}) == (read, ())
    assert decode(encode(read)) == read


def test_a_refusal_among_parts_is_the_refusal() -> None:
    read, lost = received({"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}, text("late")]})
    assert read == Message("assistant", [TextPart("late")], refusal="no")
    assert lost == ["content[1]"]


@pytest.mark.parametrize("mime", ["application/pdf", "text/csv"])
def test_the_data_of_a_file_and_its_type_are_apart(mime: str) -> None:
    part = file(filename="a", file_data=f"data:{mime};base64,QUJD")
    read, lost = received({"role": "user", "content": [part]})
    assert (read.content, lost) == ([EmbedPart("file", mime=mime, data="QUJD", more={"name": "a"})], [])
    assert sent(read) == ([{"role": "user", "content": [part]}], [])


def test_bare_base64_of_a_file_is_its_data() -> None:
    read, lost = received({"role": "user", "content": [file(file_data="JVBERi0x")]})
    assert (read.content, lost) == ([EmbedPart("file", data="JVBERi0x")], [])


@pytest.mark.parametrize(("arguments", "text"), [({"a": 1}, '{"a":1}'), ([1], "[1]"), (5, "5"), (False, "false")])
def test_arguments_that_are_no_text_become_json(arguments: Json, text: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments, "strict": True}}
    read, lost = received({"role": "assistant", "content": "", "tool_calls": [call]})
    assert read.tool_calls == [ToolCall("f", text, "c")]
    assert lost == ["tool_calls[0].function.arguments", "tool_calls[0].function.strict"]


def test_the_nulls_of_a_dump_say_nothing() -> None:
    nulls = dict.fromkeys(("annotations", "audio", "function_call", "tool_calls", "refusal", "name", "zzz"))
    assert received({"role": "assistant", "content": "hi", **nulls}) == (Message("assistant", "hi"), [])


def test_keys_and_parts_that_a_transcript_does_not_hold_are_listed() -> None:
    read, lost = from_openai({
        "messages": [
            {"role": "assistant", "content": None, "tool_calls": [{"type": "custom", "custom": {}}], "id": "x"},
            {"role": "user", "content": [{"type": "video"}, "text"], "name": None},
        ],
        "model": "m", "tools": [], "stop": None,
    })  # fmt: skip
    assert {loss.path for loss in lost} == {
        *("messages[0].content", "messages[0].tool_calls[0]", "messages[0].id"),
        *("messages[1].content[0]", "messages[1].content[1]", "model", "tools"),
    }
    assert read == Transcript([Message("assistant", "", tool_calls=[]), Message("user", [])])


@pytest.mark.parametrize(
    ("part", "written", "lost"),
    [
        (EmbedPart("image", "https://example.org/a", "image/gif", "QUJD"), GIF, ["url"]),
        (EmbedPart("image", "data:image/gif;base64,QUJD", "image/png"), GIF, ["mime"]),
        (EmbedPart("image", mime="IMAGE/GIF", data="QU\nJD"), GIF, []),
        (EmbedPart("image", mime="image/gif", data="QUJD", more={"cache_control": {}, "file_id": "f"}), GIF,
         ["file_id", "cache_control"]),
        (EmbedPart("image", mime="image/gif", data="QUJD", more={"detail": "tiny"}), GIF, ["detail"]),
        (EmbedPart("image", data="R0lGODlh"), image("data:image/gif;base64,R0lGODlh"), []),
        (EmbedPart("image", data="QUJD"), image("data:image/png;base64,QUJD"), ["mime"]),
        (EmbedPart("image", "Http://example.org/a"), image("Http://example.org/a"), []),
        (EmbedPart("audio", mime="audio/mpeg", data="QUJD"), audio("mp3"), []),
        (EmbedPart("audio", "data:audio/mp3;base64,QUJD"), audio("mp3"), ["url"]),
        (EmbedPart("audio", data="QUJD", more={"format": "mpeg"}), audio("mp3"), ["format"]),
        (EmbedPart("audio", data="QUJD"), audio("wav"), ["mime"]),
        (EmbedPart("file", PDF), file(file_data=PDF), []),
        (EmbedPart("file", data="JVBERi0x"), file(file_data="data:application/pdf;base64,JVBERi0x"), []),
        (EmbedPart("file", "https://example.org/a.pdf", data="QUJD", more={"file_id": "f", "title": "t"}),
         file(file_data=PDF), ["url", "mime", "file_id", "title"]),
        (TextPart("a", {"cache_control": {"type": "ephemeral"}, "prompt_cache_breakpoint": EXPLICIT}),
         text("a", prompt_cache_breakpoint=EXPLICIT), ["cache_control"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_part_is_written_as_the_service_takes_it(part: Part, written: Json, lost: list[str]) -> None:
    value, paths = sent(Message("user", [part, TextPart("x")]))
    assert value[0]["content"][0] == written
    assert paths == [f"messages[0].content[0].{path}" for path in lost]


def test_calls_and_results_without_ids_are_given_the_same() -> None:
    value, lost = sent(
        Message("assistant", tool_calls=[ToolCall("f", "{}"), ToolCall("g", "{}"), ToolCall("h", "{}", "call_2")]),
        *[Message("tool", "1"), Message("tool", "2"), Message("tool", "3", call_id="call_2"), Message("tool", "4")],
    )
    assert [call["id"] for call in value[0]["tool_calls"]] == ["call_1", "call_3", "call_2"]
    assert [message.get("tool_call_id") for message in value] == [None, "call_1", "call_3", "call_2", None]
    assert value[4] == {"role": "user", "content": "4"}
    assert lost == [
        *("messages[0].tool_calls[0]", "messages[0].tool_calls[1]", "messages[1]", "messages[2]", "messages[4].role"),
    ]


def test_a_result_may_name_the_second_id_of_its_call() -> None:
    call = ToolCall("f", "{}", "fc_1", "call_1")
    value, lost = sent(Message("assistant", tool_calls=[call]), Message("tool", "x", call_id="call_1"))
    assert value[1]["tool_call_id"] == value[0]["tool_calls"][0]["id"] == "fc_1"
    assert lost == ["messages[0].tool_calls[0].call_id", "messages[1].call_id"]


def test_names_that_the_service_refuses_are_changed() -> None:
    call = ToolCall("web.search", "{}", "c")
    value, lost = sent(Message("user", "x", name="Jo Doe"), Message("assistant", tool_calls=[call]))
    assert (value[0]["name"], value[1]["tool_calls"][0]["function"]["name"]) == ("Jo_Doe", "web_search")
    assert lost == ["messages[0].name", "messages[1].tool_calls[0].name"]
