"""Texts of ours in Markdown fences, and their places in both."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from examples import examples
from llmblocks.hosts.embedded import EmbeddedText, Segment
from llmblocks.hosts.markdown import Markdown

HOST = Markdown(("gadget", "stf", "custom-blocks"))


def found(text: str) -> list[tuple[str, str]]:
    return [(each.language_id, each.text) for each in HOST.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n```stf\n@user\nhi\n```\n@user\n", [("stf", "@user\nhi\n")]),
        ("~~~~ GADGET {.x}\n```\n~~~\n~~~~\n", [("gadget", "```\n~~~\n")]),
        ("```custom-blocks: a.blocks\n<think>", [("custom-blocks", "<think>")]),
        ("```stf\n```\n```stf\n", [("stf", ""), ("stf", "")]),
        ("```stfx\n@user\n```\n```\n@user\n```\n", []),
        ("    ```stf\n    @user\n    ```\n", []),
        ("`` ```stf `` is inline\n", []),
    ],
)
def test_a_fence_that_names_a_language_is_a_document(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- one\n\n  ```stf\n  @user\n    hi\n\n  x\n  ```\n", "@user\n  hi\n\nx\n"),
        ("- ```stf\n  @user\nbehind the list\n", "@user\n"),
        ("12. > ```stf\n    > @user\n    >hi\n    > ```\n", "@user\nhi\n"),
        ("   ```stf\n @user\n     hi\n   ```\n", "@user\n  hi\n"),
        ("- ```stf\n\thi\n  \tyou\n  ```\n", "  hi\n\tyou\n"),
        ("> ```stf\r\n> @user\r\n> ```\r\n", "@user\r\n"),
        ("- ```stf\r  a\0b\r  ```\r", "a\0b\r"),
    ],
)
def test_a_line_loses_what_belongs_to_the_host(text: str, expected: str) -> None:
    assert found(text) == [("stf", expected)]


def assert_places_correspond(text: str, embedded: EmbeddedText) -> None:
    inner = embedded.text
    for offset in range(len(inner)):
        outside = embedded.outside(offset)
        if text[outside] == inner[offset]:
            assert embedded.inside(outside) == offset
        else:
            # spaces that are left of a tab
            assert (text[outside], inner[offset]) == ("\t", " ")
    outsides = [embedded.outside(offset) for offset in range(len(inner) + 1)]
    assert outsides == sorted(outsides)
    insides = [offset for offset in map(embedded.inside, range(len(text) + 1)) if offset is not None]
    assert insides == sorted(insides)
    assert insides[-1] == len(inner)


PIECES = [
    *("```stf\n", "~~~stf\n", "```", "~~~", "- ", "  ", "> ", "1. ", "\t", "\n", "\r\n", "\r", "x", "@user"),
    *("\0", "é"),
]


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_places_correspond_in_any_document_and_texts_are_what_commonmark_says(text: str) -> None:
    blocks = HOST.find(text)
    for each in blocks:
        assert_places_correspond(text, each)
    normal = [each.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd") for each in blocks]
    assert normal == [
        token.content
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "fence" and token.info.split()[:1] == ["stf"]
    ]


def test_each_blank_of_a_line_has_a_place_of_its_own() -> None:
    text = "> ```stf\n>   a\n> ```\n"
    (block,) = HOST.find(text)
    assert [block.outside(each) - text.index("  a") for each in range(4)] == [0, 1, 2, 3]


def test_the_end_of_an_escape_at_the_end_of_a_text_is_its_end() -> None:
    block = EmbeddedText("stf", (Segment(0, 3, 0, "abc"), Segment(3, 9, 3, "\n")))
    assert [block.outside(3), block.outside(4)] == [3, 9]


def test_places_correspond_through_escapes() -> None:
    text = r'"a\nb\u00e9c"'
    parts = (Segment(1, 2, 0, "a"), Segment(2, 4, 1, "\n"), Segment(4, 5, 2, "b"), Segment(5, 11, 3, "é"))
    embedded = EmbeddedText("stf", (*parts, Segment(11, 12, 4, "c")))
    assert embedded.text == "a\nbéc"
    assert [embedded.outside(offset) for offset in range(6)] == [1, 2, 4, 5, 11, 12]
    assert [embedded.inside(offset) for offset in range(len(text) + 1)] == [
        None, 0, 1, 1, 2, 3, 3, 3, 3, 3, 3, 4, 5, None,
    ]  # fmt: skip
