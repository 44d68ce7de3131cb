"""Fixes of chats beyond their examples, in both dialects."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check, fix
from llmblocks.rules.expected import SAME
from llmblocks.stf import decode


def fixed(text: str, code: str) -> str:
    return fix(text, "stf", unsafe=True, select=(code,)).text


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("S003", "@usr\nHello\n", "@user\nHello\n"),
        ("S003", "@user\nHello\n@Assistnat\nHi\n", "@user\nHello\n@assistant\nHi\n"),
        ("S003", "@ai\n@cal name=look\n{}\n", "@ai\n@call name=look\n{}\n"),
        ("S003", "@ai\n@ cal name=look\n{}\nDone\n@user\nx\n", "@ai\n@ call name=look\n{}\nDone\n@user\nx\n"),
        ("S003", ";user\nHello\n;assistent\nHi", ";user\nHello\n;assistant\nHi"),
        ("S003", ";user\nHello\n;mata\n{a: 1}\n;end", ";user\nHello\n;mata\n{a: 1}\n;end"),  # the end ends nothing yet
        # the other dialect, and words that are near no command
        ("S003", "@user\nHello\n@meta\n{}\n", "@user\nHello\n@meta\n{}\n"),
        ("S003", "@user\nHello\n@media print\n", "@user\nHello\n@media print\n"),
        ("S003", "@user\nHello\n@john\n@ed\n", "@user\nHello\n@john\n@ed\n"),
        # the message after it would change its role
        ("S003", "@user\nHello\n@assistent\nHi\n@message\nx\n", "@user\nHello\n@assistent\nHi\n@message\nx\n"),
        # the tool call would have no data
        ("S003", "@ai\nx\n@cal name=look\n@user\ny\n", "@ai\nx\n@cal name=look\n@user\ny\n"),
        ("S004", "@USER name=Ada\nHello\n@Ai\nHi\n", "@user name=Ada\nHello\n@ai\nHi\n"),
        ("S004", ";User\r\nHello\n;# note\n", ";User\r\nHello\n;# note\n"),
        ("S004", ";ai\nx\n;Meta\n{}\n;End\n", ";ai\nx\n;meta\n{}\n;end\n"),
        ("S004", "@Raw\n{role: 'user', content: 'x'}\n@END\n", "@raw\n{role: 'user', content: 'x'}\n@end\n"),
        ("S005", "@user\n@ 42\nx\n", "@user\n@@ 42\nx\n"),
        ("S005", ";user\nx\n;-)\ny", ";user\nx\n;;-)\ny"),
        ("S005", "@ai\n@embed type=image\na.png\n@42\n", "@ai\n@embed type=image\na.png\n@@42\n"),
        # outside of messages it would be lost as text
        ("S005", "@42\n@user\nHello\n", "@42\n@user\nHello\n"),
        # in a block it would break the JSON5
        ("S005", "@raw\n@42\n{role: 'user', content: 'x'}\n@end\n", "@raw\n@42\n{role: 'user', content: 'x'}\n@end\n"),
        ("S006", "@user\nHello\n@end x\nmore\n@end", "@user\nHello\nmore\n"),
        ("S006", ";user\nHello\n;end", ";user\nHello"),
        # what would become the data of the call
        ("S006", "@ai\n@call name=look\n@end\n{}\n", "@ai\n@call name=look\n@end\n{}\n"),
        ("S007", "@raw\r\n{role: 'user', content: 'x'}", "@raw\r\n{role: 'user', content: 'x'}\r\n@end"),
        ("S007", ";user\nx\n;extra\n{a: 1}\n", ";user\nx\n;extra\n{a: 1}\n;end"),
        ("S007", ";meta\n{a: 1}\n", ";meta\n{a: 1}\n;end"),
        # stray data is not JSON5
        ("S007", "@raw\n{role: 'user'\n", "@raw\n{role: 'user'\n"),
        ("S009", "\n Hello\nyou\n@ai\nHi\n", "\n@user\n Hello\nyou\n@ai\nHi\n"),
        ("S009", "\ufeffHello\n@ai\nHi\n", "\ufeff@user\nHello\n@ai\nHi\n"),
        ("S009", "@# note\r\nHello\r\n@ai\r\n", "@# note\r\n@user\r\nHello\r\n@ai\r\n"),
        ("S009", "Hello\n;ai\nHi", ";user\nHello\n;ai\nHi"),
        ("S009", "Hello\n@# a note\n@ai\nHi\n", "@user\nHello\n@# a note\n@ai\nHi\n"),
        ("S009", "@call name=look\n{}\n", "@assistant\n@call name=look\n{}\n"),
        ("S009", "@embed\na.png\n", "@user\n@embed\na.png\n"),
        ("S009", ";extra\n{a: 1}\n;end\n", ";user\n;extra\n{a: 1}\n;end\n"),
        ("S009", "@@42\n@ai\nHi\n", "@user\n@@42\n@ai\nHi\n"),
        ("S009", "Hello", "@user\nHello"),
        # with a role to inherit, the message after it would change
        ("S009", "Hello\n@message\nHi\n", "Hello\n@message\nHi\n"),
        ("S104", "@user name='Ada Lovelace id=1\nHello\n", "@user name='Ada Lovelace' id=1\nHello\n"),
        ("S104", "@user name='Ada\nHello\n", "@user name='Ada'\nHello\n"),
        ("S104", ';user name="Ada\nHello', ';user name="Ada"\nHello'),
        # `and=` would be an unknown argument
        ("S104", "@user name='me and=you\nHello\n", "@user name='me and=you'\nHello\n"),
        ("S104", "@user name='Ada\\\nHello\n", "@user name='Ada\\\nHello\n"),
        ("S105", "@user name=Ada name='Grace Hopper' id=1\nHello\n", "@user name=Ada id=1\nHello\n"),
        ("S105", "@user name='a'name='b'\nHello\n", "@user name='a'\nHello\n"),
        ("S105", ";user name=Ada  name=Ada\nHello", ";user name=Ada\nHello"),
        ("S108", "@user {'nmae': 'Ada'}\nHello\n", "@user {'name': 'Ada'}\nHello\n"),
        ("S108", "@ai\n@call callid=1 name=look\n{}\n", "@ai\n@call call_id=1 name=look\n{}\n"),
        ("S108", ";user Name=Ada\nHello", ";user name=Ada\nHello"),
        ("S108", "@user nmae=Ada name=Grace\nHello\n", "@user nmae=Ada name=Grace\nHello\n"),
        ("S108", "@user colour=red\nHello\n", "@user colour=red\nHello\n"),
        ("S108", "@user type=image\nHello\n", "@user type=image\nHello\n"),
        ("S109", "@user name=\"x' id=1\nHello\n", "@user name=\"x' id=1\nHello\n"),
        ("S109", "@user name=Ada' id=1\nHello\n", "@user name='Ada' id=1\nHello\n"),
        ("S109", '@user name=Ada"\nHello\n', '@user name="Ada"\nHello\n'),
        ("S109", "@user name=O'Brien'\nHello\n", "@user name=\"O'Brien'\"\nHello\n"),
        ("S109", ";user name=Ada'\nHello", ";user name='Ada'\nHello"),
        ("S109", "@user name=C:\\new'\nHello\n", "@user name=C:\\new'\nHello\n"),
        ("S110", "@msg role='ai'name='x'id='1'\nHello\n", "@msg role='ai' name='x' id='1'\nHello\n"),
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
        ("S303", "\ufeff;user\nHello", ";user\nHello"),
        ("S303", "\ufeffHello\n", "Hello\n"),
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
