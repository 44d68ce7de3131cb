"""Fixes of custom blocks beyond their examples."""

from __future__ import annotations

import pytest

from llmblocks import check, fix

CALL = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!GADGET_END\n"


def fixed(text: str, code: str, language_id: str = "custom-blocks") -> str:
    return fix(text, language_id, unsafe=True, select=(code,)).text


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("T001", "a <think>b", "a <think>b</think>"),
        ("T001", "<think>b\n\n", "<think>b\n\n</think>"),
        # the bracket would take that of the closing tag along
        ("T001", "<think>b<", "<think>b<"),
    ],
)
def test_a_fix_changes_what_it_says(code: str, text: str, wanted: str) -> None:
    assert fixed(text, code) == wanted


def test_only_a_repeated_attribute_of_the_same_value_is_removed_safely() -> None:
    assert fix('<tool a="1" a=1/>', "custom-blocks").text == "<tool a=1/>"
    assert fix('<tool a="2" a=1/>', "custom-blocks").applied == ()


def test_no_other_fix_of_a_tag_is_safe() -> None:
    text = "<Think>a</Think></think><think>a</think >b</think><tool a=x/y/><tool / ></tool><think>"
    assert fix(text, "custom-blocks").applied == ()


@pytest.mark.parametrize("language_id", ["gadget", "stf"])
def test_tags_before_calls_are_fixed(language_id: str) -> None:
    head = "@ai\n" if language_id == "stf" else ""
    text = f"{head}<tool a=x/y/><tool b=1 b=1/></tool>\n{CALL}"
    wanted = f'{head}<tool a="x/y"/><tool b=1/>\n{CALL}'
    assert fix(text, language_id, unsafe=True).text == wanted
    assert check(wanted, language_id) == ()


def test_blocks_of_two_messages_are_closed() -> None:
    assert fixed("@ai\n<think>\n@ai\n<think>", "T001", "stf") == "@ai\n<think></think>\n@ai\n<think></think>"
