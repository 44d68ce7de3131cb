"""Fixes of texts with many mistakes: counted in tries, each of which reads the whole text."""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.test_linear_told import steps
from llmblocks import check, feedback, fix
from llmblocks.rules import fixing
from llmblocks.settings.rule_names import RULES

START, ARG, END = "!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END\n"
BAD = {
    language_id: [rule.bad if rule.bad.endswith("\n") else f"{rule.bad}\n" for rule in RULES if rule.layer == layer]
    for language_id, layer in (("gadget", "gadget"), ("stf", "stf"), ("custom-blocks", "tags"))
}
"""The mistakes of all rules."""


@pytest.mark.parametrize(("language_id", "bad"), [(each, text) for each, texts in BAD.items() for text in texts])
def test_the_mistake_of_any_rule_is_fixed_everywhere_in_few_tries(
    language_id: str, bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow_few_tries(monkeypatch)
    done = fix(bad * 40, language_id, unsafe=True)
    assert done.finished
    assert fix(done.text, language_id, unsafe=True).text == done.text


@pytest.mark.slow
@pytest.mark.parametrize("language_id", BAD)
def test_fixing_any_mistakes_is_the_work_of_few_checks(language_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    allow_few_tries(monkeypatch)

    @settings(max_examples=max(LAWS // 20, 10), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from(BAD[language_id]), min_size=1, max_size=12), st.booleans())
    @example([BAD[language_id][number] for number in (0, 3, 5)], True)
    def law(some: list[str], unsafe: bool) -> None:
        text = "".join(some)
        text *= 2000 // len(text) + 1
        check(text, language_id)
        once = steps(lambda: check(text, language_id))
        assert steps(lambda: fix(text, language_id, unsafe=unsafe)) < 20 * once + 20_000
        assert steps(lambda: feedback(text, language_id)) < 20 * once + 20_000

    law()


def allow_few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow no more tries than for a text of 1 MB."""
    monkeypatch.setattr(fixing, "_MOST_CHARACTERS", 0)
    monkeypatch.setattr(import_module("llmblocks.rules.feedback"), "_MOST_TRIED", 1)


def test_fixes_that_are_left_untried_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixing, "_MOST_CHARACTERS", 0)
    monkeypatch.setattr(fixing, "_FEWEST_TRIES", 1)
    # spelling comes before values
    text = f"{START}G\n{ARG}a\n1\n{ARG}a\n1\n{END}" * 6 + "!!GADGET_START:H\n"
    done = fix(text, "gadget", unsafe=True)
    assert ([each.finding.code for each in done.applied], done.finished) == (["G012"], False)
    monkeypatch.undo()
    assert fix(done.text, "gadget", unsafe=True).finished


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language_id", "some"),
    [
        *[(language_id, "".join(bad)) for language_id, bad in BAD.items()],
        ("gadget", f"{START}G\n" + f"{ARG}a\n1\n" * 2200),
    ],
    ids=[*BAD, "one call"],
)
def test_feedback_is_the_work_of_few_checks(language_id: str, some: str) -> None:
    text = (some * 20_000)[:20_000]
    check(text, language_id)
    assert steps(lambda: feedback(text, language_id)) < 5 * steps(lambda: check(text, language_id))
