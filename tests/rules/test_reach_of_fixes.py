"""A fix changes its mistake alone: each fix of each rule, in texts around its example, and with one more edit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import Edit
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import language_with
from llmblocks.rules.fixing import Applied, TextReader, TextReading, by_hand, suggested
from llmblocks.settings.rule_names import RULES

KEPT = "Keep this.\n\n<reasoning>kept</reasoning>\n"
CALL = "!!!GADGET_START:Keep:{0}\n!!!ARG:{0}\nkept\n!!!GADGET_END\n"
AROUND = {
    "gadget": (KEPT + CALL.format("first"), CALL.format("last") + KEPT),
    "stf": (f"@user\n{KEPT}", f"\n@system\n{KEPT}"),
}
ENDS = {
    "gadget": "!!!GADGET_END\nA paragraph.\n\n<think>a block</think>\n!!!GADGET_START:Last\n!!!GADGET_END\n",
    "stf": "\n@user\nA paragraph.\n\n@user name=x\nThe end.\n",
    "tags": "</think></artifact></tool>\nA paragraph.\n\n<think>a block</think>\n",
    "completions": "\nA paragraph.\n",
}
AT_THE_END = {"G010", "M001", "M008", "S007", "S205", "T001"}
"""The rules whose fix would be after the paragraph, or that find nothing before one."""
fixed_rules = pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.fix or rule.by_hand], ids=lambda rule: rule.code
)


def read(rule: Rule, text: str) -> tuple[TextReading, list[Applied]]:
    """Return a text with a mistake, and all fixes of it, untried."""
    reading = TextReader(language_with(rule.layer), settings_of(rule)).read(text)
    return reading, [
        Applied(finding, fix)
        for finding in reading.findings
        if finding.code == rule.code
        for fix in (*suggested(finding, reading.ask), *by_hand(finding, reading.ask))
    ]


def removed(rule: Rule, before: str, after: str) -> Iterator[str]:
    """Yield what each fix removes, besides its finding, from the texts around the bad example of a rule."""
    bad = rule.bad if not after or rule.bad.endswith("\n") else f"{rule.bad}\n"
    text, start, end = before + bad + after, len(before), len(before + bad)
    for finding, fix in read(rule, text)[1]:
        if start <= finding.start <= end:
            spans = (0, min(start, finding.start)), (max(end, finding.end), len(text))
            cuts = [(max(edit.start, one), min(edit.end, two)) for one, two in spans for edit in fix.edits]
            yield "".join([text[one:two] for one, two in cuts if one < two])


@fixed_rules
def test_a_fix_removes_nothing_around_its_example(rule: Rule) -> None:
    before, after = AROUND.get(rule.layer, (KEPT, KEPT))
    found = [each for around in ((before, ""), ("", after), (before, after)) for each in removed(rule, *around)]
    assert [each for each in found if each.strip()] == []
    # without a folder, no embedded file is missing
    assert found or rule.code == "S205", "no text around it keeps its finding"


@pytest.mark.parametrize("more", ["delete", "write"])
@fixed_rules
def test_a_fix_that_changes_more_than_it_says_is_refused(rule: Rule, more: str) -> None:
    text = rule.bad + ENDS[rule.layer]
    paragraph = text.rindex("A paragraph.")
    extra = Edit(paragraph, len(text), "") if more == "delete" else Edit(paragraph, paragraph, "Really. ")
    reading, fixes = read(rule, text)
    kept = [each for each in fixes if each.fix.end < paragraph and reading.after([each]) is not None]
    assert kept or rule.code in AT_THE_END
    for finding, fix in kept:
        greedy = replace(fix, edits=(*fix.edits, extra))
        assert reading.after([Applied(finding, greedy)]) is None, fix.title
