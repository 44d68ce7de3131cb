"""`llmblocks explain`, and the pages made by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from commands import run
from llmblocks.cli.explain import page, write_pages
from llmblocks.facts.rule import Rule
from llmblocks.settings.rule_names import ALL_RULES

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("asked", ["G101", "g101", "duplicate-pointer"])
def test_a_rule_is_explained_with_its_examples(asked: str, tmp_path: Path) -> None:
    shown = run(tmp_path, "explain", asked).stdout
    rule = next(rule for rule in ALL_RULES if rule.code == "G101")
    assert shown.startswith("# G101 duplicate-pointer\n")
    assert all(part in shown for part in (rule.summary, rule.why, rule.bad, rule.good))


def test_without_a_code_all_rules_are_listed(tmp_path: Path) -> None:
    listed = run(tmp_path, "explain").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [rule.code for rule in ALL_RULES]


def test_the_pages_in_docs_are_those_of_the_rules(tmp_path: Path) -> None:
    write_pages(tmp_path)
    made = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.iterdir()}
    kept = {page.name: page.read_text(encoding="utf-8") for page in PAGES.iterdir()}
    assert kept == made, "run: .venv/bin/llmblocks explain --pages docs/rules"


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.code)
def test_each_code_block_of_a_page_ends(rule: Rule) -> None:
    titles = [each.content for each in MarkdownIt().parse(page(rule)) if each.type == "inline" and each.level == 1]
    assert {"Why", "Wrong", "Right", "Ignore it"} <= {*titles}


def test_a_page_of_a_rule_that_is_gone_goes(tmp_path: Path) -> None:
    (tmp_path / "G000.md").write_text("old", encoding="utf-8")
    kept = [tmp_path / name for name in ("keep.txt", "CHANGELOG.md", "notes-G000.md")]
    for file in kept:
        file.write_text("not a page", encoding="utf-8")
    write_pages(tmp_path)
    assert not (tmp_path / "G000.md").exists()
    assert [file.read_text(encoding="utf-8") for file in kept] == ["not a page"] * 3


def test_a_folder_that_cannot_be_written_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "pages").touch()
    done = run(tmp_path, "explain", "--pages", "pages")
    assert done.returncode == 2
    assert done.stderr.startswith("llmblocks explain: the pages cannot be written: ")
