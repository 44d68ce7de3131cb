"""Messages with only a role and text: their JSON, and text of another type."""

from __future__ import annotations

import json
from itertools import product

import pytest

from llmblocks.stf import Message, ToolCall, Transcript, to_anthropic, to_json, to_openai

ROLES = ("user", "assistant", "system", "developer", "tool", "function", "critic")
TEXTS = ("", " \n", "Hello", "\u00e9", "half \ud83d", "\x1f")
CALL = Message("assistant", "", tool_calls=[ToolCall("look", "{}", id="c")])
CHATS = [
    *([Message(role, text)] for role, text in product(ROLES, TEXTS)),
    *([CALL, Message(role, "Hello"), Message("tool", "found")] for role in ROLES),
    *([CALL, Message("tool", "found", call_id="c"), Message(role, text)] for role, text in product(ROLES, TEXTS)),
]


@pytest.mark.parametrize("indent", [None, 0, 1, 2, 4])
@pytest.mark.parametrize(
    "transcript",
    [
        *[Transcript(chat) for chat in ([], *CHATS)],
        Transcript([Message("user", "a\nb")], {"a": [1, {"b": "\n"}], "c": {}}),
        Transcript([], {}),
    ],
)
def test_json_is_written_as_the_library_writes_it(transcript: Transcript, indent: int | None) -> None:
    expected = json.dumps(transcript.as_dict(), ensure_ascii=False, indent=indent)
    assert to_json(transcript, indent=indent).value == expected.replace("\ud83d", "\\ud83d")


@pytest.mark.parametrize("content", [None, 1, ["text"], b"text"])
@pytest.mark.parametrize("convert", [to_openai, to_anthropic])
def test_text_of_another_type_is_refused(convert: object, content: object) -> None:
    assert callable(convert)
    message = Message("user", "Hello")
    setattr(message, "content", content)  # noqa: B010
    with pytest.raises(ValueError, match="content"):
        convert(Transcript([message]))
