"""What is coloured, and as what."""

from __future__ import annotations

import pytest

from llmblocks.features.paint import paint
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS, Settings


def colours(text: str, language_id: str, settings: Settings | None = None) -> list[tuple[str, str]]:
    language, settings = find_language(language_id), settings or DEFAULTS
    document = language.open(text, settings)
    return [
        (each.role, placed.section.slice(each.start, each.end))
        for placed in document.placed()
        for each in paint(placed.section, language.paint)
    ]


def test_a_call_shows_its_markers_names_and_pointers() -> None:
    text = "see !!!GADGET_START:Write:w1: a ,b\n!!!ARG:files/0/path\nx 1 true\n!!!GADGET_END\n"
    assert colours(text, "gadget") == [
        ("keyword", "!!!GADGET_START:"),
        ("function", "Write"),
        ("variable", "w1"),
        ("variable", "a"),
        ("variable", "b"),
        ("keyword", "!!!ARG:"),
        ("property", "files"),
        ("number", "0"),
        ("property", "path"),
        ("keyword", "!!!GADGET_END"),
    ]


def test_custom_markers_are_coloured_and_the_defaults_are_not() -> None:
    settings = Settings(markers=Markers("<<<START:", "<<<END:", "@param:"))
    text = "<<<START:G\n@param:a\n1\n<<<END:\n!!!GADGET_START:H\n"
    assert [text for role, text in colours(text, "gadget", settings) if role == "keyword"] == [
        "<<<START:",
        "@param:",
        "<<<END:",
    ]


def test_a_header_that_never_ends_is_text() -> None:
    assert colours("see !!!GADGET_START:Write:w1", "gadget") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@ai name=x\n", [("keyword", "@"), ("keyword", "ai"), ("property", "name"), ("string", "x")]),
        ("@msg {role: 'a'}\n", [("keyword", "@"), ("keyword", "msg"), ("property", "role"), ("string", "'a'")]),
        ("@user\n@@x\n", [("keyword", "@"), ("keyword", "user"), ("keyword", "@")]),
        ("@# a\r\n", [("keyword", "@"), ("comment", "# a")]),
        ("@what x\n", [("keyword", "@")]),
    ],
)
def test_a_command_line_shows_its_name_and_arguments(text: str, expected: list[tuple[str, str]]) -> None:
    assert colours(text, "stf") == expected


def test_arguments_behind_a_byte_order_mark_are_coloured() -> None:
    assert colours("\ufeff@user name=''\n", "stf") == colours("@user name=''\n", "stf")


def test_a_comment_block_is_coloured_line_by_line() -> None:
    found = colours("@/* one\r\ntwo\n\n@*/ three\n", "stf")
    assert [text for role, text in found if role == "comment"] == ["/*", " one", "two", "@", "*/", " three"]


def test_a_tag_shows_its_name_and_attributes() -> None:
    found = colours("a <think n='1' b>x</think>\n", "custom-blocks")
    assert [(role, text) for role, text in found if role not in ("operator",)] == [
        ("type", "think"),
        ("property", "n"),
        ("string", "'"),
        ("string", "1"),
        ("string", "'"),
        ("property", "b"),
        ("type", "think"),
    ]
