"""Each code is in one table, with all its words."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from llmblocks.completions.rules import RULES as COMPLETIONS
from llmblocks.completions.template_rules import RULES as TEMPLATES
from llmblocks.facts.rule import Case, Rule
from llmblocks.gadget.rules import RULES as GADGET
from llmblocks.settings.rule_names import ALL_RULES
from llmblocks.settings.rules import COMMENT_RULES, DATA_RULES, DOCUMENT_RULES, SETTINGS_RULES
from llmblocks.stf.rules import RULES as STF
from llmblocks.tags.rules import RULES as TAGS

TABLES = {
    "gadget": GADGET,
    "stf": STF,
    "tags": TAGS,
    "configuration": (*SETTINGS_RULES, *COMMENT_RULES),
    "data sets": DATA_RULES,
    "documents": DOCUMENT_RULES,
    "completions": COMPLETIONS,
    "templates": TEMPLATES,
}
LETTERS = {"completions": "M", "templates": "M"}
"""The names after the first of a table."""


def words(row: Rule) -> list[tuple[str, ...]]:
    """Return the parts of the message of a row, and of each of its cases."""
    cases = [Case(row.words, runtime=row.runtime)]
    cases += [Case(each) if isinstance(each, str) else each for each in row.cases.values()]
    return [(*each.words.split("\n"), *filter(None, [each.runtime])) for each in cases]


def test_a_code_and_a_name_stand_in_one_row_of_one_table() -> None:
    assert len({rule.code for rule in ALL_RULES}) == len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)


@pytest.mark.parametrize("layer", TABLES)
def test_the_rows_of_a_table_are_in_order_and_of_one_letter(layer: str) -> None:
    codes = [rule.code for rule in TABLES[layer]]
    assert {rule.layer for rule in TABLES[layer]} == {layer} or layer == "configuration"
    assert codes == sorted(codes)
    letter = LETTERS.get(layer, layer[0].upper())
    assert all(re.fullmatch(f"{letter}[0-9]{{3}}", code) for code in codes)


@pytest.mark.parametrize("row", ALL_RULES, ids=lambda row: row.code)
def test_a_message_is_made_of_phrases(row: Rule) -> None:
    for each in words(row):
        assert 1 <= len(each) <= 4
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
