"""Each code stands in one catalogue, with all the words that are said of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import llmblocks
from llmblocks.core import catalogue as comments
from llmblocks.core.problem import ProblemKind
from llmblocks.gadget.syntax import catalogue as gadget
from llmblocks.rules.registry import RULES
from llmblocks.rules.settings import SETTINGS_RULES
from llmblocks.settings import catalogue as settings
from llmblocks.stf.syntax import catalogue as stf
from llmblocks.tags.syntax import catalogue as tags

PACKAGE = Path(llmblocks.__file__).parent
CATALOGUES = {"gadget": gadget, "stf": stf, "tags": tags, "comments": comments, "configuration": settings}
ROWS = {
    layer: [row for row in vars(catalogue).values() if isinstance(row, ProblemKind)]
    for layer, catalogue in CATALOGUES.items()
}
EVERY = [row for rows in ROWS.values() for row in rows]
CODE = re.compile(r"[GST][0-9]{3}")
ELSEWHERE = ("rules", "cli/demo")
"""Pages about rules, and a play whose cues are codes."""


def words(row: ProblemKind) -> list[tuple[str, str]]:
    """The wording and the consequence of a row, and of each of its cases."""
    return [(row.wording, row.consequence), *[(case.wording, case.consequence) for case in row.cases.values()]]


def test_a_code_and_a_name_stand_in_one_row_of_one_catalogue() -> None:
    assert len({row.code for row in EVERY}) == len({row.name for row in EVERY}) == len(EVERY)


@pytest.mark.parametrize("layer", ROWS)
def test_the_rows_of_a_catalogue_are_in_order_and_of_one_letter(layer: str) -> None:
    codes = [row.code for row in ROWS[layer]]
    assert codes == sorted(codes)
    assert {code[0] for code in codes} == {layer[0].upper()}
    assert all(re.fullmatch("[CGST][0-9]{3}", code) for code in codes)


def test_a_rule_names_a_row_of_the_catalogue_of_its_layer() -> None:
    for rule in RULES:
        assert rule.kind in ROWS["comments" if rule.code.startswith("C") else rule.layer], rule.code
    assert len({rule.kind for rule in RULES}) == len(RULES)
    assert [rule.kind for rule in SETTINGS_RULES] == ROWS["configuration"]


@pytest.mark.parametrize("row", EVERY, ids=lambda row: row.code)
def test_a_wording_is_a_phrase(row: ProblemKind) -> None:
    for wording, consequence in words(row):
        assert wording == wording.strip() != ""
        assert " — " not in wording + consequence
        assert not consequence.endswith(".")
        for _, name, _, _ in Formatter().parse(wording + consequence):
            assert name is None or name.isidentifier()


def test_every_finding_of_decode_has_a_kind_of_the_reference() -> None:
    for row in [row for row in ROWS["stf"] if row not in stf.ONLY_TOLD]:
        for case in ["", *row.cases]:
            assert stf.reference_of(row, {"case": case} if case else {})


def test_no_code_is_written_outside_the_catalogues() -> None:
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if name.endswith("/catalogue.py") or name.startswith(ELSEWHERE):
            continue
        literals = [
            node.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not [text for text in literals if CODE.fullmatch(text)], name


def test_no_wording_is_written_twice() -> None:
    """A phrase of a catalogue stands in no other file of the package, but on the pages of rules."""
    phrases = {
        max(re.split(r"\{[^}]*\}", text), key=len).strip() for row in EVERY for case in words(row) for text in case
    }
    phrases = {phrase for phrase in phrases if len(phrase) > 20}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.endswith("/catalogue.py") and not name.startswith(ELSEWHERE):
            text = path.read_text(encoding="utf-8")
            assert not [phrase for phrase in phrases if phrase in text], name
