"""Outlines, written as trees: an entry a line, indented by its depth."""

from __future__ import annotations

import pytest

from llmblocks.features.outline import outline
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

CALL = "!!!GADGET_START:Write:w1:a,b\n!!!ARG:path/0\nx.txt\n!!!ARG:text\n  two\nlines\n!!!GADGET_END\n"


def tree(text: str, language_id: str) -> list[str]:
    language = find_language(language_id)
    return [
        f"{'  ' * each.depth}{each.kind} {each.name} | {each.detail}".rstrip(" |")
        for each in outline(ask_all(language.open(text, DEFAULTS), language, DEFAULTS))
    ]


def test_a_call_shows_its_id_and_dependencies_and_holds_its_arguments() -> None:
    assert tree(CALL, "gadget") == ["call Write:w1 | after a, b", "  argument path/0 | x.txt", "  argument text | two"]


def test_a_message_holds_what_is_in_it_up_to_the_next_message() -> None:
    text = f"@user name=Jo\n\nHello there\n{CALL}<think>a\nb</think>\n"
    text += "@ai\n@# a note\n@@home\n@msg role=tool call_id=c1\n42\n"
    assert tree(text, "stf") == [
        *("message user Jo: Hello there", "  call Write:w1 | after a, b", "    argument path/0 | x.txt"),
        *("    argument text | two", "  block think | a", "message assistant: @home", "message tool c1: 42"),
    ]


def test_block_commands_and_tool_calls_are_entries() -> None:
    text = "@ai\n@call name=look id=c1\n{at: 'x'}\n@embed type=image\na.png\n@raw\n{role: 'user'}\n@end\n"
    assert tree(text, "stf") == [
        "message assistant",
        "  call call look c1 | {at: 'x'}",
        "  call embed image | a.png",
        "message raw | {role: 'user'}",
    ]


def test_regions_of_a_completion_are_entries_and_calls_have_the_names_of_tools() -> None:
    text = '<think>\nwhere</think>Hi<tool_call>\n{"name": "get", "arguments": {}}</tool_call><tool_call>'
    assert tree(text, "completion") == [
        "block think | where</think>Hi<tool_call>",
        'call get | {"name": "get", "arguments": {}}</tool_call><tool_call>',
        "block tool_call",
    ]


def test_metadata_and_flush_of_the_other_dialect() -> None:
    text = ";meta\n{a: 1}\n;end\n;user\nhi\n;extra\n{b: 2}\n;end\n;flush\n;ai\n<think>x</think>\n"
    assert tree(text, "stf") == [
        "data meta | {a: 1}",
        "message user: hi",
        "  data extra | {b: 2}",
        "message assistant: <think>x</think>",
        "  block think | x",
    ]


def test_what_has_no_name_is_there() -> None:
    assert tree("!!!GADGET_START:\n!!!ARG:\n1\n!!!GADGET_END\n", "gadget") == ["call", "  argument  | 1"]


@pytest.mark.parametrize("text", ["", "text\n", "!!!GADGET_END\n", "@# comment\n", "</think>"])
def test_there_is_not_an_entry_where_nothing_begins(text: str) -> None:
    assert tree(text, "stf") == []


def test_a_preview_is_one_short_line() -> None:
    (_, shown) = tree(f"!!!GADGET_START:A\n!!!ARG:b\n{'😀' * 300}\nmore\n!!!GADGET_END\n", "gadget")
    assert shown == f"  argument b | {'😀' * 79}…"


def test_what_begins_in_deep_comments_is_reported_once() -> None:
    text = "@ai\n" + "@/*\n" * 20 + "@*/\n" * 20 + "@call name=f id=c\n{}\n" + CALL
    assert len(tree(text, "stf")) == 5
