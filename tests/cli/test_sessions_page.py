"""docs/sessions.md: what its commands print of these two sessions, for a user ada."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from cli.test_session_of_a_log import COMPLETIONS
from llmblocks.cli.commands import main

PAGE = (Path(__file__).parents[2] / "docs" / "sessions.md").read_text("utf-8")
COMMANDS = re.findall(r"^```console\n\$ llmblocks (\w+) ([^\n]*)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
FOUND = "\n".join(f"tests/test_{number}.py" for number in range(72))
REJECTED = "!!!GADGET_START:Read:{}\n!!!ARG:path\na.py\n!!!ARG:path\nb.py\n!!!GADGET_END\n"
READ = "!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n"
WRITE = "!!!GADGET_START:Write:w1:r1\n!!!ARG:path\nc.py\n!!!GADGET_END\n"
SEARCH = "I will look.\n!!!GADGET_START:Search:s1\n!!!ARG:query\n{}\n!!!GADGET_END\n"
TOLD = "Result (r1): Error: Failed to parse parameters for 'Read': Duplicate pointer: path"
SESSIONS = {
    "brave-otter/0001.response": SEARCH.format("tests") + REJECTED.format("r1") + WRITE,
    "brave-otter/0002.request": f"=== USER ===\nResult (s1): {FOUND}\n\n=== USER ===\n{TOLD}\n",
    "brave-otter/0002.response": REJECTED.format("r2"),
    "calm-newt/0001.response": SEARCH.format("unit tests") + READ + WRITE,
    "calm-newt/0002.request": "=== USER ===\nResult (s1): tests/test_1.py\n",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, text in SESSIONS.items():
        file = tmp_path / ".llmist" / "logs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    (tmp_path / "log.jsonl").write_text(
        "".join([json.dumps({"completion": text}) + "\n" for text in COMPLETIONS]), "utf-8"
    )
    return tmp_path


def given(home: Path, words: str) -> list[str]:
    return words.replace("~", home.as_posix()).split()


@pytest.mark.parametrize(("name", "words", "shown"), [each for each in COMMANDS if each[0] != "watch"])
def test_a_command_prints_what_the_page_shows(
    home: Path, name: str, words: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # tests in several processes have one, at which lines are cut
    monkeypatch.delenv("COLUMNS", raising=False)
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        main([name, *given(home, words)])
    assert out.getvalue().replace(home.as_posix(), "/home/ada") == shown


@pytest.mark.slow
def test_watching_prints_what_the_page_shows(home: Path) -> None:
    pytest.importorskip("watchfiles")
    ((words, shown),) = [(words, shown) for name, words, shown in COMMANDS if name == "watch"]
    command = [sys.executable, "-m", "llmblocks", "watch", "--output-format", "live", *given(home, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1) as process:
        assert process.stdout is not None
        # the page shows one of the two sessions
        lines = [process.stdout.readline() for _ in range(10)]
        process.terminate()
    assert "".join(line for line in lines if line.startswith("brave-otter")) == shown
