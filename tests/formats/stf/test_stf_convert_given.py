"""Arguments of conversions: accepted, or rejected with a message that says what to pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from llmblocks.stf import (
    EmbedPart,
    Message,
    ShapeError,
    ToolCall,
    Transcript,
    from_anthropic,
    from_json,
    from_ndjson,
    from_openai,
    to_anthropic,
    to_json,
    to_ndjson,
    to_openai,
)

WRITERS = (to_openai, to_anthropic, to_json, to_ndjson)
READERS = (from_openai, from_anthropic)
USER = {"role": "user", "content": "Hi"}


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("value", [[Message("user", "x")], Message("user"), {"messages": []}, None, "@user"], ids=repr)
def test_writers_take_transcripts(write: Callable[[Any], Any], value: object) -> None:
    with pytest.raises(TypeError, match=f"^{write.__name__} takes a Transcript, not a value of type"):
        write(value)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(
    "message",
    [
        Message(None),  # type: ignore[arg-type]
        Message("user", 5),  # type: ignore[arg-type]
        Message("user", [{"type": "text"}]),  # type: ignore[list-item]
        Message("user", tool_calls=[{}]),  # type: ignore[list-item]
        Message("user", more={"name": "x"}),
        Message("user", [EmbedPart("file", more={"name": 5})]),
    ],
    ids=repr,
)
def test_writers_name_the_field_that_is_wrong(write: Callable[[Any], Any], message: Message) -> None:
    with pytest.raises(ValueError, match=r"^messages\[1\]\.\w+"):
        write(Transcript([Message("user"), message]))


@pytest.mark.parametrize("write", WRITERS)
def test_writers_name_what_is_not_a_message(write: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"^messages\[0\] must be a Message, not a value of type dict"):
        write(Transcript([USER]))  # type: ignore[list-item]
    with pytest.raises(TypeError, match="are a list, not a value of type Message"):
        write(Transcript(Message("user")))  # type: ignore[arg-type]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "value",
    [5, None, object(), "[]", b"[]", Message("user"), Transcript(), {1, 2}],
    ids=lambda value: type(value).__name__,
)
def test_readers_say_what_to_pass(read: Callable[[Any], Any], value: object) -> None:
    with pytest.raises(TypeError, match=f"^{read.__name__} takes "):
        read(value)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "value", [[USER], (USER,), {"messages": [USER]}, {"messages": (USER,)}, USER, {**USER, "zzz": None}], ids=repr
)
def test_readers_take_requests_lists_and_messages(read: Callable[[Any], Any], value: object) -> None:
    assert read(value) == (Transcript([Message("user", "Hi")]), ())
    assert read(iter([USER])) == (Transcript([Message("user", "Hi")]), ())


@pytest.mark.parametrize("read", READERS)
def test_readers_name_a_value_that_is_not_json(read: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"messages\[0\]\.content is a value of type Path|PosixPath|WindowsPath"):
        read({"messages": [{"role": "user", "content": Path("x")}]})
    with pytest.raises(TypeError, match=r"the key 1 of messages\[0\] is not a string"):
        read({"messages": [{"role": "user", 1: 2}]})
    with pytest.raises(ValueError, match="is nested deeper than 128 levels, or contains itself"):
        read([{"role": "user", "content": cyclic()}])


def test_a_response_of_openai_is_not_a_request() -> None:
    with pytest.raises(ValueError, match=r"pass its messages to from_openai, as in `response.choices\[0\].message`"):
        from_openai({"choices": [{"message": USER}]})


def test_the_other_keys_of_an_openai_request_are_reported() -> None:
    read, lost = from_openai({"messages": [USER], "model": "m", "tools": [], "stop": None})
    assert read == Transcript([Message("user", "Hi")])
    assert [loss.path for loss in lost] == ["model", "tools"]


@pytest.mark.parametrize("read", [from_json, from_ndjson])
@pytest.mark.parametrize("value", [b"[]", {"messages": []}, None], ids=repr)
def test_readers_of_json_take_text(read: Callable[[Any], Any], value: object) -> None:
    with pytest.raises(TypeError, match=f"^{read.__name__} takes a str, not "):
        read(value)


def test_an_unknown_key_beside_the_messages_is_an_error() -> None:
    with pytest.raises(ShapeError, match=r"^unknown key 'zzz': a transcript has messages and metadata$"):
        from_json('{"messages": [], "zzz": 1}')


@pytest.mark.parametrize(
    "text",
    [
        '{"messages": [], "messages": [1]}',
        '[{"role": "u", "content": "", "role": "v"}]',
        '{"metadata": {"a": 1, "a": 2}}',
    ],
)
def test_a_key_that_is_there_twice_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"this is not JSON: an object has the key '.*' twice"):
        from_json(text)
    with pytest.raises(ValueError, match=r"line 2: this is not JSON: an object has the key '.*' twice"):
        from_ndjson("\n" + text)


def cyclic() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


def deep() -> list[Any]:
    inner: list[Any] = []
    for _ in range(5000):
        inner = [inner]
    return inner


@pytest.mark.parametrize("write", [to_json, to_ndjson])
@pytest.mark.parametrize("make", [cyclic, deep, lambda: {1}, lambda: b"x", lambda: {1: 2}, lambda: [object()]])
def test_a_value_that_is_not_json_is_named(write: Callable[[Any], Any], make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"^messages\[0\]"):
        write(Transcript([Message("user", extra=make())]))
    with pytest.raises(ValueError, match=r"^messages\[0\]"):
        write(Transcript([Message("user", more={"x": make()})]))


def test_metadata_that_is_not_json_is_named() -> None:
    with pytest.raises(ValueError, match=r"^metadata\[1\]: a value of type set is not JSON"):
        to_json(Transcript(metadata=[1, set()]))


@pytest.mark.parametrize("make", [cyclic, deep])
def test_what_no_service_is_sent_stops_no_conversion(make: Callable[[], Any]) -> None:
    transcript = Transcript([Message("user", "x", extra=make(), more={"y": make()})])
    for write in (to_openai, to_anthropic):
        assert [loss.path for loss in write(transcript).lost] == ["messages[0].extra", "messages[0].y"]


@pytest.mark.parametrize("write", WRITERS)
def test_everything_that_is_written_can_be_sent(write: Callable[[Any], Any]) -> None:
    calls = [ToolCall("f", '{"\ud800": "\udfff"}', "c\ud800")]
    transcript = Transcript(
        [Message("user", "\ud83d\ude00"), Message("system", "\ud800"), Message("assistant", tool_calls=calls)]
    )
    value, lost = write(transcript)
    if isinstance(value, str):
        assert value.encode()
        assert (from_json if write is to_json else from_ndjson)(value).messages[1:] == transcript.messages[1:]
    else:
        assert json.dumps(value, ensure_ascii=False).encode()
        assert {"messages[1]", "messages[2]"} <= {loss.path for loss in lost}
        assert "\U0001f600" in str(value)


def test_tuples_become_lists() -> None:
    assert json.loads(to_json(Transcript(metadata=(1, 2))).value) == {"messages": [], "metadata": [1, 2]}
