"""A fix that changes more than it says is refused: each fix of each rule, with one more edit after its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import Edit
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import find_language
from llmblocks.rules.fixing import Applied, TextReader, by_hand, suggested
from llmblocks.settings.rule_names import RULES

LANGUAGES = {"gadget": "gadget", "stf": "stf", "tags": "custom-blocks", "completions": "completion"}
ENDS = {
    "gadget": "!!!GADGET_END\nA paragraph.\n\n<think>a block</think>\n!!!GADGET_START:Last\n!!!GADGET_END\n",
    "stf": "\n@user\nA paragraph.\n\n@user name=x\nThe end.\n",
    "tags": "</think></artifact></tool>\nA paragraph.\n\n<think>a block</think>\n",
    "completions": "\nA paragraph.\n",
}
AT_THE_END = {"G010", "M001", "M008", "S007", "S205", "T001"}
"""The rules whose fix would be after the paragraph, or that find nothing before one."""


@pytest.mark.parametrize("more", ["delete", "write"])
@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.fix or rule.by_hand], ids=lambda rule: rule.code)
def test_a_fix_that_changes_more_than_it_says_is_refused(rule: Rule, more: str) -> None:
    end = ENDS[rule.layer]
    text = rule.bad + end
    reading = TextReader(find_language(LANGUAGES[rule.layer]), settings_of(rule)).read(text)
    paragraph = text.rindex("A paragraph.")
    extra = Edit(paragraph, len(text), "") if more == "delete" else Edit(paragraph, paragraph, "Really. ")
    fixes = [
        Applied(finding, fix)
        for finding in reading.findings
        if finding.code == rule.code
        for fix in (*suggested(finding, reading.ask), *by_hand(finding, reading.ask))
        if fix.end < paragraph
    ]
    kept = [each for each in fixes if reading.after([each]) is not None]
    assert kept or rule.code in AT_THE_END
    for finding, fix in kept:
        greedy = replace(fix, edits=(*fix.edits, extra))
        assert reading.after([Applied(finding, greedy)]) is None, fix.title
