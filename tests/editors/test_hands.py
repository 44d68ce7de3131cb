"""The texts that are typed in editors are what they are meant to be, without an editor."""

from __future__ import annotations

import pytest

from editors.hands import CARET, DEEDS, TYPED, Deed, apart, runs
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
