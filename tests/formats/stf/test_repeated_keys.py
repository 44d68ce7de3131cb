"""A key that is given twice: the last value counts, as in JavaScript, and the loss of the other one is reported."""

from __future__ import annotations

import pytest

from formats.stf.stf_pieces import Streamed
from llmblocks import check, fix
from llmblocks.stf import StfError, decode
from marked import unmark

TEXTS = (
    "@user {name: 'a', name: 'b'}\n                  ^^^^ S206\nx\n",
    "@user {name: 'a', 'na\\u006de': 'b'}\n                  ^^^^^^^^^^^ S206\nx\n",
    ";user {a: [{b: 1, b: 2}]}\n                  ^ S206\nx\n",
    "@ai\n@call name=f\n{a: 1, a: 2}\n       ^ S206\n",
    '@ai\n@call name=f\n{"a": {"b": 1, "b": 2}}\n               ^^^ S206\n',
    "@raw\n{role: 'user',\ncontent: 'a',\n@# note\ncontent: 'b'}\n^^^^^^^ S206\n@end\n",
    '@raw\n{"role": "user", "content": "a", "role": "ai"}\n                                 ^^^^^^ S206\n@end\n',
    ";meta\n{a: 1, a: 2}\n       ^ S206\n;end\n",
    ";user\nx\n;extra\n{a: 1,\n a: 2}\n ^ S206\n;end\n",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_key_that_is_given_twice_is_reported_at_its_place(text: str) -> None:
    text, marks = unmark(text)
    told = [(each.start, each.end) for each in decode(text).findings if each.code == "S206"]
    assert told == [(each.start, each.end) for each in check(text, "stf") if each.code == "S206"]
    assert told
    assert told == [(mark.start, mark.end) for mark in marks]
    assert Streamed([*text]).findings == decode(text).findings
    with pytest.raises(StfError, match="Repeated key"):
        decode(text, strict=True)


def test_the_key_before_is_related_each_time() -> None:
    text = "@user {id: '1', id: '2', id: '3'}\nx\n"
    found = [each for each in check(text, "stf") if each.code == "S206"]
    assert [(each.start, each.related[0].start) for each in found] == [(16, 7), (25, 16)]


def test_the_last_value_counts_and_the_text_of_a_call_is_kept() -> None:
    message = decode(
        '@ai {name: "a", name: "b"}\n@call name=f\n{"a": 1, "a": 2}\n@call name=g\n{a: 1, a: 2}\n'
    ).messages[0]
    assert message.name == "b"
    assert [call.arguments for call in message.tool_calls or ()] == ['{"a": 1, "a": 2}', '{"a":2}']


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@user {id: '1', id: '2', id: '3'}\nx\n", "@user {id: '3'}\nx\n"),
        (
            "@raw\n{role: 'u',\n@# note\n content: '', // c\n role: 'v'}\n@end\n",
            "@raw\n{content: '', // c\n role: 'v'}\n@end\n",
        ),
        ("@ai\n@call name=f\n{a: [1,\t{a: 2}], a: 2}\n", "@ai\n@call name=f\n{a: 2}\n"),
    ],
)  # fmt: skip
def test_the_fix_takes_out_the_earlier_value(text: str, wanted: str) -> None:
    assert fix(text, "stf").text == text
    assert fix(text, "stf", unsafe=True).text == wanted


def test_an_argument_that_embed_does_not_read_is_reported() -> None:
    text = "@user\n@embed type=image url=q foo=1\nu.png\n@embed {url: 'x'}\nhttps://a.b/u\n"
    found = [each for each in check(text, "stf") if each.code == "S108"]
    assert [text[each.start : each.end] for each in found] == ["url", "url"]
    assert (
        str(found[0].message) == "Unknown argument 'url' — its value is not read: the data line is the URL; remove it"
    )
