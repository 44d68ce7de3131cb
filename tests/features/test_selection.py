"""Growing selections."""

from __future__ import annotations

from itertools import pairwise

import pytest

from llmblocks.features.structure import selections
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from marked import cursor


def grown(marked: str, language_id: str) -> list[str]:
    text, offset = cursor(marked)
    language = find_language(language_id)
    ask = Ask(language.open(text, DEFAULTS), language, DEFAULTS, offset, offset)
    return [text[start:end] for start, end in selections(ask)]


def test_a_selection_grows_from_a_word_to_the_whole_document() -> None:
    call = "!!!GADGET_START:A:b\n!!!ARG:c\nx\n  one two\n!!!ARG:d\n1\n!!!GADGET_END"
    assert grown(f"@user\nhi\n{call.replace('one', 'on$0e')}\nbye\n@ai\n", "stf") == [
        "one",
        "one two",
        "  one two",
        "x\n  one two",
        "x\n  one two\n",
        "!!!ARG:c\nx\n  one two\n",
        call,
        f"@user\nhi\n{call}\nbye\n",
        f"@user\nhi\n{call}\nbye\n@ai\n",
    ]


def test_a_flush_ends_a_message() -> None:
    assert grown(";user\nh$0i\n;flush\nrest\n", "stf")[-2] == ";user\nhi\n;flush\n"
    assert grown(";user\nhi\n;flush\nre$0st\n", "stf") == ["rest", "rest\n", ";user\nhi\n;flush\nrest\n"]


@pytest.mark.parametrize("marked", ["$0", "a$0", "$0\n", "<think>$0", "@user$0\r\n", "!!!GADGET_START:$0"])
def test_every_stretch_holds_the_one_before(marked: str) -> None:
    text, offset = cursor(marked)
    for language_id in ("gadget", "stf", "custom-blocks"):
        language = find_language(language_id)
        found = selections(Ask(language.open(text, DEFAULTS), language, DEFAULTS, offset, offset))
        for inner, outer in pairwise(found):
            assert outer.start <= inner.start <= inner.end <= outer.end
            assert outer != inner
        assert not text or found[-1] == (0, len(text))


@pytest.mark.parametrize(
    ("marked", "language_id", "expected"),
    [
        ("@user name='A$0da b' id=x\n", "stf", ["Ada", "Ada b", "'Ada b'", "name='Ada b'", "name='Ada b' id=x"]),
        (";user name=A$0da id=x\n", "stf", ["Ada", "name=Ada", "name=Ada id=x"]),
        (
            "@msg {role: 'a', extra: {b: [1, $02]}}\n",
            "stf",
            ["2", "[1, 2]", "b: [1, 2]", "{b: [1, 2]}", "extra: {b: [1, 2]}", "{role: 'a', extra: {b: [1, 2]}}"],
        ),
        ("@raw\n{a: ['te$0xt']}\n@end\n", "stf", ["text", "'text'", "['text']", "a: ['text']", "{a: ['text']}"]),
        ('@ai\n@call name=f\n{"a": $01}\n', "stf", ["1", '"a": 1', '{"a": 1}']),
        ("@ai\n!!!GADGET_START:A:b:c$0c , d\n!!!GADGET_END\n", "stf", ["cc", "cc , d", "A:b:cc , d"]),
        ("!!!GADGET_START:A$0 x:b\n!!!GADGET_END\n", "gadget", ["A", "A x", "A x:b"]),
        ("<think a='1$0 2' b=3>x</think>", "custom-blocks", ["1", "1 2", "'1 2'", "a='1 2'", "<think a='1 2' b=3>"]),
        ("<think b=$03 >x</think>", "gadget", ["3", "b=3", "<think b=3 >"]),
        ("<think>x</thi$0nk>", "gadget", ["think", "</think>", "<think>x</think>"]),
        ("a\n\nb on$0e\r\nc\n \nd\n", "gadget", ["one", "b one", "b one\r\nc"]),
        ("@ai\n<think>\n\na\nb$0\n\nc</think>\n", "stf", ["b", "a\nb"]),
    ],
)
def test_a_selection_stops_at_each_part(marked: str, language_id: str, expected: list[str]) -> None:
    assert grown(marked, language_id)[: len(expected)] == expected
