"""The tokens of tags and their attributes."""

from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks.core.document import Document
from llmblocks.tags import CustomBlock, TagHandler, TagStream
from llmblocks.tags.editor.blocks import begun_in
from llmblocks.tags.scanner import TagScanner
from llmblocks.tags.syntax import parse_attributes


def shown(text: str, *names: str) -> list[tuple[str, str]]:
    document = Document(TagScanner(names or NAMES), text)
    at = 0
    found = []
    for kind, width in document.tokens():
        found.append((kind.name, text[at : at + width]))
        at += width
    return found


def test_a_block_and_its_attributes() -> None:
    assert shown("a<think k=\"v\" b='w'c = 1 d>x</think>y") == [
        ("text", "a"), ("opening-bracket", "<"), ("tag-name", "think"), ("gap", " "),
        ("attribute", "k"), ("equals", "="), ("quote", '"'), ("attribute-value", "v"), ("quote", '"'), ("gap", " "),
        ("attribute", "b"), ("equals", "="), ("quote", "'"), ("attribute-value", "w"), ("quote", "'"),
        ("attribute", "c"), ("gap", " "), ("equals", "="), ("gap", " "), ("attribute-value", "1"), ("gap", " "),
        ("attribute", "d"), ("opened", ">"), ("content", "x"), ("closing-bracket", "</"), ("tag-name", "think"),
        ("closed", ">"), ("text", "y"),
    ]  # fmt: skip


def test_a_slash_before_the_bracket_closes_also_inside_a_quoted_value() -> None:
    assert shown('<done a="x/>')[-3:] == [("quote", '"'), ("attribute-value", "x"), ("self-closed", "/>")]
    assert shown("<done/>")[-2:] == [("tag-name", "done"), ("self-closed", "/>")]
    assert shown("<done/ >")[-2:] == [("gap", "/ "), ("opened", ">")]


def test_no_registered_tags_is_all_text() -> None:
    assert [name for name, _ in shown("<think>x</think><", "1t")] == ["text"]


@given(texts)
def test_the_blocks_of_a_document_are_those_of_the_stream(text: str) -> None:
    stream = TagStream({name: TagHandler() for name in NAMES})
    streamed = [delta for delta in stream.feed(text) + stream.flush() if isinstance(delta, CustomBlock)]
    sections = Document(TagScanner(NAMES), text).sections
    blocks = [block for section in sections for block in begun_in(section) if block.ended]
    assert [CustomBlock(each.tag, each.content.text, each.values, each.self_closing) for each in blocks] == streamed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("a=\"1\" b='x y' c=3 d", {"a": "1", "b": "x y", "c": "3", "d": ""}),
        ("a = \t\r\n1", {"a": "1"}),
        ("a\u00a0=1", {"a": ""}),
        ("a=1\u00a0", {"a": "1"}),
        ("a=1\u0085", {"a": "1\u0085"}),
        ("a=1\x1c", {"a": "1\x1c"}),
        ("a=1\ufeff", {"a": "1"}),
        ('a="x ', {"a": "x"}),
        ('a="x " ', {"a": "x "}),
        ("a= ", {"a": ""}),
        ("a=b=c", {"a": "b=c"}),
        ("a==b", {"a": "=b"}),
        ("a=/b", {"a": "", "b": ""}),
        ("__proto__=1 constructor=2", {"constructor": "2"}),
        ("a=1 b=2 a=3", {"a": "3", "b": "2"}),
    ],
)
def test_an_attribute_list_is_read_as_the_reference_reads_it(text: str, expected: dict[str, str]) -> None:
    found = parse_attributes(text)
    assert found == expected
    assert list(found) == list(expected)


@given(texts)
def test_attributes_with_places_are_the_attributes(text: str) -> None:
    for section in Document(TagScanner(NAMES), text).sections:
        for tag in begun_in(section):
            whole, values = section.text, {}
            for each in tag.attributes:
                assert whole[each.start : each.name_end] == each.name
                values[each.name] = whole[each.value : each.value_end]
                if each.quote:
                    assert whole[each.value - 1] == each.quote
                    assert each.closed == (each.end == each.value_end + 1)
                    assert not each.closed or whole[each.value_end] == each.quote
            values.pop("__proto__", None)
            assert {name: value.rstrip() for name, value in values.items()} == {
                name: value.rstrip() for name, value in tag.values.items()
            }
