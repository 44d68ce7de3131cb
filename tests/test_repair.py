"""The recipes in docs/repair.md and docs/report.md."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"


def run(page: str) -> dict[str, Any]:
    """Run the program of a page, which prints what the page shows. Returns its names."""
    text = (DOCS / page).read_text(encoding="utf-8")
    ((program, shown),) = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", text, re.DOTALL)
    out = io.StringIO()
    scope: dict[str, Any] = {}
    with redirect_stdout(out):
        exec(compile(program, f"docs/{page}", "exec"), scope)
    assert out.getvalue() == shown
    return scope


def test_the_recipe_tells_the_model_what_the_page_shows() -> None:
    scope = run("repair.md")
    calls, told = scope["calls_or_feedback"]("!!!GADGET_START:A\n!!!ARG:b\n1\n!!!GADGET_END\n!!!GADGET_END\n")
    assert [call.name for call in calls] == ["A"]
    assert told == ""


def test_the_summary_of_a_corpus_is_what_the_page_shows() -> None:
    run("report.md")
