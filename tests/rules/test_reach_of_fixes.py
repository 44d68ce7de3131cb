"""A fix leaves alone what is around its mistake."""

from __future__ import annotations

import pytest

from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import Edit
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import LANGUAGES
from llmblocks.rules.fixing import TextReader, by_hand, suggested
from llmblocks.settings.rule_names import RULES

KEPT = "Keep this.\n\n<reasoning>kept</reasoning>\n"
CALL = "!!!GADGET_START:Keep:{0}\n!!!ARG:{0}\nkept\n!!!GADGET_END\n"
AROUND = {
    "gadget": (KEPT + CALL.format("first"), CALL.format("last") + KEPT),
    "stf": (f"@user\n{KEPT}", f"\n@system\n{KEPT}"),
}
# without a folder, no embedded file is missing
FIXED = [rule for rule in RULES if (rule.fix or rule.by_hand) and rule.code != "S205"]


def removed(rule: Rule, before: str, after: str) -> list[str]:
    """Return what each suggested fix removes, besides its finding, from the texts around the bad example of a rule."""
    language = next(each for each in LANGUAGES if each.loaded[0].name == rule.layer)
    bad = rule.bad if not after or rule.bad.endswith("\n") else f"{rule.bad}\n"
    text, start, end = before + bad + after, len(before), len(before + bad)
    reading = TextReader(language, settings_of(rule)).read(text)
    found: list[str] = []
    for finding in reading.findings:
        if finding.code == rule.code and start <= finding.start <= end:
            spans = [(0, min(start, finding.start)), (max(end, finding.end), len(text))]
            found += [
                "".join([cut(text, edit, *span) for span in spans for edit in fix.edits])
                for fix in (*suggested(finding, reading.ask), *by_hand(finding, reading.ask))
            ]
    return found


def cut(text: str, edit: Edit, start: int, end: int) -> str:
    return text[max(edit.start, start) : max(min(edit.end, end), edit.start, start)]


@pytest.mark.parametrize("rule", FIXED, ids=lambda rule: rule.code)
def test_a_fix_removes_nothing_around_its_example(rule: Rule) -> None:
    before, after = AROUND.get(rule.layer, (KEPT, KEPT))
    tried = [removed(rule, *around) for around in ((before, ""), ("", after), (before, after))]
    assert [each.strip() for one in tried for each in one if each.strip()] == []
    assert any(tried), "no text around it keeps its finding"
