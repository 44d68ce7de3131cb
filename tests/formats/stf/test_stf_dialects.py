"""Which dialect a text is in, and where the two differ."""

from __future__ import annotations

import pytest

from formats.stf.stf_pieces import Streamed
from llmblocks.stf import StfStream, decode
from llmblocks.stf.syntax import detect


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
