from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import texts
from llmblocks.tags.syntax.attributes import attributes, parse_attributes


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


@given(texts.map(lambda text: text.replace(">", "")))
def test_attributes_with_places_are_the_attributes(text: str) -> None:
    found = attributes(text)
    values = {attribute.name: attribute.value for attribute in found}
    values.pop("__proto__", None)
    assert values == parse_attributes(text)
    for attribute in found:
        assert text[attribute.name_start : attribute.name_end] == attribute.name
        assert text[attribute.value_start : attribute.value_end] == attribute.value
        if attribute.quote:
            assert text[attribute.value_start - 1] == attribute.quote
            assert attribute.closed == (text[attribute.value_end : attribute.value_end + 1] == attribute.quote)
