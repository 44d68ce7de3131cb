"""Arguments, with the places of keys and values, and repeated keys."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.stf.stf_pieces import EXAMPLES, Streamed
from llmblocks import check
from llmblocks.json5.reader import read
from llmblocks.stf import decode
from llmblocks.stf.syntax import AT, DIALECTS, KEYSTROKE_LIMIT, Arguments, Dialect, parse_arguments

PIECES = (
    "role", "name", "x", "R", "é", "_", "a_b", "=", "=", "=", " ", " ", "\t", '"', "'", "\\", '"a b"', "'c'", "{", "}",
    "{a:1}", "{role:'u', b: [2, {c: 'd'}]}", ":", ",", "1", "//", "/*", "\r", "\u00a0", "\u2028", "\U0001f600",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def parse(text: str, dialect: Dialect = AT) -> Arguments:
    return parse_arguments(text, 0, len(text), dialect)


@given(texts, st.sampled_from(sorted(DIALECTS)))
@settings(max_examples=EXAMPLES * 3, deadline=None)
def test_every_key_and_value_stands_where_it_says(text: str, header: str) -> None:
    shifted = parse_arguments("@@" + text + "zz", 2, 2 + len(text), DIALECTS[header])
    arguments = parse(text, DIALECTS[header])
    assert [i.key_start for i in shifted.items] == [i.key_start + 2 for i in arguments.items]
    for item in arguments.items:
        key, value = text[item.key_start : item.key_end], text[item.value_start : item.value_end]
        if arguments.braces:
            assert list(read("{" + key + ":1}").value) == [item.key]
            assert read(value).value == item.value
        else:
            assert key == item.key
            assert item.value == (read(value).value if value[0] in "'\"" else value)
    for problem in arguments.problems:
        assert 0 <= problem.start <= problem.end <= len(text)
    assert len({item.key for item in arguments.items}) == len(arguments.items)


@pytest.mark.parametrize("text", ["key=value " * 100_000, "{a:" + "[1," * 100_000, "name='" + "x" * 1_000_000])
def test_arguments_past_the_limit_are_reported_and_not_read(text: str) -> None:
    arguments = parse_arguments(text, 0, len(text), AT, limit=KEYSTROKE_LIMIT)
    (problem,) = arguments.problems
    assert str(problem.message) == f"arguments longer than {KEYSTROKE_LIMIT} characters are not read here — " + (
        "their keys are not checked; shorten them"
    )
    assert arguments.items == ()


def test_an_object_that_is_too_deep_is_reported() -> None:
    text = "{a:" + "[" * 200 + "]" * 200 + "}"
    (problem,) = parse(text).problems
    assert str(problem.message) == "nested deeper than 128 levels — none of it is read; nest the values less deeply"
    assert text[: problem.start].count("[") == 127


@pytest.mark.parametrize(
    "text", ["@user name=x\r", "@user name=x\r\r\n", "@user\r\n@ai id=1 name=x\r", "@user name=\r"]
)
def test_a_return_that_ends_no_line_is_reported_and_belongs_to_no_value(text: str) -> None:
    transcript = decode(text)
    assert [f.code for f in transcript.findings] == (["S103"] if text[-2:] == "=\r" else ["S101"])
    assert [(f.code, f.start, f.end) for f in transcript.findings] == [
        (f.code, f.start, f.end) for f in check(text, "stf") if f.code != "S301"
    ]
    assert transcript.messages[-1].name == (None if text[-2:] == "=\r" else "x")
    assert Streamed([*text]).findings == transcript.findings


def test_the_key_before_is_related_each_time() -> None:
    text = "@user {id: '1', id: '2', id: '3'}\nx\n"
    found = [each for each in check(text, "stf") if each.code == "S206"]
    assert [(each.start, each.related[0].start) for each in found] == [(16, 7), (25, 16)]


def test_the_last_value_counts_and_the_text_of_a_call_is_kept() -> None:
    text = '@ai {name: "a", name: "b"}\n@call name=f\n{"a": 1, "a": 2}\n@call name=g\n{a: 1, a: 2}\n'
    (message,) = decode(text).messages
    assert message.name == "b"
    assert [call.arguments for call in message.tool_calls or ()] == ['{"a": 1, "a": 2}', '{"a":2}']


def test_an_argument_that_embed_does_not_read_is_reported() -> None:
    text = "@user\n@embed type=image url=q foo=1\nu.png\n@embed {url: 'x'}\nhttps://a.b/u\n"
    found = [each for each in check(text, "stf") if each.code == "S108"]
    assert [text[each.start : each.end] for each in found] == ["url", "url"]
    words = "Unknown argument 'url' — its value is not read: the data line is the URL; remove it"
    assert str(found[0].message) == words
