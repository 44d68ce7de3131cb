"""The recipe in docs/repair.md."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

GUIDE = (Path(__file__).parents[1] / "docs" / "repair.md").read_text(encoding="utf-8")


def test_the_recipe_tells_the_model_what_the_page_shows() -> None:
    ((program, shown),) = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", GUIDE, re.DOTALL)
    out = io.StringIO()
    scope: dict[str, Any] = {}
    with redirect_stdout(out):
        exec(compile(program, "docs/repair.md", "exec"), scope)
    assert out.getvalue() == shown
    calls, told = scope["calls_or_feedback"]("!!!GADGET_START:A\n!!!ARG:b\n1\n!!!GADGET_END\n!!!GADGET_END\n")
    assert [call.name for call in calls] == ["A"]
    assert told == ""
