"""Objects of the SDKs of OpenAI and Anthropic, there and back: built with the SDK's own classes, without a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from formats.stf.stf_sdk import assert_anthropic_takes, assert_openai_takes
from llmblocks.stf import (
    Message,
    TextPart,
    ToolCall,
    Transcript,
    decode,
    encode,
    from_anthropic,
    from_openai,
    to_anthropic,
    to_openai,
)

if TYPE_CHECKING:
    import openai.types.chat as openai_types


@pytest.fixture(autouse=True)
def sdks() -> None:
    """Nothing but these tests needs the SDKs, which take seconds to load: where there are none, the rest is tested."""
    pytest.importorskip("anthropic")
    pytest.importorskip("openai")


# OpenAI


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
def test_an_answer_of_openai_becomes_the_short_form(given: Callable[[], Any]) -> None:
    read, lost = from_openai(given())
    assert lost == ()
    assert encode(read) == '@ai\nLet me see.\n@call name=look id=call_1\n{"at": "it"}\n'
    again, lost = to_openai(read)
    assert lost == ()
    assert again == [answer().model_dump(exclude_none=True)]
    assert_openai_takes(again)


REQUEST: list[openai_types.ChatCompletionMessageParam] = [
    {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
    {
        "role": "user",
        "name": "Jo",
        "content": [
            {"type": "text", "text": "What is it?", "prompt_cache_breakpoint": {"mode": "explicit"}},
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
            {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,QUJD"}},
            {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,QUJD"}},
            {"type": "file", "file": {"file_id": "file-1"}},
        ],
    },
    {
        "role": "assistant",
        "content": [{"type": "text", "text": "Let me see."}],
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
    {"role": "function", "name": "f", "content": "1"},
    {"role": "assistant", "content": "", "refusal": "no"},
]


def test_openai_messages_come_back() -> None:
    read, lost = from_openai(REQUEST)
    assert lost == ()
    assert to_openai(read) == (REQUEST, ())
    assert from_openai({"messages": REQUEST}) == (read, ())
    assert decode(encode(read)) == read
    assert_openai_takes(to_openai(read).value)


def test_a_refusal_among_parts_is_the_refusal() -> None:
    message: openai_types.ChatCompletionAssistantMessageParam = {
        "role": "assistant",
        "content": [{"type": "refusal", "refusal": "no"}, {"type": "text", "text": "late"}],
    }
    read, lost = from_openai([message])
    assert read == Transcript([Message("assistant", [TextPart("late")], refusal="no")])
    assert [loss.path for loss in lost] == ["messages[0].content[1]"]


# Anthropic

REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "any",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 2},
    "content": [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "redacted_thinking", "data": "d"},
        {
            "type": "text",
            "text": "It says so.",
            "citations": [
                {"type": "char_location", "cited_text": "so", "document_index": 0, "document_title": None,
                 "start_char_index": 0, "end_char_index": 2, "file_id": None}
            ],
        },
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": None}},
    ],
}  # fmt: skip


def reply() -> Any:
    from anthropic.types import Message

    return Message.model_validate(REPLY)


@pytest.mark.parametrize("given", [lambda: reply(), lambda: reply().model_dump()])
def test_an_answer_of_anthropic_is_read(given: Callable[[], Any]) -> None:
    read, lost = from_anthropic(given())
    assert [loss.path for loss in lost] == ["model", "stop_reason", "usage"]
    (message,) = read.messages
    assert (message.id, message.role, message.text) == ("msg_1", "assistant", "It says so.")
    assert message.tool_calls == [ToolCall("look", '{"at":null}', "t1")]


def test_an_answer_of_anthropic_goes_back_as_the_sdk_sends_it() -> None:
    conversation = {
        "messages": [{"role": "user", "content": "Look!"}, {"role": "assistant", "content": reply().content}]
    }
    read, lost = from_anthropic(conversation)
    assert lost == ()
    sent, lost = to_anthropic(read)
    assert lost == ()
    assert_anthropic_takes(sent)
    blocks = [block.model_dump(exclude_none=True) for block in reply().content]
    # This null is required, and that one is of the tool.
    blocks[2]["citations"][0]["document_title"] = None
    blocks[3]["input"] = {"at": None}
    assert sent["messages"][1]["content"] == blocks


ASKED: dict[str, Any] = {
    "system": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is it?", "cache_control": {"type": "ephemeral"}},
                {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "QUJD"}},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "image", "source": {"type": "file", "file_id": "f1"},
                 "transformations": {"oversized_image": "error"}},
                {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "QUJD"},
                 "title": "a.pdf", "context": "c", "citations": {"enabled": True}},
                {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "näheres\n"}},
                {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}},
                {"type": "document", "source": {"type": "file", "file_id": "f1"}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "it"},
                 "cache_control": {"type": "ephemeral"}, "caller": {"type": "direct"}},
                {"type": "tool_use", "id": "t2", "name": "wait", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "no cat", "is_error": True},
                {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "done"}],
                 "cache_control": {"type": "ephemeral"}},
            ],
        },
        {"role": "assistant", "content": "No cat."},
    ],
}  # fmt: skip


def test_anthropic_messages_come_back() -> None:
    assert_anthropic_takes(ASKED)
    read, lost = from_anthropic(ASKED)
    assert lost == ()
    assert to_anthropic(read) == (ASKED, ())
    assert decode(encode(read)) == read
