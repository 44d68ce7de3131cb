"""A command with its streams: in this process, as starting another one takes longer than most commands, or in one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

import pytest

from extensions import forget_rules
from llmblocks.cli.commands import main

COMMAND = (sys.executable, "-m", "llmblocks")


def run(folder: Path, *arguments: str, sent: str = "", **environment: str) -> CompletedProcess[str]:
    """Return the result of a command in a folder, in a pipe, with these variables of the environment changed."""
    given, out, err = (io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8", newline="") for text in (sent, "", ""))
    # `--color` changes variables, too
    with pytest.MonkeyPatch.context() as patched, patch.dict(os.environ, environment):
        patched.chdir(folder)
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", err)):
            patched.setattr(sys, name, stream)
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        finally:
            forget_rules()
    printed = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        printed.append(stream.buffer.getvalue().decode())
    return CompletedProcess(arguments, status, *printed)


def run_process(folder: Path, *arguments: str, **environment: str) -> CompletedProcess[bytes]:
    """Return the result of a command in a separate process."""
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, env=os.environ | environment, check=False
    )


def codes(folder: Path, *paths: str) -> dict[str, list[str]]:
    """Return the codes that `check` finds, by the name of the file."""
    found: dict[str, list[str]] = {}
    for each in json.loads(run(folder, "check", "--output-format", "json", "-q", *paths).stdout):
        found.setdefault(Path(each["path"]).name, []).append(each["code"])
    return found
