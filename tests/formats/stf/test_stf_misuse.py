"""A caller who passes the wrong thing is reported what to pass."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from llmblocks.stf import (
    EmbedPart,
    Message,
    ShapeError,
    StfStream,
    TextPart,
    ToolCall,
    Transcript,
    decode,
    detect,
    encode,
    message_from_dict,
    transcript_from_dict,
)

NO_TEXTS: tuple[tuple[Any, str], ...] = (
    (b"", "decode takes a str, not bytes: decode it first"),
    (b"@user\nhi", "not bytes: decode it first"),
    (bytearray(b"x"), "not bytearray"),
    (None, "not NoneType"),
    (["@user\n", "hi"], "not list"),
    (Path("chat.stf"), "Path"),
    (io.StringIO("@user"), "not StringIO"),
    (5, "not int"),
)


@pytest.mark.parametrize(
    ("given", "complaint"), NO_TEXTS, ids=lambda value: value if isinstance(value, str) else type(value).__name__
)
@pytest.mark.parametrize("dialect", ["auto", "@", ";"])
def test_what_is_not_a_text_is_refused(given: Any, complaint: str, dialect: str) -> None:
    with pytest.raises(TypeError, match=re.escape(complaint)):
        decode(given, dialect=dialect)
    for before in ("", "@user\nhello", ";user\nhello", "@user\n"):
        stream = StfStream(dialect=dialect)
        events = stream.feed(before)
        with pytest.raises(TypeError, match="a chunk is a str, not"):
            stream.feed(given)
        events += stream.feed("x\n") + stream.close()
        # what was refused leaves nothing behind
        other = StfStream(dialect=dialect)
        assert events == other.feed(before) + other.feed("x\n") + other.close()
    with pytest.raises(TypeError, match="detect takes a str, not"):
        detect(given)


@pytest.mark.parametrize("role", [b"user", 5, ["user"]])
def test_a_default_role_is_text(role: Any) -> None:
    for call in (lambda: decode("", default_role=role), lambda: StfStream(default_role=role)):
        with pytest.raises(TypeError, match="default_role takes a str, not"):
            call()


def test_no_text_can_be_written_in_the_dialect_of_its_reader() -> None:
    with pytest.raises(ValueError, match=r"^no dialect 'auto': use '@' or ';'$"):
        encode(Transcript(), dialect="auto")


@pytest.mark.parametrize("dialect", [None, "stf", "", ["@"], b"@", {}])
def test_a_dialect_that_is_none_is_refused(dialect: Any) -> None:
    for call in (
        lambda: decode("", dialect=dialect),
        lambda: StfStream(dialect=dialect),
        lambda: encode(Transcript(), dialect=dialect),
    ):
        with pytest.raises(ValueError, match=re.escape(f"no dialect {dialect!r}: use '@', ';' or 'auto'")):
            call()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ([Message("user")], "not a value of type list: pass Transcript(messages)"),
        ((Message("user"),), "not a value of type tuple: pass Transcript(list(messages))"),
        (Message("user"), "not a value of type Message: pass Transcript([message])"),
        ({"messages": []}, "not a value of type dict: pass transcript_from_dict(value)"),
        ("@user\nhi", "not a value of type str: pass decode(text)"),
        (None, "not a value of type NoneType: pass Transcript([…])"),
    ],
    ids=repr,
)
def test_what_is_not_a_transcript_is_refused(given: Any, complaint: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"encode takes a Transcript, {complaint}")):
        encode(given)


@pytest.mark.parametrize(
    ("messages", "complaint"),
    [
        (None, "the messages of a transcript are a list, not a value of type NoneType"),
        ("abc", "the messages of a transcript are a list, not a value of type str"),
        ([{"role": "user"}], "messages[0] must be a Message, not a value of type dict: message_from_dict makes one"),
        ([Message("user"), "hi"], "messages[1] must be a Message, not a value of type str: make one of it"),
    ],
    ids=repr,
)
def test_what_is_not_a_message_is_refused(messages: Any, complaint: str) -> None:
    for dialect in "@;":
        with pytest.raises(TypeError, match=re.escape(complaint)):
            encode(Transcript(messages), dialect=dialect)


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (Message("u", more=[1]), "messages[0].more must be a dict of further keys, not [1]"),  # type: ignore[arg-type]
        (Message("u", more="x"), "messages[0].more must be a dict of further keys, not 'x'"),  # type: ignore[arg-type]
        (Message("u", [TextPart("", 5)]), "messages[0].content[0].more must be a dict"),  # type: ignore[arg-type]
        (Message("u", [EmbedPart("file", more=[])]), "messages[0].content[0].more must be a dict"),  # type: ignore[arg-type]
        (Message("u", tool_calls=[ToolCall("n", "{}", more="x")]), "messages[0].tool_calls[0].more must be a dict"),  # type: ignore[arg-type]
        (Message("u", more={1: 2}), "the key 1 is not a string"),  # type: ignore[dict-item]
        (Message("u", b"x"), "messages[0].content must be a string or a list of parts, not b'x'"),  # type: ignore[arg-type]
        (Message("u", ("x",)), "messages[0].content must be a string or a list of parts"),  # type: ignore[arg-type]
        (Message("u", [{"type": "text"}]), "messages[0].content[0] must be a TextPart or an EmbedPart"),  # type: ignore[list-item]
        (Message("u", extra=(1,)), "a tuple is not JSON"),
    ],
    ids=repr,
)  # fmt: skip
def test_a_field_that_is_not_of_its_type_is_refused(message: Message, complaint: str) -> None:
    for dialect in "@;":
        with pytest.raises(ValueError, match=re.escape(complaint)):
            encode(Transcript([message]), dialect=dialect)


def test_what_is_not_a_json_is_reported_by_its_type() -> None:
    with pytest.raises(ShapeError, match=r"must be an object \(was of type Message\)"):
        message_from_dict(Message("user"))
    with pytest.raises(ShapeError, match=r"must be an array \(was of type Transcript\)"):
        transcript_from_dict(Transcript())
    with pytest.raises(ShapeError, match=r"content must be a string or an object \(was of type bytes\)"):
        message_from_dict({"role": "u", "content": b"x"})
