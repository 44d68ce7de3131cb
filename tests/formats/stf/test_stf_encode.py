"""Encoding: what is written can be read, in both dialects, and nothing is left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.stf.stf_pieces import EXAMPLES, json_values, messages
from llmblocks.json5.reader import MAX_DEPTH
from llmblocks.stf import EmbedPart, Message, TextPart, ToolCall, Transcript, decode, encode, transcript_from_dict
from llmblocks.stf.values.messages import Json

SETTINGS = settings(max_examples=EXAMPLES, deadline=None)
lists_of_messages = st.lists(messages, max_size=4)


@given(lists_of_messages, json_values, st.booleans())
@SETTINGS
def test_a_transcript_comes_back_from_both_dialects(written: list[Message], metadata: Json, has_metadata: bool) -> None:
    metadata = metadata if has_metadata else None
    whole = Transcript(written, metadata, null_metadata=has_metadata and metadata is None)
    for transcript, dialect in ((Transcript(written), "@"), (whole, ";")):
        text = encode(transcript, dialect=dialect)
        read = decode(text, dialect=dialect)
        assert (read.findings, read) == ((), transcript)
        assert decode(text) == transcript


NAMES = {
    "J D": '"J D"', "a'b": '"a\'b"', "a\\b": "a\\b", "": '""', "{x}": "{x}", "a=b": "a=b", "a\u00a0b": "a\u00a0b",
    "a\tb": '"a\\tb"', "a\rb\x0bc\x7f\u2028": "a\rb\x0bc\x7f\u2028", "a \u2028\x01é": '"a \u2028\\u0001é"',
}  # fmt: skip
EXTRAS: list[tuple[Json, str]] = [
    ({"a": [1, None, "x\ny;z"]}, "{\n  a: [\n    1,\n    null,\n    'x\\ny;z',\n  ],\n}"),
    (None, "null"),
    (";x", "';x'"),
    ({}, "{}"),
    ("a\u2028b", "'a\\u2028b'"),
    (
        {"class": 1e-7, "null": 1e-5, "a": 10**20, "b": 1.5e21, "c": 0.5},
        "{\n  class: 1e-7,\n  null: 0.00001,\n  a: 100000000000000000000,\n  b: 1.5e+21,\n  c: 0.5,\n}",
    ),
    (
        ["\x01", "\0", "\x001", "\\u0001", "it's", "'\"", "''\"", "\x7f\v"],
        "[\n  '\\x01',\n  '\\0',\n  '\\x001',\n  '\\\\u0001',\n  \"it's\",\n  '\\'\"',\n  \"''\\\"\",\n  '\x7f\\v',\n]",
    ),
    (
        {"1": 1, "": 2, "a b": 3, "é": 4, "x1$_": 5, "²": 6, "a\u200c": 7},
        "{\n  '1': 1,\n  '': 2,\n  'a b': 3,\n  é: 4,\n  x1$_: 5,\n  '²': 6,\n  a\u200c: 7,\n}",
    ),
    (
        [123456789012345683968, -(2**80), 2**53],
        "[\n  123456789012345680000,\n  -1.2089258196146292e+24,\n  9007199254740992,\n]",
    ),
]
PART = [{"type": "text", "text": "x"}]
REFERENCE: list[tuple[list[dict[str, Json]], str]] = [
    # The output of the encoder of llm-msg-io at 70dba2c, if it can read that again.
    ([], ""),
    ([{"role": "user", "content": "hi"}], ";user\nhi"),
    ([{"role": "user", "content": ""}], ";user"),
    ([{"role": "user", "content": "\n"}], ";user\n\n"),
    ([{"role": "user", "content": "a\n"}], ";user\na\n"),
    ([{"role": "user", "content": "a\n"}, {"role": "assistant", "content": "hi"}], ";user\na\n\n;ai\nhi"),
    ([{"role": "user", "content": ""}, {"role": "assistant", "content": "hi"}], ";user\n;ai\nhi"),
    ([{"role": "user", "content": ";x\n;;y\n ;z"}], ";user\n;;x\n;;;y\n ;z"),
    ([{"role": "user", "content": "a\r\nb\u2028c"}], ";user\na\r\nb\u2028c"),
    ([{"role": "my role", "content": "hi"}], ';msg role="my role"\nhi'),
    ([{"role": "", "content": "hi"}], ';msg role=""\nhi'),
    ([{"role": "{x", "content": "hi"}], ";msg role={x\nhi"),
    ([{"role": "user", "content": "", "extra": 1}], ";user\n;extra\n1\n;end"),
    ([{"role": "user", "content": "a\n", "extra": {}}], ";user\na\n\n;extra\n{}\n;end"),
    (
        [{"role": "user", "content": PART}],
        ";raw\n{\n  role: 'user',\n  content: [\n    {\n      type: 'text',\n      text: 'x',\n    },\n  ],\n}\n;end",
    ),
    ([{"role": "user", "content": "hi", "id": "1", "call_id": "c d"}], ';user id=1 call_id="c d"\nhi'),
    ([{"role": "system", "content": "hi"}, {"role": "developer", "content": ""}], ";sys\nhi\n;dev"),
    ([{"role": "tool", "content": "hi", "id": "1", "name": "n", "call_id": "c"}], ";tool name=n id=1 call_id=c\nhi"),
    ([{"role": "x", "content": "", "call_id": "c", "id": "", "name": "n"}], ';msg role=x name=n id="" call_id=c'),
    *[([{"role": "user", "content": "hi", "name": name}], f";user name={text}\nhi") for name, text in NAMES.items()],
    *[
        ([{"role": "user", "content": "hi", "extra": extra}], f";user\nhi\n;extra\n{text}\n;end")
        for extra, text in EXTRAS
    ],
]


@pytest.mark.parametrize(("plain", "text"), REFERENCE, ids=[text for _, text in REFERENCE])
def test_the_semicolon_dialect_is_laid_out_as_the_reference_does(plain: Json, text: str) -> None:
    assert encode(transcript_from_dict(plain), dialect=";") == text


SHORT_FORMS = [
    (Message("user", "Hi!\nWho are you?\n"), "@user\nHi!\nWho are you?\n\n"),
    (Message("user", ""), "@user\n"),
    (Message("user", "x", tool_calls=[]), "@raw\n{\n  role: 'user',\n  content: 'x',\n  tool_calls: [],\n}\n@end\n"),
    (Message("user", "\n"), "@user\n\n\n"),
    (Message("user", "@ai\n@@\n @"), "@user\n@@ai\n@@@\n @\n"),
    (Message("critic", "no", id="7", name="A B"), '@msg role=critic id=7 name="A B"\nno\n'),
    (
        Message(
            "assistant", "Let me see", tool_calls=[ToolCall("look", '{"at": "it"}', id="c1"), ToolCall("wait", "{}")]
        ),
        '@ai\nLet me see\n@call name=look id=c1\n{"at": "it"}\n@call name=wait\n{}\n',
    ),
    (
        Message("user", [TextPart("This\none:"), EmbedPart("image", "@a b.png", "image/png"), TextPart("?")]),
        "@user\nThis\none:\n@embed type=image mime=image/png\n@@a b.png\n?\n",
    ),
    (
        Message("user", [EmbedPart("file", "", more={"name": "x y", "k": [1, {"b": None}]})]),
        "@user\n@embed {type: 'file', name: 'x y', k: [1, {b: null}]}\n\n",
    ),
]


@pytest.mark.parametrize(("message", "text"), SHORT_FORMS, ids=[text for _, text in SHORT_FORMS])
def test_the_at_dialect_takes_the_short_form_where_it_can(message: Message, text: str) -> None:
    assert encode(Transcript([message])) == text
    assert decode(text).messages == [message]


@pytest.mark.parametrize(
    ("transcript", "dialect", "complaint"),
    [
        (Transcript(metadata={"a": 1}), "@", "the '@' dialect has no place for metadata"),
        (Transcript(null_metadata=True), "@", "the '@' dialect has no place for metadata"),
        (Transcript([Message("user", extra=2**53 + 1)]), "@", "would be rounded"),
        (Transcript([Message("user", extra=10**400)]), "@", "would be rounded"),
        (Transcript([Message("user", extra=(1,))]), ";", "messages[0].extra: a tuple is not JSON"),
    ],
)
def test_what_cannot_be_written_is_refused(transcript: Transcript, dialect: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        encode(transcript, dialect=dialect)


def test_values_too_deep_to_be_read_again_are_refused() -> None:
    deep: Json = []
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    assert decode(encode(Transcript([Message("u", extra=deep)]), dialect=";")).messages[0].extra == deep
    with pytest.raises(ValueError, match="nested deeper"):
        encode(Transcript([Message("u", extra=[deep])]), dialect=";")


@pytest.mark.parametrize("value", [1.0, -0.0, 0.0, 1e15, 2.0**60, 1e20, -123456789012345680000.0])
def test_a_whole_float_stays_one(value: float) -> None:
    (message,) = decode(encode(Transcript([Message("u", extra=value)]), dialect=";")).messages
    assert (type(message.extra), repr(message.extra)) == (float, repr(value))


def test_a_key_that_other_readers_may_not_know_is_quoted() -> None:
    # A letter of Unicode 11, and one past U+FFFF that is not the first.
    extra = {"\u1c90": 1, "a\U0001d400": 2, "\U0001d400": 3, "日本": 4}
    lines = encode(Transcript([Message("u", extra=extra)]), dialect=";").split("\n")[3:7]
    assert [line.split(":")[0] for line in lines] == ["  '\u1c90'", "  'a\U0001d400'", "  \U0001d400", "  日本"]
