"""The texts that are typed in editors are what they are meant to be, without an editor."""

from __future__ import annotations

import pytest

from editors.hands import CARET, FAST, PERSON, Deed, Paste, Pick, Press, apart, keys, runs, written, wrong
from editors.hands_texts import DEEDS, TYPED
from llmblocks import check
from llmblocks.facts.severity import Severity

LANGUAGES = {"gadget": "gadget", "stf": "stf", "blocks": "custom-blocks"}


@pytest.mark.parametrize("deed", DEEDS, ids=str)
def test_each_deed_has_one_caret_before_and_after(deed: Deed) -> None:
    assert deed.start.count(CARET) == deed.expected.count(CARET) == 1
    typed = "".join(step for step in deed.steps if isinstance(step, str))
    assert "".join(runs(typed)) == typed


@pytest.mark.parametrize("deed", [each for each in TYPED if not each.file.endswith(".toml")], ids=str)
def test_what_is_typed_has_no_error(deed: Deed) -> None:
    text, _ = apart(deed.expected)
    language = LANGUAGES[deed.file.rpartition(".")[2]]
    assert [each.code for each in check(text, language) if each.severity is Severity.ERROR] == []


def test_the_keys_of_steps_are_counted() -> None:
    steps = ("ab", Press("Left", 2), Paste("long"), Pick("one"), Pick("two"))
    assert keys(steps) == 2 + 2 + 1 + 1 + 1


def test_what_is_wrong_shows_where_the_caret_is() -> None:
    assert wrong("a$0b", "ab", 1) == ""
    assert wrong("a$0b", "ab", 2) == "wanted\na$0b\nthere is\nab$0"


def test_an_end_after_the_caret_may_come_too_late_for_fast_hands() -> None:
    deed = written("", "", "!!!GADGET_START:A\n", "\n!!!GADGET_END")
    assert deed.outcomes(PERSON) == ("!!!GADGET_START:A\n$0\n!!!GADGET_END",)
    assert deed.outcomes(FAST) == (*deed.outcomes(PERSON), "!!!GADGET_START:A\n$0")
