"""Fixes of chats beyond their examples, in both dialects."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check, fix
from llmblocks.rules.fix import SAME
from llmblocks.stf import decode


def fixed(text: str, code: str) -> str:
    return fix(text, "stf", unsafe=True, select=(code,)).text


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("S003", ";user\nHello\n;mata\n{a: 1}\n;end", ";user\nHello\n;mata\n{a: 1}\n;end"),  # the end ends nothing yet
        ("S004", ";User\r\nHello\n;# note\n", ";User\r\nHello\n;# note\n"),
        ("S006", "@user\nHello\n@end x\nmore\n@end", "@user\nHello\nmore\n"),
        ("S006", ";user\nHello\n;end", ";user\nHello"),
        ("S007", "@raw\r\n{role: 'user', content: 'x'}", "@raw\r\n{role: 'user', content: 'x'}\r\n@end"),
        ("S007", ";user\nx\n;extra\n{a: 1}\n", ";user\nx\n;extra\n{a: 1}\n;end"),
        ("S007", ";meta\n{a: 1}\n", ";meta\n{a: 1}\n;end"),
        ("S009", "@# note\r\nHello\r\n@ai\r\n", "@# note\r\n@user\r\nHello\r\n@ai\r\n"),
        ("S301", "@user\r\nHello\nyou\r\n\r\n", "@user\nHello\nyou\n\n"),
        ("S301", "@user\r\na\rb\n", "@user\na\rb\n"),
        # a carriage return that is text would become part of a line end, and be lost
        ("S301", "@user\r\na\r\r\n", "@user\r\na\r\r\n"),
        (
            "S301",
            ";user name=Ada\r\nHello\r\n;extra\r\n{a: 1}\r\n;end\r\n",
            ";user name=Ada\nHello\n;extra\n{a: 1}\n;end\n",
        ),
        ("S301", "Hello\r\n;user\r\nx", "Hello\n;user\nx"),
    ],
)
def test_a_fix_changes_what_it_says(code: str, text: str, wanted: str) -> None:
    assert fixed(text, code) == wanted


def test_two_names_that_a_command_may_stand_for_are_both_tried() -> None:
    # a call without an active message is one more mistake
    assert fixed("@usr\n@ai\nHi\n", "S003") == "@user\n@ai\nHi\n"


@pytest.mark.parametrize(
    "text",
    [
        "@User\nHello\n@AI\nHi\n",
        "@user\nHello\n@end\n",
        "@user name=Ada name='Ada'\nHello\n",
        "@message role='user'name='Ada'\nHello\n",
        "\ufeff@user\nHello\n",
        ";# note\n;User\nHello\n;end",
    ],
)
def test_what_changes_no_value_and_cannot_be_meant_is_fixed_safely(text: str) -> None:
    found = fix(text, "stf")
    assert found.left == ()
    assert found.applied
    assert decode(found.text).as_dict() == decode(text).as_dict()


@pytest.mark.parametrize(
    "text",
    [
        "@user\nHello\n@assistent\nHi\n",
        "@user\nWho is it?\n@42\n",
        "@raw\n{role: 'user', content: 'Hi'}\n",
        "Hello\n",
        "@user name='Ada\nHello\n",
        "@user name=Ada name=Grace\nHello\n",
        "@user nmae=Ada\nHello\n",
        "@user name=Ada'\nHello\n",
        ";user\r\nHello",
        "@user\r\nHello\r\n",
        # the block may have been meant
        "@user\nHello\n@rwa\n{role: 'user', content: 'x'}\n@end\n",
    ],
)
def test_what_only_the_author_knows_is_not_fixed_safely(text: str) -> None:
    assert fix(text, "stf").applied == ()
    assert fix(text, "stf", unsafe=True).applied


def test_lf_changes_no_value_in_the_dialect_whose_lines_end_with_crlf_too() -> None:
    text = "@user\r\nHello\r\n!!!GADGET_START:G\r\n!!!ARG:a\r\n1\r\n2\r\n!!!GADGET_END\r\n"
    (applied,) = fix(text, "stf", unsafe=True, select=("S301",)).applied
    assert applied.fix.expected == SAME
    assert fix(f";user\r\n{text[7:]}", "stf", unsafe=True, select=("S301",)).applied[0].fix.expected != SAME


def test_many_mistakes_are_fixed_together() -> None:
    text = "@usr\na\n@assistent\nb\n" * 20 + "@user nmae=x id='y\n@42\n"
    found = fix(text, "stf", unsafe=True)
    assert found.text == "@user\na\n@assistant\nb\n" * 20 + "@user name=x id='y'\n@@42\n"
    assert check(found.text, "stf") == ()


def test_the_dialect_of_the_settings_is_written() -> None:
    found = fix("Hello\n", "stf", unsafe=True, settings=Settings(dialect=";"))
    assert found.text == ";user\nHello\n"


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("S009", "Hello\r\n@ai\r\nHi\r\n", "@user\r\nHello\r\n@ai\r\nHi\r\n"),
        ("S006", "@end\r\n@ai\r\nHi\r\n", "@ai\r\nHi\r\n"),
        ("S006", "@end\r\n@ai\nHi\r\n", "@ai\nHi\r\n"),
    ],
)
def test_the_first_line_that_ends_with_crlf_can_be_another_one(code: str, text: str, wanted: str) -> None:
    assert fixed(text, code) == wanted


def test_with_a_default_role_the_text_before_messages_stays() -> None:
    text = "Hello\n@ai\nHi\n"
    assert fix(text, "stf", unsafe=True, settings=Settings(default_role="user")).text == text
