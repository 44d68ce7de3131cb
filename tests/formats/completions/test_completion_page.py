"""The programs of docs/formats/completions.md run, and its table names all templates."""

from __future__ import annotations

import re
from pathlib import Path

from llmblocks.completions import template_names

PAGE = (Path(__file__).parents[3] / "docs" / "formats" / "completions.md").read_text("utf-8")


def test_the_programs_of_the_page_hold() -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(programs) == 3
    for program in programs:
        exec(program, {})


def test_the_table_names_every_template() -> None:
    table = PAGE.partition("| template |")[2].partition("\n\n")[0]
    named = {
        name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.partition("|")[2].partition("|")[0])
    }
    assert named == {*template_names()}
