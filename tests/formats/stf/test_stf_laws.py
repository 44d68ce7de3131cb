"""Laws for every text: nothing raises, chunks and line ends do not matter, findings have places; the dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from formats.stf.random_chats import DOCUMENTS, document
from formats.stf.stf_pieces import Streamed, plain
from llmblocks.core.places import Related
from llmblocks.facts.finding import Finding
from llmblocks.stf import StfError, StfStream, Transcript, decode
from llmblocks.stf.syntax import detect
from llmblocks.stf.values.messages import content_text


def texts(count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield documents, with options for reading them."""
    for number in range(count):
        random = Random(number)
        dialect, role = random.choice(("@", ";", "auto")), random.choice((None, "user", ""))
        yield document(number), {"dialect": dialect, "default_role": role}


def test_any_chunks_give_what_the_whole_gives() -> None:
    for number, (text, options) in enumerate(texts(DOCUMENTS * 12)):
        size = (1, 2, 3, 7, 40)[number % 5]
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        whole, one, streamed = decode(text, **options), Streamed([text], **options), Streamed(chunks, **options)
        assert plain([m.as_dict() for m in streamed.messages]) == plain([m.as_dict() for m in whole.messages])
        assert streamed.findings == whole.findings
        assert plain(streamed.metadata) == plain(whole.metadata)
        assert streamed.has_metadata == whole.has_metadata
        assert repr(streamed.merged()) == repr(one.merged())
        for message, (said, calls, embeds) in zip(streamed.messages, streamed.told(), strict=True):
            assert said == content_text(message.content)
            assert calls == (message.tool_calls or [])
            assert embeds == [p for p in message.content if not isinstance(p, str) and p.as_dict()["type"] != "text"]


def test_every_finding_is_in_the_text_and_strict_decoding_raises_them() -> None:
    for text, options in texts(DOCUMENTS * 4):
        findings = decode(text, **options).findings
        for finding in findings:
            assert 0 <= finding.start <= finding.end <= len(text)
            assert finding.line == text.count("\n", 0, finding.start) + 1
            assert finding.code.startswith("S")
            assert finding.kind
            assert " — " in str(finding.message)
            for related in finding.related:
                assert 0 <= related.start < related.end <= len(text)
        if not findings:
            decode(text, **options, strict=True)
            continue
        with pytest.raises(StfError) as raised:
            decode(text, **options, strict=True)
        assert raised.value.findings == findings
        assert (raised.value.line, raised.value.kind) == (findings[0].line, findings[0].kind)


def read(transcript: Transcript | Streamed, text: str = "") -> list[Any]:
    """Return plain messages and findings; for a text, with the places of the same text with `\\r\\n`."""

    def place(of: Finding | Related) -> tuple[int, int]:
        return of.start + text.count("\n", 0, of.start), of.end + text.count("\n", 0, of.end)

    found = [(f.code, f.kind, f.message, f.line, place(f), [*map(place, f.related)]) for f in transcript.findings]
    return [*(plain(message.as_dict()) for message in transcript.messages), *found]


def test_any_text_says_the_same_with_either_line_end() -> None:
    for number in range(DOCUMENTS * 10):
        text = re.sub(r"\r+\n", "\n", document(number))
        whole = text.replace("\n", "\r\n")
        options: dict[str, Any] = {"dialect": "@", "default_role": (None, "user")[number % 2]}
        cut = number % (len(whole) + 1)
        expected = read(decode(text, **options), text)
        assert read(decode(whole, **options)) == expected
        for chunks in (list(whole), [whole[:cut], whole[cut:]]):
            assert read(Streamed(chunks, **options)) == expected


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
    assert stream.feed("") == []
    stream.feed("@user\nx")
    assert stream.feed("") == []
    assert stream.close()
    assert stream.close() == []
    with pytest.raises(ValueError, match="feed after close"):
        stream.feed("y")
