"""The programs of docs/grammars.md run."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "grammars.md").read_text("utf-8")


def test_the_programs_of_the_page_hold() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(program, {})
