"""The program of docs/scale.md gives what `llmblocks report` gives."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import responses
from llmblocks.cli.commands import main

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
def test_the_program_counts_as_the_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for session, (_, texts) in enumerate(responses.sessions(3)):
        for turn, text in enumerate(texts):
            file = tmp_path / "c" / f"{session}" / f"{turn:02}.gadget"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    program, _ = re.findall(r"^```python\n(.*?)^```$", (DOCS / "scale.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    Path("program.py").write_text(program, "utf-8")
    done = subprocess.run([sys.executable, "program.py", "c"], capture_output=True, text=True, check=True)
    first, *gadgets = done.stdout.splitlines()
    assert main(["report", "c", "-q"]) == 0
    assert capsys.readouterr().out.startswith(f"{first} (")
    assert first.startswith("120 texts, ")
    assert len(gadgets) >= 5
