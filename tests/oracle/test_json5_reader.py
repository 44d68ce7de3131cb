"""The reader of JSON5, which the oracle uses too, agrees with a package that is nobody's here."""

from __future__ import annotations

import math
import re
from typing import Any

import json5
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.json5.reader import ValuePlace, read

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


@settings(max_examples=examples(1000), deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join))
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
    for key, start, end, (first, first_end), _ in found.repeated:
        assert first_end < start
        assert read_key(text[start:end]) == read_key(text[first:first_end]) == key


def assert_places(text: str, node: ValuePlace, value: Any) -> None:
    """Assert that each value stands at its place."""
    assert alike(read(text[node.start : node.end]).value, value)
    last = {key: place for key, _, _, place in node.items}
    assert len(last) == len(value) if isinstance(value, dict | list) else not last
    for key, start, end, place in node.items:
        assert isinstance(key, int) or read_key(text[start:end]) == key
        if place is last[key]:
            assert_places(text, place, value[key])


def read_key(text: str) -> str:
    (key,) = read(f"{{{text}: 1}}").value
    return str(key)
