from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks.core.document import Document
from llmblocks.tags.editor.blocks import begun_in
from llmblocks.tags.scanner import TagScanner
from llmblocks.tags.syntax import parse_attributes


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
