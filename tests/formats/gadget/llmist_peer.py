"""The real llmist, run by node."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from functools import cache
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


@cache
def _peer(script: str) -> subprocess.Popen[str]:
    """Return one process for all tests: to load llmist takes longer than to run it. It ends with its input."""
    peer = subprocess.Popen(
        ["node", script], cwd=PEERS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(peer.communicate)
    return peer


def asked(script: str, cases: list[dict[str, Any]]) -> list[Any]:
    """Give each case to a program of tests/peers, as a line of JSON, and return its answers."""
    require_llmist()
    peer = _peer(script)
    assert peer.stdin is not None
    assert peer.stdout is not None
    results = []
    for case in cases:
        peer.stdin.write(json.dumps(case) + "\n")
        peer.stdin.flush()
        line = peer.stdout.readline()
        if not line:
            _peer.cache_clear()
            pytest.fail(f"{script} has ended with {peer.wait()} at {str(case)[:1000]}: its standard error says why")
        results.append(json.loads(line))
    return results


def run_llmist(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what llmist makes of the chunks of each case, with its options."""
    return asked("llmist.mjs", [{"chunks": case["chunks"], "options": case["options"]} for case in cases])


def without_repeats(result: dict[str, Any]) -> dict[str, Any]:
    """Return llmist's output, each piece of text once."""
    fixed: dict[str, Any] = result.get("fixed", result)
    return fixed
