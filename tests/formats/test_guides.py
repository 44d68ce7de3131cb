"""Each program on the page of a format runs alone, as somebody would paste it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from llmblocks.completions import template_names

PAGES = Path(__file__).parents[2] / "docs" / "formats"
PROGRAMS = {"gadget.md": 9, "stf.md": 7, "custom-blocks.md": 6, "completions.md": 3}
"""The least number of programs on each page."""
FOUND = {
    name: re.findall(r"^```python\n(.*?)^```$", (PAGES / name).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for name in PROGRAMS
}


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in FOUND for number in range(len(FOUND[name]))])
def test_a_program_of_a_page_runs(name: str, number: int) -> None:
    exec(compile(FOUND[name][number], f"{name} program {number + 1}", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_page_has_programs(name: str) -> None:
    assert len(FOUND[name]) >= PROGRAMS[name]


def test_the_table_of_completions_names_every_template() -> None:
    table = (PAGES / "completions.md").read_text("utf-8").partition("| template |")[2].partition("\n\n")[0]
    named = {
        name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.partition("|")[2].partition("|")[0])
    }
    assert named == {*template_names()}
