"""A caller who passes the wrong thing learns what to pass."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from llmblocks import stf
from llmblocks.stf import EmbedPart, Message, StfStream, TextPart, ToolCall, Transcript, decode, encode, to_json

WRITERS = (stf.to_openai, stf.to_anthropic, to_json, stf.to_ndjson)
READERS = (stf.from_openai, stf.from_anthropic)
ENCODERS = (encode, partial(encode, dialect=";"))
NO_DICT: Any = "x"
NO_TEXT: Any = {}
NO_DIALECTS: tuple[Any, ...] = (None, "#", "", ["@"], {})
USER = {"role": "user", "content": "Hi"}
U = Message("user")
NO_MESSAGES: list[tuple[Any, str]] = [
    (None, "the messages of a transcript are a list, not a value of type NoneType"),
    (U, "the messages of a transcript are a list, not a value of type Message"),
    ([USER], "messages[0] must be a Message, not a value of type dict: message_from_dict makes one"),
    ([U, "hi"], "messages[1] must be a Message, not a value of type str: make one of it"),
]


def cyclic() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


def deep() -> list[Any]:
    inner: list[Any] = []
    for _ in range(5000):
        inner = [inner]
    return inner


NO_JSON: list[tuple[Any, str]] = [
    ({"messages": [{"role": "user", "content": Path("x")}]}, "messages[0].content is a value of type "),
    ({"messages": [{"role": "user", 1: 2}]}, "the key 1 of messages[0] is not a string"),
    ([{"role": "user", "content": cyclic()}], "is nested deeper than 128 levels, or contains itself"),
]


def wrong(**fields: Any) -> Message:
    """Return a message with fields of types that it does not declare."""
    return Message(**{"role": "user", **fields})


def part(**fields: Any) -> list[Any]:
    return [EmbedPart(**{"type": "file", **fields})]


@pytest.mark.parametrize("given", [b"@user\nhi", None, ["@user\n"], 5], ids=repr)
@pytest.mark.parametrize("dialect", ["auto", "@", ";"])
def test_a_refused_chunk_leaves_nothing_in_the_stream(given: Any, dialect: str) -> None:
    for before in ("", "@user\nhello", ";user\nhello", "@user\n"):
        stream, other = StfStream(dialect=dialect), StfStream(dialect=dialect)
        events = stream.feed(before)
        with pytest.raises(TypeError, match="a chunk is a str, not"):
            stream.feed(given)
        assert events + stream.feed("x\n") + stream.close() == other.feed(before) + other.feed("x\n") + other.close()


TAKERS: list[Callable[[Any], object]] = [
    lambda dialect: decode("", dialect=dialect),
    lambda dialect: StfStream(dialect=dialect),
    lambda dialect: encode(Transcript(), dialect=dialect),
]
ROLE: list[Callable[[Any], object]] = [
    lambda role: decode("", default_role=role),
    lambda role: StfStream(default_role=role),
]
GIVEN: list[tuple[Callable[[Any], object], Any, str]] = [
    *[(take, value, "default_role takes a str, not") for take in ROLE for value in (b"user", 5, ["user"])],
    *[(take, value, f"no dialect {value!r}: use '@', ';'") for take in TAKERS for value in NO_DIALECTS],
    (TAKERS[2], "auto", "no dialect 'auto': use '@' or ';'"),
    (encode, [U], "encode takes a Transcript, not a value of type list: pass Transcript([…])"),
    (encode, "@user", "not a value of type str: pass Transcript([…])"),
    *[(write, [U], f"{write.__name__} takes a Transcript, not a value of type") for write in WRITERS],
    *[(write, Transcript(given), words) for write in (*WRITERS, *ENCODERS) for given, words in NO_MESSAGES],
    *[
        (read, given, f"{read.__name__} takes ")
        for read in READERS
        for given in (5, None, object(), "[]", b"[]", U, Transcript(), {1, 2})
    ],
    *[(read, given, words) for read in READERS for given, words in NO_JSON],
    (stf.from_openai, {"choices": [{"message": USER}]}, "pass its messages to from_openai, as in `response.choices"),
    (
        stf.from_json,
        '{"b": 1, "a": 2}',
        "unknown key 'b': a transcript has messages and metadata; unknown key 'a': a",
    ),
    (stf.from_json, '{"metadata": {"a": 1, "a": 2}}', "this is not JSON: an object has the key 'a' twice"),
    (stf.from_ndjson, '\n{"role": "u", "role": "v"}', "line 2: this is not JSON: an object has the key 'role' twice"),
    (stf.message_from_dict, U, "must be an object (was of type Message)"),
    (stf.transcript_from_dict, Transcript(), "must be an array (was of type Transcript)"),
    (
        stf.message_from_dict,
        {"role": "u", "content": b"x"},
        "must be a string or an object (was of type bytes)",
    ),
    (to_json, Transcript(metadata=[1, set()]), "metadata[1]: a value of type set is not JSON"),
]


@pytest.mark.parametrize(("take", "given", "words"), GIVEN, ids=[words for _, _, words in GIVEN])
def test_a_wrong_argument_is_refused_with_what_to_pass(take: Callable[[Any], object], given: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        take(given)


FIELDS: list[tuple[Message, str]] = [
    (wrong(role=None), "messages[1].role must be a string"),
    (wrong(content=5), "messages[1].content must be a string or a list of parts, not 5"),
    (wrong(content=("x",)), "messages[1].content must be a string or a list of parts"),
    (wrong(content=[{"type": "text"}]), "messages[1].content[0] must be a TextPart or an EmbedPart"),
    (wrong(content=[TextPart("", NO_DICT)]), "messages[1].content[0].more must be a dict"),
    (wrong(content=[TextPart("", {"text": 1})]), "messages[1].content[0].more has the key 'text'"),
    (wrong(content=part(type="x")), "messages[1].content[0].type must be"),
    (wrong(content=part(more={"name": 5})), "messages[1].content[0].name must be a string"),
    (wrong(content=part(more=[])), "messages[1].content[0].more must be a dict"),
    (wrong(tool_calls=[{}]), "messages[1].tool_calls[0]"),
    (wrong(tool_calls=[ToolCall("n", NO_TEXT)]), "messages[1].tool_calls[0].arguments must be a string"),
    (wrong(tool_calls=[ToolCall("n", "{}", more=NO_DICT)]), "messages[1].tool_calls[0].more must be a dict"),
    (wrong(more=[1]), "messages[1].more must be a dict of further keys, not [1]"),
    (wrong(more={"role": "x"}), "messages[1].more has the key 'role'"),
    (wrong(more={"extra": 1}), "messages[1].more has the key 'extra'"),
]


@pytest.mark.parametrize(("message", "words"), FIELDS, ids=[words for _, words in FIELDS])
def test_a_field_of_another_type_is_named(message: Message, words: str) -> None:
    for write in (*WRITERS, *ENCODERS):
        with pytest.raises(ValueError, match=re.escape(words)):
            write(Transcript([U, message]))


@pytest.mark.parametrize("write", [to_json, stf.to_ndjson, encode])
@pytest.mark.parametrize("make", [cyclic, deep, lambda: {1}, lambda: b"x", lambda: {1: 2}, lambda: [object()]])
def test_a_value_that_is_not_json_is_named(write: Callable[[Any], Any], make: Callable[[], Any]) -> None:
    for message in (Message("user", extra=make()), Message("user", more={"x": make()})):
        with pytest.raises(ValueError, match=r"^messages\[0\]"):
            write(Transcript([message]))


@pytest.mark.parametrize("make", [cyclic, deep])
def test_what_no_service_is_sent_stops_no_conversion(make: Callable[[], Any]) -> None:
    transcript = Transcript([Message("user", "x", extra=make(), more={"y": make()})])
    for write in (stf.to_openai, stf.to_anthropic):
        assert [loss.path for loss in write(transcript).lost] == ["messages[0].extra", "messages[0].y"]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "value", [[USER], (USER,), {"messages": [USER]}, {"messages": (USER,)}, USER, {**USER, "zzz": None}], ids=repr
)
def test_readers_take_requests_lists_and_messages(read: Callable[[Any], Any], value: object) -> None:
    assert read(value) == (Transcript([Message("user", "Hi")]), ())
    assert read(iter([USER])) == (Transcript([Message("user", "Hi")]), ())


@pytest.mark.parametrize("write", WRITERS)
def test_everything_that_is_written_can_be_sent(write: Callable[[Any], Any]) -> None:
    calls = [ToolCall("f", '{"\ud800": "\udfff"}', "c\ud800")]
    transcript = Transcript(
        [Message("user", "\ud83d\ude00"), Message("system", "\ud800"), Message("assistant", tool_calls=calls)]
    )
    value, lost = write(transcript)
    if isinstance(value, str):
        assert value.encode()
        assert (stf.from_json if write is to_json else stf.from_ndjson)(value).messages[1:] == transcript.messages[1:]
    else:
        assert json.dumps(value, ensure_ascii=False).encode()
        assert {"messages[1]", "messages[2]"} <= {loss.path for loss in lost}
        assert "\U0001f600" in str(value)
