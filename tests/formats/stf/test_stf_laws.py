"""Laws for every text: chunks and line ends do not matter, findings have places and are those of an editor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from formats.stf.random_chats import DOCUMENTS, document
from formats.stf.stf_pieces import Streamed, plain
from llmblocks import Settings, check
from llmblocks.core.places import Related
from llmblocks.facts.finding import Finding
from llmblocks.facts.severity import Severity
from llmblocks.stf import StfError, StfStream, Transcript, decode
from llmblocks.stf.rules import RULES
from llmblocks.stf.syntax import detect, first_decided
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


def test_a_stream_holds_text_back_until_the_dialect_is_known_and_a_closed_one_takes_no_more() -> None:
    stream = StfStream(default_role="user")
    assert stream.feed("") == stream.feed("hello\nworld") == []
    assert [type(event).__name__ for event in stream.feed("\n;ai\n")][:2] == ["MessageStarted", "ContentDelta"]
    assert stream.feed("") == []
    assert stream.close()
    assert stream.close() == []
    with pytest.raises(ValueError, match="feed after close"):
        stream.feed("y")


CODES = frozenset(rule.code for rule in RULES if not rule.reference)
"""Findings of editors only, where decoding reads the text as written."""


def told(text: str, dialect: str, role: str) -> list[Finding]:
    """Return the findings of an editor."""
    chosen = Settings(dialect=dialect, default_role=role, select=("S",))  # type: ignore[arg-type]
    return sorted([each for each in check(text, "stf", chosen) if each.code not in CODES], key=_order)


def found(text: str, dialect: str, role: str) -> list[Finding]:
    """Return the findings of decoding."""
    findings = decode(text, dialect=dialect, default_role=role or None).findings
    return sorted(
        [Finding(each.code, each.start, each.end, each.message, each.severity, each.related) for each in findings],
        key=_order,
    )


def _order(finding: Finding) -> tuple[int, int, str, str]:
    return finding.start, finding.end, finding.code, str(finding.message)


def _differs(text: str, dialect: str, role: str) -> bool:
    """Return whether an editor reads a text in another way.

    It reads on line by line: before the line that tells the dialect, it is the `@` dialect.
    And it shows a byte-order mark that is text of a message, in one dialect, as a mark.
    """
    header = detect(text).header if dialect == "auto" else dialect
    first = re.search("^\ufeff?[@;].*", text, re.MULTILINE)
    unclear = dialect == "auto" and header == ";" and first is not None
    if unclear and first is not None:
        unclear = first_decided(first[0]) is None or "\r" in text[: first.start()]
    return unclear or (header == ";" and role != "" and text.startswith("\ufeff"))


def test_a_key_given_twice_in_a_long_block_leads_to_the_one_before() -> None:
    text = ";user\n" + "Hello.\n" * 2000 + ";extra\n{b: 1,\n" + " " * 9000 + "\nkey: 2,\nkey: 3}\n;end\n"
    (repeated,) = told(text, ";", "")
    assert [text[each.start : each.end + 3] for each in repeated.related] == ["key: 2"]
    assert told(text, ";", "") == found(text, ";", "")


def test_an_editor_is_reported_what_decoding_finds_in_chats() -> None:
    for number in range(DOCUMENTS * 2):
        text, role = document(number), ("", "user")[number % 2]
        for dialect in ("@", ";", "auto"):
            if not _differs(text, dialect, role):
                assert told(text, dialect, role) == found(text, dialect, role), (text, dialect)


@pytest.mark.parametrize(
    ("text", "code"),
    [(f"@user name={'x' * 20_000}'\n", "S109"), (f"@raw\n{{a:{' ' * 80_000}\n@end\n", "S106")],
    ids=["arguments", "block"],
)
def test_commands_too_long_for_a_keystroke_are_left_to_the_decoder(text: str, code: str) -> None:
    assert [finding.code for finding in decode(text).findings] == [code]
    assert told(text, "@", "") == []


@pytest.mark.parametrize(
    ("before", "command", "severity"),
    [
        ("\r\n", "@user", Severity.INFORMATION),
        ("\r\n", ";user", Severity.ERROR),
        ("some text in front of it\r\n\r\n", ";# note", Severity.ERROR),
        ("; text\r\n@ text\r\n", ";user", Severity.ERROR),
        ("; text\r\n@ text\r\n", "@user", Severity.INFORMATION),
        ("\r\n", "x", Severity.INFORMATION),
    ],
)
def test_a_crlf_before_what_tells_the_dialect_is_reported_in_that_dialect(
    before: str, command: str, severity: Severity
) -> None:
    settings = Settings(select=("S301",))
    text = f"{before}{command}\nx"
    (finding,) = check(text, "stf", settings)
    assert (finding.start, finding.severity) == (text.index("\r\n"), severity)


def test_a_call_outside_of_messages_keeps_its_line_ends_when_a_message_is_flushed_after_it() -> None:
    call = "a!!!GADGET_START:Open\r\n!!!ARG:file\r\na.txt\r\n!!!ARG:mode\r\nread\r\n!!!GADGET_END\r\n"
    for behind in ("", ";meta\r\n{}\r\n;end\r\n", ";meta\r\n{}\r\n;end\r\n;flush\r\n"):
        assert "G117" not in [finding.code for finding in check(call + behind, "stf")]
    flushed = f";user\r\n{call}x\r\n;flush\r\n"
    assert "G117" in [finding.code for finding in check(flushed, "stf")]


def test_a_return_before_a_line_end_is_reported_with_it() -> None:
    text = "@ai\r\n!!!GADGET_START:Open\r\n!!!ARG:file\r\na.txt\r\r\n!!!ARG:mode\r\nread\r\n!!!GADGET_END\r\n"
    told = [text[each.start : each.end] for each in check(text, "stf") if each.code == "G117"]
    assert told == ["\r\r\n"]
