"""The reader of JSON5, which the oracle uses too, agrees with a package that is nobody's here."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import json5
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.json5.reader import RepeatedKey, ValuePlace, read

PIECES = (
    *("{", "}", "[", "]", ":", ",", "{a:", "[{", ", b: ", "'x'", '"y"', "'", '"', "\\", "\\\n", "\\u0041", "\\x4"),
    *("1", "+1", "-", ".", ".5", "1.", "0x", "01", "1e", "NaN", "-Infinity", "true", "nulls", "a", "$", "e", "é"),
    *("{a: 1, a: ", ", 'a': ", "\\0", "\U0001f600", "//", "/*", "*/", " ", "\t", "\n", "\r", "\u2028", "\ufeff"),
)


def alike(value: Any, other: Any) -> bool:
    """Return whether two values are the same, where all numbers are JavaScript's."""
    if isinstance(value, dict) and isinstance(other, dict):
        return [*value] == [*other] and all(map(alike, value.values(), other.values()))
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(alike, value, other))
    if isinstance(value, int | float) and isinstance(other, int | float) and not isinstance(other, bool):
        return float(value) == float(other) or (math.isnan(value) and math.isnan(other))
    return bool(value == other)


def whole() -> st.SearchStrategy[str]:
    """Return texts that are nearly all JSON5, with keys that objects already have."""
    members = st.tuples(st.sampled_from(("a", "'a'", "b", '"\\x63"', " $//\n")), st.deferred(lambda: values))
    gaps = st.sampled_from((",", ", ", ",/* */"))
    values: st.SearchStrategy[str] = st.one_of(
        st.sampled_from(("1", "-.5", "'x'", '"\\u0041y"', "true", "nul", "Infinite")),
        st.builds(lambda gap, inner: f"[{gap.join(inner)}]", gaps, st.lists(st.deferred(lambda: values), max_size=3)),
        st.builds(lambda gap, inner: f"{{{gap.join(map(':'.join, inner))}}}", gaps, st.lists(members, max_size=4)),
    )
    return values


@settings(max_examples=examples(1000), deadline=None)
@given(st.one_of(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join), whole()))
def test_a_text_has_the_value_or_the_error_of_the_package(text: str) -> None:
    found = read(text)
    try:
        expected = json5.loads(text)
    except ValueError as error:
        assert found.error is not None
        # what is before the invalid character may still become JSON5, nothing that begins with it may
        before = read(text[: found.offset])
        assert before.error is None or before.offset == found.offset
        assert read(text[: found.offset + 1] + "]}").offset == found.offset or found.offset == len(text)
        # the package names that character, or a later one
        if place := re.match(r"<string>:(\d+) Unexpected .* at column (\d+)$", str(error), re.DOTALL):
            lines = text.split("\n")[: int(place[1]) - 1]
            assert found.offset < sum(len(line) + 1 for line in lines) + int(place[2])
        return
    assert found.node is not None
    assert alike(found.value, expected)
    assert_places(text, found.node, found.value)
    assert [*found.repeated] == sorted(repeats(found.node), key=lambda each: each.start)


def repeats(node: ValuePlace) -> Iterator[RepeatedKey]:
    for number, (key, start, end, place) in enumerate(node.items):
        yield from repeats(place)
        if earlier := [at for at, each in enumerate(node.items[:number]) if each[0] == key]:
            first, behind = node.items[earlier[-1]], node.items[earlier[-1] + 1]
            yield RepeatedKey(str(key), start, end, first[1:3], behind[1])


def assert_places(text: str, node: ValuePlace, value: Any) -> None:
    """Assert that each value stands at its place."""
    assert alike(read(text[node.start : node.end]).value, value)
    last = {key: place for key, _, _, place in node.items}
    assert len(last) == len(value) if isinstance(value, dict | list) else not last
    for key, start, end, place in node.items:
        assert start == end == place.start if isinstance(key, int) else read_key(text[start:end]) == key
        if place is last[key]:
            assert_places(text, place, value[key])


def read_key(text: str) -> str:
    (key,) = read(f"{{{text}: 1}}").value
    return str(key)


@pytest.mark.parametrize(("text", "offset"), [("[nul]", 4), ("[Infinite]", 8), ("trues", 4), ("x", 0)])
def test_a_misspelt_word_is_wrong_where_it_differs(text: str, offset: int) -> None:
    assert read(text).offset == offset
