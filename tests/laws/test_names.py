"""Findings of names after edits are those of a fresh text: calls, and what they wait for, move between messages."""

from __future__ import annotations

from random import Random

import pytest

from examples import LAWS
from llmblocks.core import sequence
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS

CALL = "!!!GADGET_START:A:{one}:{two}\n!!!GADGET_END\n"
UNITS = {
    "gadget": (*[CALL] * 5, "words\n", "<think>\n", "</think>\n"),
    "stf": (*[CALL] * 9, "@ai\n", "@user id={one}\n", "@tool call_id={one}\n", "words\n", "@block\n", "@end\n"),
    "custom-blocks": ("<think>\n", "</think>\n", "<think>x</think>\n", "words\n", "\n"),
}
IDS = (*"abcdefgh", "", "gadget_1", "gadget_2")


def some(random: Random, language_id: str, number: int) -> list[str]:
    found = random.choices(UNITS[language_id], k=number)
    return [each.format(one=random.choice(IDS), two=random.choice(IDS)) for each in found]


@pytest.mark.parametrize("language_id", UNITS)
def test_findings_of_names_after_edits_are_those_of_a_fresh_text(
    language_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequence, "_SIZE", 4)
    language = find_language(language_id)
    checker = Checker(language, DEFAULTS)
    codes: set[str] = set()
    for seed in range(max(LAWS // 10, 20)):
        random = Random(seed)
        lines = some(random, language_id, 20)
        document = language.open("".join(lines), DEFAULTS)
        names = checker.names(document)
        assert names is not None
        for _ in range(8):
            at = random.randrange(len(lines))
            gone, come = random.choice(((0, 1), (1, 0), (1, 1), (2, 1)))
            start, old = sum(map(len, lines[:at])), lines[at : at + gone]
            lines[at : at + gone] = new = some(random, language_id, come)
            names.note(document.edit(start, start + sum(map(len, old)), "".join(new)))
            fresh = checker.names(language.open(document.text, DEFAULTS))
            assert fresh is not None
            assert names.findings() == fresh.findings(), (seed, document.text)
            assert names.count == len(names.findings())
            codes |= {each.code for each in names.findings()}
    assert len(codes) >= {"gadget": 3, "stf": 4, "custom-blocks": 1}[language_id]
