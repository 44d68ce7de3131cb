"""The examples of the guide, run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[3] / "docs" / "formats" / "stf.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


def test_the_guide_has_examples() -> None:
    assert len(SNIPPETS) == GUIDE.count("```python") == 7


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_an_example_of_the_guide_runs(number: int) -> None:
    exec(compile(SNIPPETS[number], f"stf.md example {number + 1}", "exec"), {"__name__": "example"})
