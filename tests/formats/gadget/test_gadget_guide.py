"""The examples of the guide run, one after the other, as somebody would type them."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "formats" / "gadget.md"


def test_the_examples_of_the_guide_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 9
    # the examples write backticks inside of strings, never at the start of a line
    names: dict[str, object] = {"__name__": "guide"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"docs/formats/gadget.md, example {number + 1}", "exec"), names)
