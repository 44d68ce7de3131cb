"""Law 6: formatting is idempotent and keeps every decoded value; judged by what the library decodes."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.decoded import OTHER, THOROUGH, marked, read, told
from laws.texts import GADGET, STF, TAGS, texts
from llmblocks import Settings
from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import edited
from llmblocks.features.formatting import format_edits, format_text
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.rule_names import RULES
from llmblocks.stf import decode
from oracle.texts import texts as documents

WHOLE = {
    "gadget": (
        *("!!!GADGET_START:A : x :a:b, c \n!!!ARG: i/0\n1 \n!!!ARG:i/01\n2\n", "!!!GADGET_END\n"),
        *("!!!GADGET_END\n\n\n", "!!!GADGET_START:B\r\n!!!ARG:a\r\n1\r\n", "```\n", " \n"),
    ),
    "stf": (
        *("@user  name='x' id=y \n", "@ai \t\n", "@msg {role: 'user', id: 'a \\'b', /* 'c' */ n: \"d'\"}\n"),
        *(";ai  a='b'  \n", "@raw \n{role: 'user'}\n@end \n", "@meta \n", "x\n"),
    ),
    "custom-blocks": ("<think  a='1'\tb=2 >", "</think>\n", "<think  a=1  />\n\n\n", "<think/>", "\n", " "),
}
"""Texts that formatting changes."""
HARD = (
    *("@", ";", "@@", ";;", "\ufeff", "\ufeff;user ", "@user ", ";ai", "\n@raw\n", "\n@end", "\n;extra\n", "\n;end"),
    *(
        *("foo", "\n@call ", "\n@embed ", "@msg ", "\n;flush", "#", "/*", "*/", " ", "\t", "\n", "\r\n", "\r", "\n@"),
        "\n;",
    ),
    *(" " * 70, " id=", "'x'", '"x"', " a='b c' ", " name = y", "{a: 'b', 'c': 1}", "{role: 'user', content: 'x'}"),
    *("{", "}", "'", "\\"),
)
"""The pieces of command lines and their data, and those that change their meaning."""


def untidy(language_id: str) -> st.SearchStrategy[str]:
    return st.one_of(
        documents(language_id, 10),
        texts(GADGET, STF, TAGS),
        st.lists(st.sampled_from((*WHOLE[language_id], "a", "\n")), max_size=10).map("".join),
    )


def kept(text: str, language_id: str, chosen: Settings) -> Any:
    """Return the decoded values, and the words of the text outside of calls and blocks."""
    messages, calls, rest = read(text, language_id, chosen, " ")
    received = [
        (each.name, each.invocation_id, each.dependencies, repr(each.parameters), each.error)
        if each.error is None
        else told(each)
        for each in calls
    ]
    words = rest if messages is not None else [each.split() if isinstance(each, str) else each for each in rest]
    return repr(messages), received, words


@pytest.mark.parametrize("language_id", WHOLE)
def test_formatting_changes_no_value_and_is_idempotent(language_id: str) -> None:
    @THOROUGH
    @given(untidy(language_id), st.booleans())
    def law(text: str, with_others: bool) -> None:
        chosen = Settings(markers=OTHER) if with_others else Settings()
        text = marked(text, chosen.markers)
        formatted = format_text(text, language_id, chosen)
        assert kept(formatted, language_id, chosen) == kept(text, language_id, chosen)
        assert format_text(formatted, language_id, chosen) == formatted

    law()


@pytest.mark.parametrize(("dialect", "role"), [*product(("auto", "@", ";"), ("", "user"))])
def test_formatting_changes_no_value_of_a_chat_with_other_settings(dialect: Any, role: str) -> None:
    @settings(THOROUGH, max_examples=LAWS // 4)
    @given(st.one_of(untidy("stf"), st.lists(st.sampled_from(HARD), max_size=12).map("".join)))
    def law(text: str) -> None:
        chosen = Settings(dialect=dialect, default_role=role)
        formatted = format_text(text, "stf", chosen)
        before, after = (decode(each, dialect=dialect, default_role=role or None) for each in (text, formatted))
        assert repr(after.as_dict()) == repr(before.as_dict())
        assert format_text(formatted, "stf", chosen) == formatted

    law()


def test_formatting_changes_no_value_of_an_example() -> None:
    for rule in RULES:
        chosen = settings_of(rule)
        for language_id, text in product(WHOLE, (rule.bad, rule.good, rule.after_fix)):
            formatted = format_text(text, language_id, chosen)
            assert kept(formatted, language_id, chosen) == kept(text, language_id, chosen)


@pytest.mark.parametrize("language_id", WHOLE)
def test_edits_of_a_range_change_no_value(language_id: str) -> None:
    @THOROUGH
    @given(untidy(language_id), st.integers(0, 200), st.integers(0, 200))
    def law(text: str, start: int, size: int) -> None:
        chosen, language = Settings(), find_language(language_id)
        start = min(start, len(text))
        ask = ask_all(language.open(text, chosen), language, chosen)
        edits = format_edits(type(ask)(ask.document, language, chosen, start, min(start + size, len(text))))
        assert all(one.end <= other.start for one, other in pairwise(edits))
        assert kept(edited(text, edits), language_id, chosen) == kept(text, language_id, chosen)

    law()


def test_no_blank_line_goes_from_one_side_of_a_call_in_a_block_to_the_other() -> None:
    call = "!!!GADGET_START::g1\n!!!ARG:name\nAda\n!!!GADGET_END\n"
    text = f"%<think>%!!!GADGET_START:B\n{call}\n\n{call}"
    assert format_text(text, "gadget") == text
