"""Which dialect a text is in, and where the two differ."""

from __future__ import annotations

import tracemalloc
from typing import get_args

import pytest

from formats.stf.stf_pieces import Streamed
from llmblocks.stf import Message, StfStream, decode, encode
from llmblocks.stf.syntax.dialect import AT, DIALECTS, SEMICOLON, Mode, detect


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("", "@"),
        ("hello\n", "@"),
        ("@user\n;user\n", "@"),
        (";user\n@user\n", ";"),
        ("; user\n", ";"),
        ("\n x\n;ai\n", ";"),
        ("@# c\n;user\n", "@"),
        (";# c\n@user\n", ";"),
        (";/*\n@user\n;*/\n", ";"),
        ("; hello\n@user\n", "@"),
        ("@everyone\n;user\n", ";"),
        (";;user\n@user\n", "@"),
        ("@@user\n;user\n", ";"),
        ("@flush\n;user\n", ";"),
        (";call\n@user\n", "@"),
        ("@user2\n;user\n", ";"),
        ("\ufeff;user\n", ";"),
        ("x\n\ufeff;user\n", "@"),
        (" ;user\n", "@"),
    ],
)
def test_the_first_command_or_comment_of_a_dialect_decides(text: str, dialect: str) -> None:
    assert detect(text).header == dialect
    for size in (1, 3, 100):
        one = Streamed([text[at : at + size] for at in range(0, len(text), size)])
        assert one.findings == decode(text, dialect=dialect).findings


def test_a_stream_holds_text_back_until_the_dialect_is_known() -> None:
    stream = StfStream(default_role="user")
    assert stream.feed("hello\nworld") == []
    assert [type(event).__name__ for event in stream.feed("\n;ai\n")][:2] == ["MessageStarted", "ContentDelta"]


@pytest.mark.parametrize("size", [1, 100])
def test_a_stream_of_plain_text_is_reported_at_its_end(size: int) -> None:
    text = "hello\nworld"
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert Streamed(chunks, default_role="user").messages == [Message("user", text)]


@pytest.mark.parametrize("make", [lambda: decode("", dialect="#"), lambda: StfStream(dialect="#")])
def test_a_dialect_that_does_not_exist_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match="no dialect '#': use '@', ';' or 'auto'"):
        make()


def test_a_closed_stream_takes_no_more_text() -> None:
    stream = StfStream(dialect="@")
    stream.feed("@user\nx")
    assert stream.close()
    assert stream.close() == []
    with pytest.raises(ValueError, match="feed after close"):
        stream.feed("y")


def test_empty_chunks_say_nothing() -> None:
    stream = StfStream(dialect="@")
    assert stream.feed("") == []
    stream.feed("@user\nx")
    assert stream.feed("") == []


def test_a_final_newline_is_content_in_the_semicolon_dialect_only() -> None:
    assert decode("@user\nhi\n").messages == [Message("user", "hi")]
    assert decode(";user\nhi\n").messages == [Message("user", "hi\n")]


def test_a_carriage_return_ends_no_line_in_the_semicolon_dialect() -> None:
    assert decode(";user \nhi\r\n;ai\nx").messages == [Message("user", "hi\r"), Message("assistant", "x")]


@pytest.mark.parametrize("name", ["call", "embed"])
def test_a_command_that_only_the_at_dialect_has_is_reported_as_that(name: str) -> None:
    (finding,) = decode(f";user\n;{name}\n").findings
    assert str(finding.message).startswith(f"Unknown command '{name}' — only the '@' dialect has it")


def test_the_header_of_the_other_dialect_is_data() -> None:
    assert decode("@user\n;ai\n").messages == [Message("user", ";ai")]
    assert decode(";user\n@ai").messages == [Message("user", "@ai")]


def test_a_transcript_goes_from_one_dialect_to_the_other() -> None:
    at = "@user\n;x\n@@y\n@ai\nz\n"
    semicolon = encode(decode(at), dialect=";")
    assert semicolon == ";user\n;;x\n@y\n;ai\nz"
    assert encode(decode(semicolon)) == at


def test_the_tables_are_whole() -> None:
    for dialect in DIALECTS.values():
        for name, command in dialect.commands.items():
            assert command.name == name
            assert command.mode in get_args(Mode)
            assert dialect.commands[command.canonical].canonical == command.canonical
            assert command.detail
    assert set(AT.commands) ^ set(SEMICOLON.commands) == {"call", "embed", "meta", "extra", "flush"}
    assert (AT.other, SEMICOLON.other) == (SEMICOLON, AT)


def test_a_stream_keeps_nothing_of_what_it_has_told() -> None:
    stream = StfStream(dialect="@")
    message = "@ai\nA message that is emitted, and then forgotten by the stream.\n@nonsense\n"
    for _ in range(4_000):  # Python keeps up to 2,000 freed tuples of each size for itself
        stream.feed(message)
    tracemalloc.start()
    try:
        for _ in range(2_000):
            stream.feed(message)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 20_000


def test_blank_lines_before_a_command_are_no_part_of_what_a_default_role_takes() -> None:
    assert decode("\n;meta\n1\n;end\nx", default_role="user").messages == [Message("user", "x")]
    assert Streamed(["\n;meta\n1\n;end\nx"], dialect=";", default_role="user").messages == [Message("user", "x")]


def test_a_byte_order_mark_is_content_where_the_reference_takes_it_for_that() -> None:
    text = "\ufeff;user\nx"
    assert decode(text, dialect=";", default_role="ai").messages == [Message("ai", text)]
    assert decode(text, dialect=";").messages == [Message("user", "x")]
    assert [finding.kind for finding in decode(text, dialect=";").findings] == ["unexpected_data"]


RETURNS = "x\r\ny\r\r\n@user\r\na\rb\r\n\r\n@foo\r\n@@c\r\r\n@# d\r\ne\r"


@pytest.mark.parametrize("cut", range(len(RETURNS) + 1))
def test_a_carriage_return_may_come_without_the_newline_after_it(cut: int) -> None:
    whole = decode(RETURNS, dialect="@")
    assert whole.messages == [Message("user", "a\rb\n\n@c\r\ne\r")]
    assert [(f.code, RETURNS[f.start : f.end]) for f in whole.findings] == [("S009", "x"), ("S003", "foo")]
    for chunks in ([RETURNS[:cut], RETURNS[cut:]], [*RETURNS[:cut], RETURNS[cut:]]):
        streamed = Streamed(chunks, dialect="@")
        assert streamed.messages == whole.messages
        assert streamed.findings == whole.findings
