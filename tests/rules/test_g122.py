"""G122 repeated-call."""

from __future__ import annotations

import pytest

from llmblocks import check
from marked import unmark

CALL = "!!!GADGET_START:Send\n!!!ARG:text\nHello\n!!!GADGET_END\n"


def codes(text: str, language: str = "gadget") -> list[str]:
    return [each.code for each in check(text, language)]


def test_a_call_is_repeated_whatever_its_id() -> None:
    text, marks = unmark("""\
!!!GADGET_START:Send:s1
!!!ARG:text
Hello
!!!GADGET_END
some words
!!!GADGET_START:Send:s2
                ^^^^ G122
!!!ARG:text
Hello
!!!GADGET_END
""")
    (found,) = check(text, "gadget")
    assert [(found.code, found.start, found.end)] == [tuple(mark) for mark in marks]
    assert [text[each.start : each.end] for each in found.related] == ["Send"]


@pytest.mark.parametrize(
    "second",
    [
        CALL.replace("Hello", "Bye"),
        CALL.replace("text", "words"),
        CALL.replace("Send", "Post"),
        CALL.replace("Send", "Send:s2:gadget_1"),
        CALL.removesuffix("!!!GADGET_END\n"),
    ],
)
def test_a_call_that_differs_is_not_repeated(second: str) -> None:
    assert "G122" not in codes(CALL + second)


def test_a_call_that_the_runtime_rejects_is_not_repeated() -> None:
    rejected = CALL.replace("!!!GADGET_END", "!!!ARG:text\nHello\n!!!GADGET_END")
    assert codes(rejected + rejected) == ["G101", "G101"]


def test_each_of_three_calls_is_compared_with_the_one_before() -> None:
    assert codes(3 * CALL) == ["G122", "G122"]
    assert codes(CALL + CALL.replace("Send", "Post") + CALL) == []


def test_calls_in_two_messages_are_not_compared() -> None:
    assert codes(f"@ai\n{CALL}{CALL}", "stf") == ["G122"]
    assert codes(f"@ai\n{CALL}@user\nagain\n@ai\n{CALL}", "stf") == []


def test_a_call_without_arguments_may_be_repeated() -> None:
    assert codes(2 * "!!!GADGET_START:Next\n!!!GADGET_END\n") == []
