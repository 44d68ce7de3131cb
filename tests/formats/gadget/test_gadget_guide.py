"""Each example of the guide runs alone, as somebody would paste it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[3] / "docs" / "formats" / "gadget.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


def test_the_guide_has_examples() -> None:
    assert len(SNIPPETS) == GUIDE.count("```python") >= 9


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_an_example_of_the_guide_runs(number: int) -> None:
    exec(compile(SNIPPETS[number], f"gadget.md example {number + 1}", "exec"), {"__name__": "example"})
