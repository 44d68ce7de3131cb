"""A file in a real Neovim that is set up as docs/editors/neovim.md says, with the real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs" / "examples"
PROBE = Path(__file__).with_name("probe.lua")
STARTED: list[psutil.Process] = []
"""The processes of these tests' Neovims, the server first of all, at their end."""


def as_you_type() -> str:
    """Return the lines of the help for init.lua, for completion during typing."""
    page = (ROOT / "editors" / "neovim" / "doc" / "llmblocks.txt").read_text(encoding="utf-8")
    found = re.search(r"as you type: >lua\n(.*?)\n<", page, re.DOTALL)
    assert found, "the help has no lua for that"
    return found[1]


def configuration() -> str:
    """Return the init.lua of the page, for this checkout."""
    page = (ROOT / "docs" / "editors" / "neovim.md").read_text(encoding="utf-8")
    found = re.search(r"```lua\n(.*?)```", page, re.DOTALL)
    assert found, "the page has no lua"
    assert "/path/to/llmblocks" in found[1]
    return found[1].replace("/path/to/llmblocks", str(ROOT))


def ask(
    neovim: Path, folder: Path, file: Path, *plan: dict[str, Any], more: str = "", server: bool = True
) -> list[Any]:
    """Open a file in a new Neovim and ask it these things; everything it keeps stays inside `folder`.

    `more` is configuration after that of the page; without `server`, its program is not on the PATH.
    """
    out = folder / "answers.json"
    environment = environment_of(folder, server=server) | {"LLMBLOCKS_PROBE_OUT": str(out)}
    environment["LLMBLOCKS_PROBE_PLAN"] = json.dumps([*plan, {"ask": "children"}])
    command = [*command_of(neovim, folder, more), "--headless", str(file), "-c", f"luafile {PROBE}"]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False
    )
    assert out.exists(), f"Neovim ended with {done.returncode}: {done.stdout}{done.stderr}"
    answers: list[Any]
    *answers, children = json.loads(out.read_text(encoding="utf-8"))
    STARTED.extend(psutil.Process(each) for each in children if psutil.pid_exists(each))
    return answers


def environment_of(folder: Path, *, server: bool = True) -> dict[str, str]:
    """Return the environment of a Neovim that keeps everything inside `folder`."""
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])) if server else "/usr/bin:/bin"
    return os.environ | homes | {"HOME": str(folder), "PATH": path}


def command_of(neovim: Path, folder: Path, more: str = "") -> list[str]:
    """How to start a Neovim with the configuration of the page, and `more` of it."""
    init = folder / "init.lua"
    init.write_text(f"{configuration()}{more}", encoding="utf-8")
    return [str(neovim), "-n", "-i", "NONE", "-u", str(init)]
