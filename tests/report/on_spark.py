"""The program for Spark in docs/scale.md, in its local mode. Run by `make spark`, in an environment that has Spark."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
for folder in ("tests", "server"):
    sys.path.insert(0, str(ROOT / folder))


def test_spark_counts_as_the_library_does(tmp_path: Path) -> None:
    import responses
    from llmblocks.report import merged, summarise

    found = [(session, text) for session, (_, texts) in enumerate(responses.sessions(3)) for text in texts]
    for number, (session, text) in enumerate(found):
        file = tmp_path / "c" / f"{session}" / f"{number:03}.gadget"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    expected = merged(summarise("", text, "gadget") for _, text in found)
    _, program = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "docs" / "scale.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (tmp_path / "program.py").write_text(program, "utf-8")
    here = {"PYTHONPATH": str(ROOT / "server"), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "program.py", "c"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **here}, capture_output=True, encoding="utf-8", check=False
    )
    first, *gadgets = done.stdout.splitlines() or [done.stderr[-2000:]]
    assert first == f"{expected.texts} texts, {expected.failed} with errors"
    assert gadgets == [f"{row.key[0]} {row.counts}" for row in expected.gadgets.rows]


if __name__ == "__main__":
    import shutil
    import tomllib

    from environments import environment

    if shutil.which("java") is None:
        sys.exit("Spark needs Java 17 or newer: apt install default-jre-headless")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = [*project["dependencies"], "pyspark>=4,<5", "pandas<3", "pyarrow", "pytest"]
    this = [environment("on-spark", needs), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", __file__]
    sys.exit(subprocess.run(this, cwd=ROOT, check=False).returncode)
