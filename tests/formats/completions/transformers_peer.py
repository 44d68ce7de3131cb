"""The response parser of transformers, from PyPI."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from environments import environment

ROOT = Path(__file__).parents[3]


class Transformers:
    """A process that runs the parser. See `tests/peers/transformers_run.py`."""

    def __init__(self) -> None:
        groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
        python = environment("transformers", groups["transformers"])
        self._process = subprocess.Popen(
            [python, str(ROOT / "tests" / "peers" / "transformers_run.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def run(self, **given: Any) -> list[dict[str, Any]]:
        """Return the results for each of the sizes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        found: list[dict[str, Any]] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
