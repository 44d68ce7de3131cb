"""A file in a real Emacs that is set up as docs/editors/emacs.md says, with the real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from editors.programs import Program

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs" / "examples"
PAGE = ROOT / "docs" / "editors" / "emacs.md"
PROBE = Path(__file__).with_name("probe.el")


def configuration() -> str:
    """Return the init.el of the page, for this checkout."""
    found = re.search(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, "the page has no elisp"
    assert "/path/to/llmblocks" in found[1]
    return found[1].replace("/path/to/llmblocks", str(ROOT))


def environment_of(emacs: Program, folder: Path, *, server: bool = True) -> dict[str, str]:
    """Return the environment of an Emacs that keeps everything inside `folder`."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])) if server else "/usr/bin:/bin"
    return os.environ | emacs.environment | {"HOME": str(folder), "LC_ALL": "C.UTF-8", "PATH": path}


def start(emacs: Program, folder: Path, *more: str, server: bool = True, **asked: object) -> str:
    """Return the output of a new Emacs that keeps everything inside `folder`.

    `more` comes before the configuration; without `server`, its program is not on the PATH.
    """
    init = folder / "init.el"
    init.write_text(configuration(), encoding="utf-8")
    environment = environment_of(emacs, folder, server=server) | {
        "LLMBLOCKS_PROBE_FILES": "[]",
        **{f"LLMBLOCKS_PROBE_{name.upper()}": json.dumps(value) for name, value in asked.items()},
    }
    command = [*emacs.command, "-Q", "--batch", *more, "-l", str(init), "-l", str(PROBE)]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def show(emacs: Program, folder: Path, *files: tuple[Path, int]) -> list[dict[str, Any]]:
    """Open files; each with how many diagnostics to wait for."""
    printed = start(emacs, folder, files=[(str(file), count) for file, count in files])
    return [json.loads(line.removeprefix("PROBE ")) for line in printed.splitlines() if line.startswith("PROBE ")]


def values(
    emacs: Program, folder: Path, *asked: tuple[Path, str], more: Sequence[str] = (), server: bool = True
) -> list[str]:
    """Return the values of expressions, each in the buffer of its file."""
    printed = start(emacs, folder, *more, server=server, eval=[(str(file), expression) for file, expression in asked])
    return [json.loads(line.removeprefix("VALUE ")) for line in printed.splitlines() if line.startswith("VALUE ")]
