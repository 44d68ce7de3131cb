"""The JSON5 reader, against the json5 package."""

from __future__ import annotations

import math

import pytest

from llmblocks.json5.reader import MAX_DEPTH, read, read_value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        # The wording and the place of json5 for JavaScript.
        ("{role:'user',\n;;\n content:'x'}", "JSON5: invalid character ';' at 2:1"),
        ("{a:", "JSON5: invalid end of input at 1:4"),
        ("", "JSON5: invalid end of input at 1:1"),
        ("{} {}", "JSON5: invalid character '{' at 1:4"),
        ("undefined", "JSON5: invalid character 'u' at 1:1"),
        ("'a\nb'", "JSON5: invalid character '\\n' at 2:0"),
        ("[+.]", "JSON5: invalid character ']' at 1:4"),
        (".", "JSON5: invalid end of input at 1:2"),
        ("1e]", "JSON5: invalid character ']' at 1:3"),
        ("[-0x]", "JSON5: invalid character ']' at 1:5"),
        ("\x01", "JSON5: invalid character '\\x01' at 1:1"),
        ("{a:1,\nb\\u0020:1}", "JSON5: invalid identifier character at 2:2"),
        ("{\\ud835\\udc00:1}", "JSON5: invalid identifier character at 1:2"),
        ("{\\u200c:1}", "JSON5: invalid identifier character at 1:2"),
        ("{²:1}", "JSON5: invalid character '²' at 1:2"),
        ("{a²:1}", "JSON5: invalid character '²' at 1:3"),
        ("{٣:1}", "JSON5: invalid character '٣' at 1:2"),
        ("{\u0301a:1}", "JSON5: invalid character '\u0301' at 1:2"),
        ("{\u200ca:1}", "JSON5: invalid character '\u200c' at 1:2"),
        ("{·:1}", "JSON5: invalid character '·' at 1:2"),
        ("{\\u00zz:1}", "JSON5: invalid character 'z' at 1:6"),
        ("{\\x:1}", "JSON5: invalid character 'x' at 1:3"),
        ("{\\u{61}:1}", "JSON5: invalid character '{' at 1:4"),
        ("{a\\u00", "JSON5: invalid end of input at 1:7"),
        ("[\\u0061]", "JSON5: invalid character '\\\\' at 1:2"),
        ("[²]", "JSON5: invalid character '²' at 1:2"),
    ],
)
def test_an_error_has_the_words_and_the_place_of_the_reference(text: str, error: str) -> None:
    assert read(text).error == error


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("a\\u0031", "a1"), ("\\u0061", "a"), ("\\u0024_", "$_"), ("e\u0301", "e\u0301"), ("a٣", "a٣"), ("𝐀", "𝐀"),
        ("a\u200c", "a\u200c"), ("Infinity", "Infinity"), ("Infinity2", "Infinity2"), ("NaNa", "NaNa"), ("ⅷ", "ⅷ"),
        ("class", "class"), ("null", "null"), ("trueé", "trueé"), ("a‿b", "a‿b"),
    ],
)  # fmt: skip
def test_a_key_without_quotes_is_a_name_of_ecmascript(key: str, name: str) -> None:
    text = "{ " + key + " /**/ : 1}"
    result = read(text)
    assert result.value == {name: 1}
    assert result.node is not None
    assert [text[start:end] for _, start, end, _ in result.node.items] == [key]


def test_numbers_are_those_of_javascript() -> None:
    text = "[12345678901234567890, 9007199254740992, 9007199254740993, 1e400, 0x20000000000001, -0x10]"
    assert read(text).value == [1.2345678901234567e19, 2**53, 2.0**53, math.inf, 2.0**53, -16]
    assert read("9" * 5000).value == read_value("9" * 5000).value == math.inf
    assert read("0x" + "f" * 5000).value == math.inf
    assert read("0x" + "f" * 256).value == math.inf


def test_a_value_of_any_depth_is_read_or_told_too_deep() -> None:
    inside, outside = "[" * MAX_DEPTH + "]" * MAX_DEPTH, "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)
    for reader in (read, read_value):
        assert reader(inside).error is None
        for deep in (outside, "[" * 100_000, "{a:" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000):
            result = reader(deep)
            assert result.error == "nested deeper than 128 levels"
            assert result.too_deep
