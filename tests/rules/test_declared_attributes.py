"""Attributes of tags against those that the settings declare."""

from __future__ import annotations

from llmblocks import Settings, check
from llmblocks.settings.values import DEFAULT_TAGS
from llmblocks.tags.declared import Attribute, Tag

CHOSEN = Settings(
    tags=(*DEFAULT_TAGS, "cite"),
    declared_tags=(
        Tag("artifact", attributes=(Attribute("type", required=True, values=("code", 'a "b"')), Attribute("title"))),
        Tag("tool", attributes=()),
        Tag("cite"),
    ),
)


def test_a_message_says_what_to_write() -> None:
    first, second, third = check("<artifact titel=1 zzz/><tool a/>", "custom-blocks", CHOSEN)[1:]
    assert "write 'title'" in str(first.message)
    assert "it has type, title" in str(second.message)
    assert "remove it" in str(third.message)
