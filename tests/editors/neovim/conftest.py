"""A real Neovim that is set up as docs/editors/neovim.md says, with the real server. No process outlives it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from editors.debian import ROOT
from editors.homes import environment_of, programs_of
from folders import written

PROBE = Path(__file__).with_name("probe.lua")
STARTED: list[psutil.Process] = []
"""The processes of these tests' Neovims, the server first of all, at their end."""


def as_you_type() -> str:
    """Return the lines of the help for init.lua, for completion during typing."""
    page = (ROOT / "editors" / "neovim" / "doc" / "llmblocks.txt").read_text(encoding="utf-8")
    [found] = re.findall(r"as you type: >lua\n(.*?\n)<", page, re.DOTALL)
    return str(found)


class Neovim(NamedTuple):
    """A Neovim that keeps everything in its home."""

    program: Path
    home: Path

    def command(self, more: str = "") -> list[str]:
        """How to start it with the configuration of the page, and `more` after it."""
        init = written(self.home / "init.lua", programs_of("docs/editors/neovim.md", "lua")[0] + more)
        return [str(self.program), "-n", "-i", "NONE", "-u", str(init)]

    def ask(self, file: Path, *plan: str | tuple[Any, ...], more: str = "", server: bool = True) -> list[Any]:
        """Open a file in a new one, and return the answers of `probe.lua`, which takes the steps of the plan."""
        steps = [[each] if isinstance(each, str) else each for each in (*plan, "children")]
        out = self.home / "answers.json"
        given = {"LLMBLOCKS_PROBE_OUT": str(out), "LLMBLOCKS_PROBE_PLAN": json.dumps(steps)}
        environment = environment_of(self.home, server=server, **given)
        command = [*self.command(more), "--headless", str(file), "-c", f"luafile {PROBE}"]
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False
        )
        assert out.exists(), f"Neovim ended with {done.returncode}: {done.stdout}{done.stderr}"
        answers: list[Any]
        *answers, children = json.loads(out.read_text(encoding="utf-8"))
        STARTED.extend(psutil.Process(each) for each in children if psutil.pid_exists(each))
        return answers

    def shown(self, name: str, text: str, *plan: str | tuple[Any, ...], **how: Any) -> list[Any]:
        """Return the answers about a new file in its home."""
        return self.ask(written(self.home / name, text), *plan, **how)


@pytest.fixture
def nvim(neovim: Path, tmp_path: Path) -> Neovim:
    return Neovim(neovim, tmp_path)


@pytest.fixture(scope="session", autouse=True)
def every_server_ends_with_its_editor() -> Iterator[None]:
    """Processes of a Neovim end with it. One wait for all: each takes a second or two."""
    yield
    _, alive = psutil.wait_procs(STARTED, timeout=120)
    for process in alive:
        process.kill()
    assert not alive
