"""The figures of docs/precision.md, and the findings in the texts of PyPI that they count."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from discovery import real_texts

PAGE = (Path(__file__).parents[2] / "docs" / "precision.md").read_text("utf-8")
JUDGED = real_texts.judgements()
COUNTED = [each for each in JUDGED if each.is_true is not None]


def test_the_page_has_the_figures_of_the_judged_findings() -> None:
    found = []
    for rule in sorted({each.rule for each in JUDGED}):
        before = [each for each in COUNTED if each.rule == rule]
        if not before:
            continue
        now = [each for each in before if not each.corrected]
        numbers = [number for part in (before, now) for number in (len(part), sum(bool(each.is_true) for each in part))]
        found.append((rule, *map(str, numbers)))
    pattern = r"^\| \[(\w+)\]\(rules/\w+\.md\) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$"
    assert re.findall(pattern, PAGE, re.MULTILINE) == found
    true = sum(bool(each.is_true) for each in COUNTED)
    assert f"Of {len(COUNTED)} findings, {true} were true. The other {len(COUNTED) - true} led" in PAGE
    assert f"{len(JUDGED) - len(COUNTED)} more findings are in strings" in PAGE


@pytest.mark.parametrize("rule", sorted({each.rule for each in COUNTED if not each.corrected}))
def test_a_rule_is_right_in_95_of_100_findings(rule: str) -> None:
    verdicts = [each.is_true for each in COUNTED if each.rule == rule and not each.corrected]
    assert sum(map(bool, verdicts)) >= 0.95 * len(verdicts)


def test_each_judgement_has_a_reason_and_a_false_one_a_change() -> None:
    for each in JUDGED:
        assert each.reason
        assert bool(each.corrected) == (each.is_true is False)


def test_nothing_is_found_in_the_documents_of_npm() -> None:
    texts = [*real_texts.texts_of_npm()]
    if not texts:
        pytest.skip("no package is installed: make test installs them")
    assert len(texts) > 600
    assert not [*real_texts.findings(texts)]


@pytest.mark.slow
def test_every_finding_in_the_texts_of_pypi_is_judged() -> None:
    texts = [*real_texts.texts_of_packages()]
    assert Counter(each.language_id for each in texts) == {"completion": 300, "custom-blocks": 469, "jsonl": 1}
    found = Counter(real_texts.findings(texts))
    judged = Counter([each[:4] for each in JUDGED if not each.corrected and each.source in real_texts.PACKAGES])
    assert found - judged == Counter(), "nobody has judged these"
    assert judged - found == Counter(), "these are not found any more"
