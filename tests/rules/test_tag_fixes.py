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
        ("T002", "a</think>b\n", "ab\n"),
        ("T002", "a\n </think> \nb\n", "a\nb\n"),
        # what would become a tag
        ("T002", "<th</think>ink>", "<th</think>ink>"),
        ("T003", "<think>a</think >b", "<think>a</think>b"),
        ("T003", "<think>a< / think >b</think>\nc", "<think>a</think>b\nc"),
        ("T003", "<think>a</think >\nb\n</think>\nc\n", "<think>a</think>\nb\nc\n"),
        ("T004", "<Think>a</Think>", "<think>a</think>"),
        ("T004", "<think>a</Think>b", "<think>a</think>b"),
        ("T004", "<Tool/> <Tool x=1/>", "<tool/> <tool x=1/>"),
        # nothing closes it: the rest would be hidden
        ("T004", "<Think> is a word", "<Think> is a word"),
        ("T007", "<tool a=1 b a=2/>", "<tool b a=2/>"),
        ("T007", '<tool a="1"b a=2/>', "<tool b a=2/>"),
        ("T007", "<tool a a a/>", "<tool a/>"),
        ("T008", "<tool a=x/y b=1/>", '<tool a="x/y" b=1/>'),
        ("T008", "<tool a=x/\"y'/>", "<tool a=x/\"y'/>"),
        ("T008", '<tool a=x/"y/>', "<tool a='x/\"y'/>"),
        ("T010", "<tool / >a", "<tool />a"),
        ("T010", "<tool a=1/ >a</tool>b", "<tool a=1/>ab"),
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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"<think>\n{CALL}more\n@user\nHi\n", f"<think>\n{CALL}more</think>\n@user\nHi\n"),
        ("<think>a\n@# note\n@user\nHi\n", "<think>a</think>\n@# note\n@user\nHi\n"),
        ("<think>\n@ai\n<think>", "<think></think>\n@ai\n<think></think>"),
    ],
)
def test_a_block_in_a_message_is_closed_where_its_content_ends(text: str, wanted: str) -> None:
    assert fixed(f"@ai\n{text}", "T001", "stf") == f"@ai\n{wanted}"
    assert check(f"@ai\n{wanted}", "stf") == ()
