"""A rule is the same in the code, in its page, in the schema of the settings, and on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from llmblocks.completions.template_rules import RULES as TEMPLATES
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.rule_names import ALL_RULES, NAMES, code_of
from llmblocks.settings.rules import COMMENT_RULES, DATA_RULES, DOCUMENT_RULES, SETTINGS_RULES
from llmblocks.settings.values import DEFAULTS

ROOT = Path(__file__).parents[2]
EVERY = {rule.code: rule.name for rule in ALL_RULES}
"""The name of each rule by its code, as the registry has it."""


def choices(schema: Any) -> Iterator[list[str]]:
    """Yield all the lists in a schema of what may be given for a rule."""
    if isinstance(schema, dict):
        if "G101" in schema.get("enum", ()):
            yield schema["enum"]
        schema = [*schema.values()]
    if isinstance(schema, list):
        for each in schema:
            yield from choices(each)


def test_the_rules_are_those_that_the_code_names_and_judges() -> None:
    assert EVERY == NAMES
    stated = {kind.code for kind in (*SETTINGS_RULES, *TEMPLATES, *COMMENT_RULES, *DATA_RULES, *DOCUMENT_RULES)}
    for layer in {layer.name: layer for language in LANGUAGES for layer in language.loaded}.values():
        stated |= {kind.code for kind in layer.facts(DEFAULTS).rules} if layer.facts else set()
        stated |= {check.rule.code for check in layer.checks}
    assert stated == EVERY.keys()


def test_the_schema_of_settings_knows_each_rule_and_no_other() -> None:
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8"))
    [choice] = choices(schema)
    prefixes = {code[:length] for code in EVERY for length in (1, 2, 3)}
    assert {*choice} - prefixes == {*EVERY, *EVERY.values()}
    assert all(code_of(each) for each in choice)
    places = json.dumps(schema["properties"]["rules"]).count('"#/definitions/Rule"')
    assert places == 6, "select, ignore, both again as additions, by file, severity"


def test_the_schema_of_settings_has_a_title_and_a_page_for_each_rule() -> None:
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8"))
    names, _ = schema["definitions"]["Rule"]["anyOf"]
    titles, pages = (names["x-taplo"][each]["enumValues"] for each in ("docs", "links"))
    shown = {
        name: (title, page.rpartition("/")[2]) for name, title, page in zip(names["enum"], titles, pages, strict=True)
    }
    for rule in ALL_RULES:
        assert shown[rule.code] == (f"{rule.name}: {rule.summary}", f"{rule.code}.md")
        assert shown[rule.name] == (f"{rule.code}: {rule.summary}", f"{rule.code}.md")
    assert all((ROOT / "docs" / "rules" / page).exists() for _, page in shown.values())
