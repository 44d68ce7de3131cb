"""Attributes of tags against those that the settings declare."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check, fix
from llmblocks.settings.values import DEFAULT_TAGS
from llmblocks.tags.syntax.declared import Attribute, Tag

CHOSEN = Settings(
    tags=(*DEFAULT_TAGS, "cite"),
    declared_tags=(
        Tag("artifact", attributes=(Attribute("type", required=True, values=("code", 'a "b"')), Attribute("title"))),
        Tag("tool", attributes=()),
        Tag("cite"),
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<artifact type=code title='x'>y</artifact>", []),
        ("<artifact type='' type=x/>", [("T007", "type=''")]),
        ("<artifact Type=code>y</artifact>", [("T102", "<artifact Type=code>"), ("T101", "Type")]),
        ("<artifact/>", [("T102", "<artifact/>")]),
        ("<tool a/>", [("T101", "a")]),
        ("<tool/>", []),
        # any attribute is allowed
        ("<cite a=1/><think b=2>x</think>", []),
        # no tags
        ("<artifacts/> </tool a=1> <artifact", []),
        ("<think><artifact/></think>", []),
        # over several lines
        ("<artifact\ntitel=x/>", [("T102", "<artifact\ntitel=x/>"), ("T101", "titel")]),
    ],
)
def test_attributes_are_compared_with_the_declared_ones(text: str, expected: list[tuple[str, str]]) -> None:
    found = check(text, "custom-blocks", CHOSEN)
    assert [(each.code, text[each.start : each.end]) for each in found] == expected
    assert not [each for each in check(text, "custom-blocks") if each.code.startswith("T1")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<artifact titel=x type=code/>", "<artifact title=x type=code/>"),
        ("<artifact/>", '<artifact type="code"/>'),
        ("<artifact\n  titel=x\n>y</artifact>", '<artifact\n  title=x\n type="code">y</artifact>'),
        ("<artifact />", '<artifact type="code" />'),
        ("<artifact title=x >y</artifact>", '<artifact title=x type="code" >y</artifact>'),
        ("<artifact type=code zzz/>", "<artifact type=code zzz/>"),
    ],
)
@pytest.mark.parametrize("language_id", ["custom-blocks", "gadget"])
def test_they_are_made_the_declared_ones(text: str, wanted: str, language_id: str) -> None:
    assert fix(text, language_id, settings=CHOSEN).applied == ()
    assert fix(text, language_id, unsafe=True, settings=CHOSEN).text == wanted


def test_a_message_says_what_to_write() -> None:
    first, second, third = check("<artifact titel=1 zzz/><tool a/>", "custom-blocks", CHOSEN)[1:]
    assert "write 'title'" in str(first.message)
    assert "it has type, title" in str(second.message)
    assert "remove it" in str(third.message)
