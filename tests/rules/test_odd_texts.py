"""Findings, their grades and words in texts that a Markdown file cannot hold. The others are in G001.md and so on."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check
from llmblocks.facts.severity import Severity
from marked import unmark

CALL = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
OPEN = "!!!GADGET_START:G \n!!!ARG:a\n" + "some text\n" * 9
HINT, INFORMATION = Severity.HINT, Severity.INFORMATION
TWO = "@user id=q\nHello\n{}@user id=q\nHello\n"


@pytest.mark.parametrize(
    ("language_id", "marked"),
    [
        (
            "gadget",
            "x !!!GADGET_START: \t: i \r\n  ^^^^^^^^^^^^^^^^^^^^^^ G001\n  ^^^^^^^^^^^^^^^^ G007\n!!!GADGET_END",
        ),
        ("gadget", "\r\n!!!GADGET_START:G\n!!!GADGET_END \r\n!!!GADGET_START:G\n!!!GADGET_END \r\n"),
        ("gadget", "!!!GADGET_START:G\r\n\n \t\r\n!!!ARG:a\n1\n!!!GADGET_END\n"),
        ("gadget", "!!!GADGET_START:G\n!!!ARG:\n^^^^^^^ G106\na\rb\n!!!GADGET_END\n"),
        # trimmed, both
        ("gadget", "!!!GADGET_START:G\n!!!ARG:a\r\n42\r\n!!!ARG:b\r\nx\r\n!!!GADGET_END\n"),
        # too large for a number: it stays text
        ("gadget", f"!!!GADGET_START:G\n!!!ARG:a\n{'1' * 310}\n!!!GADGET_END\n"),
        ("stf", "\r\n^ S301\n@user\r\nx\r\n"),
        ("stf", "@user\nx\ry\n@ai\nx\r"),
        ("stf", ";user\nx\r"),
        ("stf", "@user\n\ufeff\nx\ufeff\n"),
        ("stf", "\ufeff\n^ S303\n@user\nx\n"),
        ("stf", TWO.format("@ #llmblocks:ignore [ S203 ]\r\n").replace("ello\n", "ello\r\n     ^^ S301\n", 1)),
        ("stf", "@user name=\n           ^ S103\n"),
        ("stf", "@# llmblocks: ignore[S103]\n@user name="),
        ("custom-blocks", f"{'a ' * 20_000}<!-- llmblocks: ignore[T002] --></think>\n"),
        ("custom-blocks", "<!-- llmblocks:\rall -->\n^^^^^^^^^^^^^^^ C011\n<think>a\n^^^^^^ T001\n"),
    ],
)
def test_the_findings_of_a_text_are_those_that_are_marked(language_id: str, marked: str) -> None:
    text, marks = unmark(marked)
    found = [(each.code, each.start) for each in check(text, language_id)]
    assert found == [(mark.code, mark.start) for mark in marks]


@pytest.mark.parametrize(
    ("text", "severities"),
    [
        (OPEN + OPEN, [INFORMATION, HINT]),
        (f"@ai\n{OPEN}@user\n{OPEN}", [INFORMATION, HINT]),
        (f";ai\n{OPEN};flush\n", [INFORMATION]),
    ],
)
def test_a_call_without_an_end_marker_is_a_hint_only_where_it_may_grow(text: str, severities: list[Severity]) -> None:
    language_id = "gadget" if text[0] == "!" else "stf"
    assert [each.severity for each in check(text, language_id, Settings(select=("G008",)))] == severities
    graded = check(text, language_id, Settings(select=("G008",), severity=(("G008", "warning"),)))
    assert {each.severity for each in graded} == {Severity.WARNING}


@pytest.mark.parametrize(
    ("language_id", "text", "says"),
    [
        (
            "gadget",
            "!!!GADGET_START:a b\n!!!GADGET_END\n",
            "Invalid gadget name: `a b` — llmist uses it exactly as written",
        ),
        (
            "gadget",
            "!!!GADGET_START:G\n!!!ARG:a\n1\n  !!!ARG:b\n1\n!!!GADGET_END\n",
            "`!!!ARG:` after spaces — llmist adds",
        ),
        (
            "gadget",
            "!!!GADGET_START:G\nx\n!!!ARG:a\n1\n!!!GADGET_END\n",
            "Text before the arguments — llmist ignores it; ",
        ),
        ("stf", "@# llmblocks: ignore S203, G101\n@user\n", "write ignore[S203, G101]"),
        ("stf", "@# llmblocks: ignore[X9]\n@user\n", "llmblocks explain"),
        ("stf", ";# llmblock: ignore[S203]\n;user\n", "write ;# llmblocks: ignore[CODE]"),
        ("stf", "@user\n<!-- llmblocks: ignore -->\n", "in a comment line in front of the message"),
        ("custom-blocks", "<!-- llmblocks: ignore\n-->", "write <!-- llmblocks: ignore[CODE] --> on one line"),
        ("custom-blocks", "<think><!-- llmblocks: ignore --></think>", "in a block it is content"),
    ],
)
def test_a_message_says_what_to_write_instead(language_id: str, text: str, says: str) -> None:
    (found,) = check(text, language_id)
    assert says in str(found.message)


def test_ignored_text_is_faded() -> None:
    (found,) = check("!!!GADGET_START:G\nx\n!!!ARG:a\n1\n!!!GADGET_END\n", "gadget")
    assert found.unnecessary
