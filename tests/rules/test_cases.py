"""The cases of rules in the Markdown files beside this one: see `llmblocks.rules.cases` for their form."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.rules.cases import RuleCase, cases_in, failures

CASES = [
    pytest.param(case, id=f"{path.stem}:{case.line} {case.title.rpartition(' > ')[2]}")
    for path in sorted(Path(__file__).parent.glob("*.md"))
    for case in cases_in(path.read_text("utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_a_text_has_the_findings_that_are_marked(case: RuleCase) -> None:
    assert [*failures(case)] == []
