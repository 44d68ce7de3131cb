"""Completions at the cursor, and their effects on the text."""

from __future__ import annotations

import pytest

from llmblocks.features.completion import complete
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS, Settings
from marked import cursor


def offered(marked: str, language_id: str, settings: Settings | None = None) -> list[str]:
    """Return the line with the cursor, as each suggestion would make it."""
    text, offset = cursor(marked)
    language, settings = find_language(language_id), settings or DEFAULTS
    found = complete(Ask(language.open(text, settings), language, settings, offset, offset))
    made = [text[: each.start] + each.text + "$0" + text[each.end :] for each in found]
    return [next(line.replace("$0", "") for line in text.split("\n") if "$0" in line) for text in made]


CALL = "!!!GADGET_START:G\n!!!ARG:a\n1\n"


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("!!$0\n", ["!!!GADGET_START:"]),
        ("see !!!GAD$0\n", ["see !!!GADGET_START:"]),
        ("see $0\n", []),
        (CALL + "$0", ["!!!ARG:", "!!!GADGET_END", "!!!GADGET_START:"]),
        (CALL + "!!!A$0", ["!!!ARG:"]),
        (CALL + "!!!GADGET_E$0\n!!!ARG:b\n", ["!!!GADGET_END"]),
        (CALL + "!!!GADGET_END\n!!!A$0", []),
        (CALL + "!!!A$0!!!GADGET_START:H\n", ["!!!ARG:!!!GADGET_START:H"]),
    ],
)
def test_markers_are_offered_where_they_mean_something(marked: str, expected: list[str]) -> None:
    assert offered(marked, "gadget") == expected


def test_the_users_own_markers_are_offered() -> None:
    settings = Settings(markers=Markers("<<<START:", "<<<END:", "@param:"))
    assert offered("<<<START:G\n@pa$0", "gadget", settings) == ["@param:"]


def test_commands_are_offered_after_a_header_character() -> None:
    assert "@user" in offered("@$0\n", "stf")
    assert "@ assistant" in offered("@ a$0\n", "stf")
    assert ";meta" in offered(";me$0\n", "stf")
    assert offered("@user x$0\n", "stf") == []
    assert offered("me@$0\n", "stf") == []


def test_what_begins_with_what_is_typed_comes_first() -> None:
    assert offered("@s$0", "stf")[:3] == ["@system", "@sys", "@user"]


def test_nothing_is_offered_in_a_comment() -> None:
    assert offered("@/*\n@us$0\n", "stf") == []
    assert offered("@# !!!$0\n", "stf") == []


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("a <th$0", ["a <think", "a <note"]),
        ("<think>a <$0", ["<think>a </think>"]),
        ("<think>a </$0 b", ["<think>a </think> b"]),
        ("<think>a</think> </$0", []),
        ("a < b$0", []),
    ],
)
def test_registered_tags_are_offered_after_a_bracket(marked: str, expected: list[str]) -> None:
    assert offered(marked, "custom-blocks", Settings(tags=("think", "note"))) == expected
