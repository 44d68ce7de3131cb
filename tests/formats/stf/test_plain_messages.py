"""Messages of nothing but a role and text are converted on a short way: with the same result as on the long one."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest

from llmblocks.stf import Message, ToolCall, Transcript, to_anthropic, to_json, to_openai
from llmblocks.stf.convert import request
from llmblocks.stf.convert.anthropic import reading as anthropic_reading
from llmblocks.stf.convert.openai import reading as openai_reading
from llmblocks.stf.values import valid

ROLES = ("user", "assistant", "system", "developer", "tool", "function", "critic")
TEXTS = ("", " \n", "Hello", "\u00e9", "half \ud83d", "\x1f")
CALL = Message("assistant", "", tool_calls=[ToolCall("look", "{}", id="c")])
CHATS = [
    *([Message(role, text)] for role, text in product(ROLES, TEXTS)),
    *([CALL, Message(role, "Hello"), Message("tool", "found")] for role in ROLES),
    *([CALL, Message("tool", "found", call_id="c"), Message(role, text)] for role, text in product(ROLES, TEXTS)),
]


@pytest.mark.parametrize(
    "convert", [to_openai, to_anthropic, to_json, partial(to_json, indent=None), partial(to_json, indent=0)]
)
def test_both_ways_give_the_same(convert: Callable[[Transcript], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    short = [convert(Transcript(chat)) for chat in CHATS]
    monkeypatch.setattr(valid, "is_plain", lambda _: False)
    assert short == [convert(Transcript(chat)) for chat in CHATS]


@pytest.mark.parametrize("reading", [openai_reading, anthropic_reading])
def test_both_ways_read_the_same(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = reading.from_openai if reading is openai_reading else reading.from_anthropic
    chats: list[list[dict[str, Any]]] = [[{"role": role, "content": text}] for role, text in product(ROLES, TEXTS)]
    chats += [[{"role": "user", "content": "Hello", "name": None}], [{"role": "user", "id": "m1"}]]
    short = [read(chat) for chat in chats]
    monkeypatch.setattr(reading, "is_plain", lambda _: False)
    monkeypatch.setattr(request, "_is_quick", lambda _: False)
    assert short == [read(chat) for chat in chats]


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
