"""The oracle's own reader of JSON5 agrees with a package that is nobody's here, and with the product."""

from __future__ import annotations

import math
from typing import Any

import json5
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.json5 import reader
from oracle.json5_reader import WrongError, read

PIECES = (
    *(
        *("{", "}", "[", "]", ":", ",", "{a:", "[{", ", b: ", "'x'", '"y"', "'", '"', "\\", "\\\n"),
        *("\\u0041", "\\x4", "\\0"),
    ),
    *(
        *("1", "+1", "-", ".", ".5", "1.", "0x", "01", "1e", "NaN", "-Infinity", "true", "nulls", "a", "$"),
        *("e", "é", "\U0001f600"),
    ),
    *("//", "/*", "*/", " ", "\t", "\n", "\r", "\u2028", "\ufeff"),
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)


def _alike(value: Any, other: Any) -> bool:
    """Return whether two values are the same, where all numbers are JavaScript's."""
    if isinstance(value, dict) and isinstance(other, dict):
        return [*value] == [*other] and all(map(_alike, value.values(), other.values()))
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(_alike, value, other))
    if isinstance(value, int | float) and isinstance(other, int | float) and not isinstance(other, bool):
        return float(value) == float(other) or (math.isnan(value) and math.isnan(other))
    return bool(value == other)


@settings(max_examples=examples(500), deadline=None)
@given(TEXTS)
def test_the_oracle_reads_what_a_package_reads(text: str) -> None:
    try:
        expected, is_json5 = json5.loads(text), True
    except ValueError:
        expected, is_json5 = None, False
    try:
        found = read(text).value
    except WrongError:
        assert not is_json5
    else:
        assert is_json5
        assert _alike(found, expected)


@settings(max_examples=examples(500), deadline=None)
@given(TEXTS)
def test_the_oracle_finds_the_same_wrong_character(text: str) -> None:
    found = reader.read(text)
    assert _wrong(text) == (None if found.error is None else found.offset)


def _wrong(text: str) -> int | None:
    """Return the place of the first character that is wrong."""
    try:
        read(text)
    except WrongError as wrong:
        return wrong.at
    return None
