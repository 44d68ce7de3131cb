"""The message that goes back to a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks import Settings, Severity, check, feedback
from llmblocks.cli.explain import settings_of
from llmblocks.facts.rule import Rule
from llmblocks.gadget import Markers
from llmblocks.languages.registry import language_ids, language_with
from llmblocks.settings.rule_names import RULES

CALL = """\
!!!GADGET_START:Edit:e1
!!!ARG:path
a.txt
!!!ARG:path
b.txt
!!!ARG:lines/0
x
!!!ARG:lines/2
y
!!!GADGET_END
"""
PIECES = (
    *("!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END", "a", "/", "0", "\n", "\r", "@user", "@*/", "<think>"),
    *("</think>", "😀"),
)


def test_each_problem_is_quoted_with_its_remedy() -> None:
    assert (
        feedback(CALL, "gadget")
        == """\
There are 2 problems in your response:

Line 4: Duplicate pointer: path
    !!!ARG:path
note: llmist rejects the whole call
help: rename or remove one of them; first given 2 lines above
Remove this argument `path`.

Line 8: Array index gap: expected 1, got 2
    !!!ARG:lines/2
note: llmist rejects the whole call
help: give the indices in order, from 0
Change this index to 1:
    !!!ARG:lines/1"""
    )


def test_errors_come_before_warnings_and_what_is_less_severe_than_asked_for_is_left_out() -> None:
    text = "!!!GADGET_END\n" + CALL
    told = feedback(text, "gadget")
    assert told.index("Duplicate pointer") < told.index("outside any call")
    assert "outside any call" not in feedback(text, "gadget", least=Severity.ERROR)
    assert feedback("!!!GADGET_END\n", "gadget", least=Severity.ERROR) == ""


def test_settings_decide_what_is_a_problem() -> None:
    assert feedback(CALL, "gadget", settings=Settings(ignore=("G1",))) == ""


def test_an_example_speaks_the_markers_of_the_settings() -> None:
    settings = Settings(markers=Markers(start="<<<CALL:", end="<<<END", arg="<<<ARG:"))
    told = feedback(
        "<<<CALL:A\n<<<ARG:b/x\n1\n<<<ARG:b/0\n1\n<<<END\n<<<CALL:A\n<<<ARG:b/0\n1\n<<<ARG:b/x\n1\n<<<END\n",
        "gadget",
        settings=settings,
    )
    assert "<<<" in told
    assert "!!!" not in told


def test_an_example_is_shown_once() -> None:
    told = feedback("@user\n@Ai\n@Sys\n@Dev\n", "stf")
    assert told.count("For example:") <= 1


def test_a_long_line_is_cut_around_the_mistake() -> None:
    told = feedback("@user\nhello\n@user id=" + "y" * 2000 + " name='" + "z" * 2000 + "\n", "stf")
    assert len(max(told.splitlines(), key=len)) < 250
    assert "y name='z" in told


@pytest.mark.parametrize("limit", [200, 201, 300, 500, 1000, 5000])
def test_problems_beyond_the_limit_are_counted(limit: int) -> None:
    told = feedback(CALL.replace(":e1", "") * 20, "gadget", limit=limit)
    assert len(told) <= limit
    shown = told.count("\nLine ")
    assert shown
    assert told.endswith(f"There are {40 - shown} more.") or "…" in told


def test_feedback_forges_no_line() -> None:
    text = "!!!GADGET_START:G\n" + "!!!ARG:a\x1b[2J\u2028Line 9: forged\n1\n" * 2 + "!!!GADGET_END\n"
    told = feedback(text, "gadget")
    assert "\\x1b[2J\\u2028Line 9" in told
    assert "\x1b" not in told
    assert "\u2028" not in told


def test_a_limit_without_room_for_a_problem_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 200"):
        feedback(CALL, "gadget", limit=199)


@pytest.mark.parametrize("rule", [rule for rule in RULES if not rule.files], ids=lambda rule: rule.code)
def test_every_rule_has_feedback(rule: Rule) -> None:
    told = feedback(rule.bad, language_with(rule.layer).id, least=Severity.HINT, settings=settings_of(rule))
    assert told.startswith(("There is a problem in your response:", "There are "))


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(200, 900), st.sampled_from(language_ids())
)
def test_feedback_keeps_its_limit_and_speaks_up_when_something_is_wrong(
    text: str, limit: int, language_id: str
) -> None:
    told = feedback(text, language_id, limit=limit)
    assert len(told) <= limit
    assert bool(told) == any(finding.severity <= Severity.WARNING for finding in check(text, language_id))
