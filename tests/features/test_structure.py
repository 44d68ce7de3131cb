"""Folds, growing selections, and the names that a search finds.

The oracle reads the folds of random documents; here are those that a reader wants to see.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from llmblocks.features.outline import landmarks, ranking
from llmblocks.features.structure import Fold, folding, selections
from marked import asked, bracketed, whole

CALL = "!!!GADGET_START:Write:w1:a,b\n!!!ARG:path/0\nx.txt\n!!!ARG:text\n  two\nlines\n!!!GADGET_END\n"


@pytest.mark.parametrize(
    ("language_id", "text", "wanted"),
    [
        ("gadget", f"see\n{CALL}", [(1, 7), (2, 3), (4, 6)]),
        # lines are counted as editors do at a lone return
        ("gadget", "!!!GADGET_START:G\n!!!ARG:a\n1\r2\r\n3", [(0, 4), (1, 4)]),
        (
            "stf",
            "@user\nhi\n\n@ai\n@/*\nx\n@/*\n@*/\n@*/\nyo\n@raw\n{}\n@end\n",
            [(0, 1), (3, 9), (4, 8), (6, 7), (10, 12)],
        ),
        (
            "stf",
            f"@ai\n{CALL}<think>\nx\n</think>\nbye\n\n@user\nhi\n",
            [(0, 11), (1, 7), (2, 3), (4, 6), (8, 10), (13, 14)],
        ),
        # a comment does not end the call around it
        (
            "stf",
            "@ai\n!!!GADGET_START:G\n!!!ARG:a\n@/* a\n@*/\n1\n!!!ARG:b\n2\n!!!GADGET_END\n",
            [(0, 8), (1, 8), (2, 5), (3, 4), (6, 7)],
        ),
        ("stf", "@/*\n@# a\n@# b\n@*/\n@# c\ntext\n@# d\n\n@# e\n", [(0, 3)]),
        ("stf", "@ai\n<think></think>\n!!!GADGET_START:A\n!!!GADGET_END\n", [(0, 3), (2, 3)]),
        ("stf", "@user\nhi\n" * 600, [(line, line + 1) for line in range(0, 1200, 2)]),
        (
            "gadget",
            "x\r" + CALL * 300,
            [(at + a, at + b) for at in range(1, 2101, 7) for a, b in ((0, 6), (1, 2), (3, 5))],
        ),
    ],
)
def test_messages_calls_arguments_blocks_and_comments_fold(
    language_id: str, text: str, wanted: list[tuple[int, int]]
) -> None:
    assert [(fold.start_line, fold.end_line) for fold in folding(whole(text, language_id))] == wanted


@pytest.mark.parametrize(("header", "sign"), [("@", "#"), ("@ ", "//"), (";", "#")])
def test_line_comments_below_each_other_fold_as_a_comment(header: str, sign: str) -> None:
    comment = f"{header}{sign} a\n"
    text = f"{comment}{comment}{header}user\nhi\n{comment}x\n{comment * 3}\n{comment}{comment.strip()}"
    found = [fold for fold in folding(whole(text, "stf")) if fold.comment]
    assert found == [Fold(0, 1, True), Fold(6, 8, True), Fold(10, 11, True)]


def grown(marked: str, language_id: str) -> list[str]:
    ask = asked(marked, language_id)
    text, found = ask.document.text, selections(ask)
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert outer != inner
    assert not text or found[-1] == (0, len(text))
    return [text[start:end] for start, end in found]


ONE = "!!!GADGET_START:A:b\n!!!ARG:c\nx\n  one two\n!!!ARG:d\n1\n!!!GADGET_END"


@pytest.mark.parametrize(
    ("marked", "language_id", "expected"),
    [
        (
            f"@user\nhi\n{ONE.replace('one', 'on$0e')}\nbye\n@ai\n",
            "stf",
            [
                *("one", "one two", "  one two", "x\n  one two", "x\n  one two\n", "!!!ARG:c\nx\n  one two\n", ONE),
                *(f"@user\nhi\n{ONE}\nbye\n", f"@user\nhi\n{ONE}\nbye\n@ai\n"),
            ],
        ),
        (";user\nhi\n;flush\nre$0st\n", "stf", ["rest", "rest\n", ";user\nhi\n;flush\nrest\n"]),
        (";user\nh$0i\n;flush\nrest\n", "stf", ["hi", "hi\n", ";user\nhi\n;flush", ";user\nhi\n;flush\n"]),
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
        ("a\n\n b on$0e\r\nc\n", "gadget", ["one", "b one", " b one", "a\n\n b one\r\nc"]),
    ],
)
def test_a_selection_stops_at_each_part(marked: str, language_id: str, expected: list[str]) -> None:
    assert grown(marked, language_id)[: len(expected)] == expected


NAMES = ("ReadFile", "read", "Reader", "unread_file", "spread", "rear_end_a_d", "XMLRead", "write", "2read")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("READ", ["read", "Reader", "ReadFile", "2read", "XMLRead", "spread", "unread_file", "rear_end_a_d"]),
        ("file", ["ReadFile", "unread_file"]),
        ("read file", ["ReadFile", "unread_file"]),
        ("rf", ["ReadFile", "unread_file"]),
        ("xr", ["XMLRead"]),
        (".", []),
        ("readx", []),
        ("", ["read", "2read", "write", "Reader", "spread", "XMLRead", "ReadFile", "unread_file", "rear_end_a_d"]),
    ],
)
def test_names_come_in_the_order_in_which_they_fit(typed: str, wanted: list[str]) -> None:
    rank = ranking(typed)
    ranked = [(fits, name) for name in NAMES if (fits := rank(name)) is not None]
    assert [name for _, name in sorted(ranked)] == wanted


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("!!!GADGET_START:⟦Read⟧:⟦r1⟧:r0\n!!!ARG:a\nb\n!!!GADGET_END\n!!!GADGET_START:⟦Read⟧\n", "gadget"),
        (
            "@user id='⟦m1⟧'\n<⟦think⟧ a='b'>x</think>\n@ai\n@call name=x id=⟦c1⟧\n{}\n@tool call_id=c1\n"
            "!!!GADGET_START:⟦Read⟧:⟦r1⟧\n",
            "stf",
        ),
        ("<⟦think⟧>a<think>b</think> <x> <⟦answer⟧/>", "custom-blocks"),
    ],
)
def test_gadgets_ids_and_blocks_can_be_found(marked: str, language_id: str) -> None:
    text, _, places = bracketed(marked)
    found = [*landmarks(whole(text, language_id))]
    spans = [(each.name, each.start, each.end) for each in found]
    assert sorted(span[1:] for span in spans) == [(start, end) for start, end, _ in places]
    assert all(text[start:end] == name for name, start, end in spans)
