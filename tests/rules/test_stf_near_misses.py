"""Texts that nearly have a problem of Simple Text Format, and have none."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check

NEAR = {
    "S009": ["\ufeff\n@user\nx\n", "\r\n@user\r\nx\r\n", ""],
    "S102": ["@user\r\nx\r\n"],
    "S301": ["@user\nx\ry\n", "@user\nx\r", ";user\nx\r"],
    "S303": ["@user\nx\n", "@user\n\ufeff\n", "@user\nx\ufeff\n", "\n\ufeff@user\nx\n"],
}
"""By rule, texts that a Markdown file cannot hold."""


def codes(text: str, settings: Settings | None = None) -> set[str]:
    return {finding.code for finding in check(text, "stf", settings)}


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in NEAR.items() for text in texts])
def test_what_is_nearly_a_problem_is_none(code: str, text: str) -> None:
    assert code not in codes(text)


@pytest.mark.parametrize(
    "line", ["user", "user name=Ada", "user {name: 'Ada'}", "ai", "raw", "tool id='1'", "message role=user"]
)
@pytest.mark.parametrize(("header", "other"), ["@;", ";@"])
def test_a_whole_command_line_of_the_other_dialect_is_reported(header: str, other: str, line: str) -> None:
    assert codes(f"{header}user\nHello\n{other}{line}\nHi") == {"S302"}


def test_a_default_role_makes_a_message_of_text_outside_of_messages() -> None:
    assert codes("Hello\n@ai\nHi\n", Settings(default_role="user")) == set()
    assert codes("@message\nHi\n", Settings(default_role="user")) == set()
