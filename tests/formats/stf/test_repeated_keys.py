"""A key that is given twice: the last value counts, as in JavaScript, and the loss of the other one is reported."""

from __future__ import annotations

from llmblocks import check
from llmblocks.stf import decode


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


def test_an_argument_that_embed_does_not_read_is_reported() -> None:
    text = "@user\n@embed type=image url=q foo=1\nu.png\n@embed {url: 'x'}\nhttps://a.b/u\n"
    found = [each for each in check(text, "stf") if each.code == "S108"]
    assert [text[each.start : each.end] for each in found] == ["url", "url"]
    assert (
        str(found[0].message) == "Unknown argument 'url' — its value is not read: the data line is the URL; remove it"
    )
