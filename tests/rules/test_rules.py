"""Every rule, on its own examples and on texts with marked places."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import check
from llmblocks.cli.explain import settings_of
from llmblocks.facts.finding import Finding
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES, find_language, language_with
from llmblocks.rules.checker import Checker
from llmblocks.rules.fixing import suggested
from llmblocks.settings.rule_names import RULES
from llmblocks.settings.values import DEFAULTS, Settings
from marked import whole


def findings(text: str, language_id: str, settings: Settings | None = None) -> list[Finding]:
    language, settings = find_language(language_id), settings or DEFAULTS
    return list(Checker(language, settings).all(language.open(text, settings)))


every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


@every_rule
def test_a_rule_finds_its_bad_example_and_nothing_in_its_good_one(rule: Rule, tmp_path: Path) -> None:
    language_id = language_with(rule.layer).id
    for number, text in enumerate((rule.bad, rule.good)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for file, beside in (*rule.files, (rule.file, text)):
            (folder / file).write_text(beside, "utf-8", newline="")
        name = str(folder / rule.file) if rule.files else None
        codes = {each.code for each in check(text, language_id, settings_of(rule), name)}
        assert codes == (set() if number else {rule.code})


def test_codes_are_in_order_and_stand_once() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))


@pytest.mark.parametrize(
    ("settings", "severities"),
    [
        (Settings(), {"S001": Severity.ERROR, "S002": Severity.ERROR}),
        (Settings(ignore=("S001",)), {"S002": Severity.ERROR}),
        (Settings(ignore=("S",)), {}),
        (Settings(select=("S002", "G")), {"S002": Severity.ERROR}),
        (Settings(severity=(("S", "hint"), ("S002", "off"))), {"S001": Severity.HINT}),
        (Settings(severity=(("S002", "warning"), ("S0", "information"))), {"S001": 3, "S002": Severity.WARNING}),
    ],
)
def test_settings_choose_rules_and_severities(settings: Settings, severities: dict[str, int]) -> None:
    found = findings("@*/\n@/*\n", "stf", settings)
    assert {each.code: each.severity for each in found} == severities


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)
def test_the_sections_without_findings_are_not_checked_again(language: Language) -> None:
    call = "!!!GADGET_START:G:i{}\n!!!ARG:a/0\n1\n!!!GADGET_END\n"
    text = "@ai\n" + "".join(f"{call.format(number)}text\n<think>x</think>\n@user\n" for number in range(9))
    checker = Checker(language, DEFAULTS)
    document = language.open(text, DEFAULTS, checker.count_findings)
    quiet = [section for section in document.sections if not section.finding_count]
    before = [section.memory for section in quiet]
    assert quiet
    assert [*checker.all(document)] == findings(text, language.id)
    assert [section.memory for section in quiet] == before


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)
def test_a_section_counts_as_many_findings_as_it_has(language: Language) -> None:
    checker = Checker(language, DEFAULTS)
    document = language.open("\n".join([rule.bad for rule in RULES]), DEFAULTS, checker.count_findings)
    counts = [len(checker.findings(section)) for section in document.sections]
    assert [section.finding_count for section in document.sections] == counts
    assert max(counts) > 1 or language.repeats


def test_a_dependency_is_not_corrected_to_the_call_itself_or_to_one_that_it_waits_for() -> None:
    def remedies(header: str) -> list[str]:
        text = f"!!!GADGET_START:A:r1\n!!!GADGET_END\n!!!GADGET_START:B:{header}\n!!!GADGET_END\n"
        ask = whole(text, "gadget")
        return [fix.title for each in findings(text, "gadget") if each.code == "G111" for fix in suggested(each, ask)]

    assert remedies("r2:r3") == ["Depend on `r1`"]
    assert remedies("r2:r3,r1") == remedies("r2:r1,r3") == []
