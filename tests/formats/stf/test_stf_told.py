"""An editor reports exactly the findings of decoding."""

from __future__ import annotations

import re

import pytest

from examples import LAWS
from formats.stf.random_chats import document
from llmblocks import Settings, check
from llmblocks.facts.finding import Finding
from llmblocks.facts.severity import Severity
from llmblocks.stf import decode
from llmblocks.stf.rules import RULES
from llmblocks.stf.syntax import detect, first_decided

DOCUMENTS = LAWS
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


def test_arguments_too_long_for_a_keystroke_are_left_to_the_decoder() -> None:
    text = f"@user name={'x' * 20_000}'\n"
    assert [finding.code for finding in decode(text).findings] == ["S109"]
    assert told(text, "@", "") == []


def test_a_block_too_long_for_a_keystroke_is_left_to_the_decoder() -> None:
    text = f"@raw\n{{a:{' ' * 80_000}\n@end\n"
    assert [finding.code for finding in decode(text).findings] == ["S106"]
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
