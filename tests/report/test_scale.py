"""The programs of docs/scale.md give what `llmblocks report` gives; `make spark` runs the one for Spark, too."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import responses
from commands import run
from llmblocks.report import merged, summarise

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scale.md").read_text("utf-8")
PROGRAMS = dict(
    zip(("processes", "spark"), re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE), strict=True)
)
if find_spec("pyspark") is None:
    # only the environment of `make spark` has it
    del PROGRAMS["spark"]


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_counts_as_the_command_does(program: str, tmp_path: Path) -> None:
    texts = [text for _, said in responses.sessions(3) for text in said]
    for number, text in enumerate(texts):
        file = tmp_path / "c" / str(number % 3) / f"{number:03}.gadget"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (tmp_path / "program.py").write_text(PROGRAMS[program], "utf-8")
    here = {"PYTHONPATH": str(ROOT / "server"), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "program.py", "c"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **here}, capture_output=True, text=True, check=False
    )
    first, *gadgets = done.stdout.splitlines() or [done.stderr[-2000:]]
    assert run(tmp_path, "report", "c", "-q").stdout.startswith(f"{first} (")
    expected = merged(summarise("", text, "gadget") for text in texts)
    assert first == f"{len(texts)} texts, {expected.failed} with errors"
    assert gadgets == [f"{row.key[0]} {row.counts}" for row in expected.gadgets.rows]


if __name__ == "__main__":
    import shutil

    from environments import run_with

    if shutil.which("java") is None:
        sys.exit("Spark needs Java 17 or newer: apt install default-jre-headless")
    sys.exit(run_with("on-spark", ["pyspark>=4,<5", "pandas<3", "pyarrow"], __file__, "-k", "spark"))
