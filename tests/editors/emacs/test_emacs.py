"""The README's lines for Emacs in a real Emacs, with the real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from editors.debian import UnavailableError
from editors.emacs.emacs_install import Emacs, install

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs" / "examples"
PROBE = Path(__file__).with_name("probe.el")


@pytest.fixture(scope="session")
def emacs() -> Emacs:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))


def show(emacs: Emacs, folder: Path, *files: tuple[Path, int]) -> list[dict[str, Any]]:
    """Open files in one new Emacs that keeps everything inside `folder`; each with how many diagnostics to wait for."""
    found = re.search(r"```elisp\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found, "the README has no elisp"
    init = folder / "init.el"
    init.write_text(found[1], encoding="utf-8")
    environment = os.environ | emacs.environment
    environment |= {
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "LLMBLOCKS_PROBE_FILES": json.dumps([(str(file), count) for file, count in files]),
    }
    command = [*emacs.command, "-Q", "--batch", "-l", str(init), "-l", str(PROBE)]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line.removeprefix("PROBE ")) for line in done.stdout.splitlines() if line.startswith("PROBE ")]


def test_the_examples_get_their_diagnostics(emacs: Emacs, tmp_path: Path) -> None:
    response, chat, blocks = show(
        emacs,
        tmp_path,
        (EXAMPLES / "session.gadget", 3),
        (EXAMPLES / "chat.stf", 2),
        (EXAMPLES / "answer.blocks", 0),
    )
    assert [each["managed"] for each in (response, chat, blocks)] == [True, True, True]
    assert [each["mode"] for each in (response, chat, blocks)] == ["gadget-mode", "stf-mode", "custom-blocks-mode"]
    assert [(line, text) for line, text, _ in response["diagnostics"]] == [(15, "3"), (107, "filePath"), (117, "last")]
    assert "[G101]: Duplicate pointer: filePath — llmist rejects" in response["diagnostics"][1][2]
    assert [(line, text[:3]) for line, text, _ in chat["diagnostics"]] == [(43, "@*/"), (63, "@/*")]


def test_a_session_log_of_llmist_is_a_gadget_file(emacs: Emacs, tmp_path: Path) -> None:
    file = tmp_path / ".llmist" / "logs" / "brave-otter" / "0007.response"
    file.parent.mkdir(parents=True)
    file.write_text("!!!GADGET_START:Sum\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/5\n2\n!!!GADGET_END\n", encoding="utf-8")
    (shown,) = show(emacs, tmp_path, (file, 1))
    assert shown["mode"] == "gadget-mode"
    assert [(line, text) for line, text, _ in shown["diagnostics"]] == [(4, "5")]
