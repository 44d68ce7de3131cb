"""The real llmist, run by node."""

from __future__ import annotations

import shutil
from functools import cache
from typing import Any

import pytest

from environments import PEERS, Peer


def require_llmist() -> None:
    """Fail, and say what to do, where llmist is not installed; skip where there is no node at all."""
    if shutil.which("node") is None:
        pytest.skip("node is not on this machine, and llmist runs on nothing else")
    if not (PEERS / "node_modules" / "llmist").is_dir():
        pytest.fail("llmist is not installed in tests/peers: run `make test`, which installs it", pytrace=False)


@cache
def _peer(script: str) -> Peer:
    """Return one process for all tests: to load llmist takes longer than to run it."""
    return Peer("node", script, errors=None)


def asked(script: str, cases: list[dict[str, Any]]) -> list[Any]:
    """Give each case to a program of tests/peers, as a line of JSON, and return its answers."""
    require_llmist()
    return [_peer(script).ask(**case) for case in cases]


def run_llmist(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what llmist makes of the chunks of each case, with its options."""
    return asked("llmist.mjs", [{"chunks": case["chunks"], "options": case["options"]} for case in cases])


def without_repeats(result: dict[str, Any]) -> dict[str, Any]:
    """Return llmist's output, each piece of text once."""
    fixed: dict[str, Any] = result.get("fixed", result)
    return fixed
