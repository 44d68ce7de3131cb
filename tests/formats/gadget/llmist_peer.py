"""The real llmist, run by node on many cases at once."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PEERS = Path(__file__).resolve().parents[2] / "peers"


def require_llmist() -> None:
    """Fail, and say what to do, where llmist is not installed; skip where there is no node at all."""
    if shutil.which("node") is None:
        pytest.skip("node is not on this machine, and llmist runs on nothing else")
    if not (PEERS / "node_modules" / "llmist").is_dir():
        pytest.fail("llmist is not installed in tests/peers: run `make test`, which installs it", pytrace=False)


def run_llmist(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each case to llmist, all in one process: what tests/peers/llmist.mjs says of each."""
    require_llmist()
    lines = "".join(json.dumps({"chunks": case["chunks"], "options": case["options"]}) + "\n" for case in cases)
    done = subprocess.run(
        ["node", "llmist.mjs"], cwd=PEERS, input=lines, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(results) == len(cases)
    return results


def without_repeats(result: dict[str, Any]) -> dict[str, Any]:
    """What llmist said, each piece of text once."""
    fixed: dict[str, Any] = result.get("fixed", result)
    return fixed
