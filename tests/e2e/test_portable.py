"""The way without what only POSIX has: processes that copy nothing, and no limits of the system.

`LLMBLOCKS_PORTABLE=1 pytest …` runs any test that way.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CALL = "!!!GADGET_START:a\n!!!ARG:x\n1\n!!!GADGET_END\n"
MISTAKE = "!!!ARG:x\n"
SLOW = """
import os
from llmblocks.gadget.running import patterns
assert patterns.matcher("^(a+)+$")("a" * 60 + "b") is None
helper = patterns._HELPER
assert patterns.matcher("^(b+)+$")("b" * 60) is True
assert patterns.matcher("^(c|d)+$")("x") is False
print(helper._process is not None)
"""


@pytest.fixture(autouse=True)
def portable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBLOCKS_PORTABLE", "1")


def test_processes_that_copy_nothing_find_the_same(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number:02}.gadget").write_text(CALL * 300 + MISTAKE, encoding="utf-8")
    command = [sys.executable, "-m", "llmblocks", "check", "--jobs", "2", "--output-format", "json", "."]
    here = {each: value for each, value in os.environ.items() if each != "LLMBLOCKS_PORTABLE"}
    found = [
        subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False).stdout
        for env in (os.environ, here)
    ]
    assert found[0] == found[1]
    assert found[0].count(b'"code": "G004"') == 60


def test_a_pattern_that_takes_too_long_is_ended_and_the_next_works() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr


def test_the_switch_is_off_for_everybody_else() -> None:
    program = "from llmblocks.core.system import POSIX, LINUX; print(POSIX, LINUX)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    del os.environ["LLMBLOCKS_PORTABLE"]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(os.name == "posix"), str(sys.platform == "linux")]
