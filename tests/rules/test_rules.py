"""Every rule: one row with all its words, the same everywhere, true to its own examples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from llmblocks import check, findings_as_json
from llmblocks.cli.explain import settings_of
from llmblocks.completions.template_rules import RULES as TEMPLATES
from llmblocks.facts.rule import Case, Rule
from llmblocks.facts.severity import Severity
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES, language_with
from llmblocks.rules.checker import Checker
from llmblocks.settings.rule_names import ALL_RULES, NAMES, RULES, code_of
from llmblocks.settings.rules import COMMENT_RULES, DATA_RULES, DOCUMENT_RULES, SETTINGS_RULES
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.stf.rules import RULES as STF

ROOT = Path(__file__).parents[2]
LETTERS = {"completions": "M", "templates": "M", "settings": "C", "schemas": "C"}
"""The letters of layers that do not begin with it."""


def words(row: Rule) -> list[tuple[str, ...]]:
    """Return the parts of the message of a row, and of each of its cases."""
    cases = [Case(row.words, runtime=row.runtime)]
    cases += [Case(each) if isinstance(each, str) else each for each in row.cases.values()]
    return [(*each.words.split("\n"), *filter(None, [each.runtime])) for each in cases]


def test_a_code_stands_in_one_row_and_the_rows_in_order() -> None:
    assert len({rule.code for rule in ALL_RULES}) == len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)
    for table in (RULES, SETTINGS_RULES, TEMPLATES, COMMENT_RULES, DATA_RULES, DOCUMENT_RULES):
        assert [rule.code for rule in table] == sorted([rule.code for rule in table])


@pytest.mark.parametrize("row", ALL_RULES, ids=lambda row: row.code)
def test_a_message_is_made_of_phrases(row: Rule) -> None:
    letter = "C" if row in COMMENT_RULES else LETTERS.get(row.layer, row.layer[0].upper())
    assert re.fullmatch(f"{letter}[0-9]{{3}}", row.code)
    for each in words(row):
        assert 3 <= len(each) <= 4
        for part in each:
            assert part
            assert not part.endswith(".") or part.startswith("Error: ")
            assert part == part.strip()
            assert " — " not in part
            for _, name, _, _ in Formatter().parse(part):
                assert name is None or name.isidentifier()


def test_a_reference_is_one_of_the_kinds_of_errors() -> None:
    cases = [case for rule in STF for case in rule.cases.values()]
    references = {rule.reference for rule in STF} | {case.reference for case in cases if isinstance(case, Case)}
    known = "args comment end json5 nested_command no_message no_role schema unexpected_data unknown_command"
    assert references <= {"", *known.split(), "unknown_line", "unterminated"}


def test_the_rules_are_those_that_the_code_names_and_judges() -> None:
    assert {rule.code: rule.name for rule in ALL_RULES} == NAMES
    stated = {kind.code for kind in (*SETTINGS_RULES, *TEMPLATES, *COMMENT_RULES, *DATA_RULES, *DOCUMENT_RULES)}
    for layer in {layer.name: layer for language in LANGUAGES for layer in language.loaded}.values():
        stated |= {kind.code for kind in layer.facts(DEFAULTS).rules} if layer.facts else set()
        stated |= {check.rule.code for check in layer.checks}
    assert stated == NAMES.keys()


def choices(schema: Any) -> Iterator[list[str]]:
    """Yield all the lists in a schema of what may be given for a rule."""
    if isinstance(schema, dict):
        if "G101" in schema.get("enum", ()):
            yield schema["enum"]
        schema = [*schema.values()]
    if isinstance(schema, list):
        for each in schema:
            yield from choices(each)


def test_the_schema_of_settings_has_each_rule_with_its_title_and_page() -> None:
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8"))
    [choice] = choices(schema)
    prefixes = {code[:length] for code in NAMES for length in (1, 2, 3)}
    assert {*choice} - prefixes == {*NAMES, *NAMES.values()}
    assert all(code_of(each) for each in choice)
    places = json.dumps(schema["properties"]["rules"]).count('"#/definitions/Rule"')
    assert places == 6, "select, ignore, both again as additions, by file, severity"
    names, _ = schema["definitions"]["Rule"]["anyOf"]
    titles, pages = (names["x-taplo"][each]["enumValues"] for each in ("docs", "links"))
    shown = {
        name: (title, page.rpartition("/")[2]) for name, title, page in zip(names["enum"], titles, pages, strict=True)
    }
    for rule in ALL_RULES:
        assert shown[rule.code] == (f"{rule.name}: {rule.summary}", f"{rule.code}.md")
        assert shown[rule.name] == (f"{rule.code}: {rule.summary}", f"{rule.code}.md")
    assert all((ROOT / "docs" / "rules" / page).exists() for _, page in shown.values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
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
    assert {each.code: each.severity for each in check("@*/\n@/*\n", "stf", settings)} == severities


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)
def test_a_section_counts_as_many_findings_as_it_has(language: Language) -> None:
    checker = Checker(language, DEFAULTS)
    document = language.open("\n".join([rule.bad for rule in RULES]), DEFAULTS, checker.count_findings)
    counts = [len(checker.findings(section)) for section in document.sections]
    assert [section.finding_count for section in document.sections] == counts
    assert max(counts) > 1 or language.repeats


def test_a_finding_as_json_has_offsets_lines_and_its_related_places() -> None:
    text = "hi\r\n!!!GADGET_START:A\r\n!!!ARG:😀x\n1\n!!!ARG:😀x\n2\n!!!GADGET_END\n"
    (found,) = findings_as_json(check(text, "gadget"), text)
    place, start = {"start": 30, "end": 32, "line": 3, "column": 8, "endLine": 3, "endColumn": 10}, text.rindex("😀x")
    said = {
        "headline": "Duplicate pointer: 😀x",
        "note": "llmist rejects the whole call",
        "help": "rename or remove one of them; first given 2 lines above",
    }
    here = {"start": start, "end": start + 2, "line": 5, "endLine": 5}
    rule = {"code": "G101", "name": "duplicate-pointer", "severity": "error"}
    message = f"{said['headline']} — {said['note']}; {said['help']}"
    related = [{**place, "message": "first given here"}]
    assert json.loads(json.dumps(found)) == {**place, **here, **rule, **said, "message": message, "related": related}
