"""`llmblocks check` of the numbered logs of a session: it knows the files beside the one that it checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from commands import run
from llmblocks import Settings, check
from llmblocks.settings.values import ByGlob

CALL = "!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


def call(name: str, needs: str = "") -> str:
    return CALL.format(name=name, needs=needs)


def write(folder: Path, *texts: str) -> None:
    for number, text in enumerate(texts, 1):
        (folder / f"{number:04}.response").write_text(text, "utf-8")


def test_a_file_alone_is_checked_with_those_beside_it(tmp_path: Path) -> None:
    write(tmp_path, call("r1"), call("r2", "r1,r3"), "see " + call("r3"))
    done = run(tmp_path, "check", "0002.response")
    assert done.stdout.startswith('0002.response:1:28: warning G111 No call so far has the id "r3" — ')
    assert (done.returncode, done.stderr) == (1, "1 file checked: 1 warning\n")
    (found,) = json.loads(run(tmp_path, "check", "--output-format", "json", "0002.response").stdout)
    place = {"start": 25, "end": 27, "line": 1, "column": 26, "endLine": 1, "endColumn": 28}
    assert found["related"] == [{"path": "0003.response", **place, "message": "a later response gives this id"}]


@pytest.mark.parametrize("options", [["--fix", "--unsafe-fixes"], ["--diff", "--unsafe-fixes"]])
def test_a_fix_knows_the_calls_of_the_files_beside_it(options: list[str], tmp_path: Path) -> None:
    # alone, the nearest id is that of another call
    text = call("r11") + call("m1", "r1")
    write(tmp_path, call("r1"), text)
    done = run(tmp_path, "check", *options)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "0002.response").read_text("utf-8") == text


def test_markers_of_a_project_hold_for_the_files_beside_it(tmp_path: Path) -> None:
    def marked(text: str) -> str:
        return text.replace("!!!GADGET_START:", "<<").replace("!!!ARG:", "--").replace("!!!GADGET_END", ">>")

    (tmp_path / "llmblocks.toml").write_text('gadget.markers = { start = "<<", end = ">>", arg = "--" }\n', "utf-8")
    write(tmp_path, marked(call("r1")) + call("r9"), marked(call("r2", "r1,r9")))
    done = run(tmp_path, "check", "0002.response")
    assert (done.returncode, done.stdout.count("G111")) == (1, 1)


COUNTING = """
import os, sys
out = os.open({out!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
sys.addaudithook(lambda event, values: event == "open" and str(values[0]).endswith(".response")
                 and os.write(out, f"{{values[0]}}\\n".encode()))
"""


@pytest.mark.slow
def test_processes_do_not_share_the_files_of_a_session(tmp_path: Path) -> None:
    """A process that checks some of them reads the names of all."""
    for session in range(4):
        folder = tmp_path / "logs" / str(session)
        folder.mkdir(parents=True)
        write(folder, *[call(f"r{number}", f"r{number - 1}" if number > 1 else "") for number in range(1, 61)])
    opened = tmp_path / "opened"
    (tmp_path / "sitecustomize.py").write_text(COUNTING.format(out=str(opened)), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "llmblocks", "check", "--jobs", "2", "logs"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "240 files checked: nothing found\n")
    reads = Counter(opened.read_text("utf-8").splitlines())
    # each for its findings, and for its names and the outcomes of its calls
    assert (len(reads), {*reads.values()}) == (240, {2})


@pytest.mark.parametrize("folder", [".llmist/logs/s1", "chats"])
@pytest.mark.parametrize("name", ["foo.response", "0002.response"])
def test_the_library_knows_the_same_files_as_the_command_line(
    name: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / folder
    inside.mkdir(parents=True)
    text = call("r2", "r1,r9")
    write(inside, call("r1"))
    (inside / name).write_text(text, "utf-8")
    done = run(inside, "check", "--output-format", "json", "--language", "gadget", name)
    expected = [each["message"] for each in json.loads(done.stdout)]
    assert ("r1" in " ".join(expected)) is (name == "foo.response" and folder == "chats")
    monkeypatch.chdir(inside)
    for given in (name, f"./{name}", str(inside / name)):
        assert [str(each.message) for each in check(text, "gadget", name=given)] == expected


def test_the_library_reads_patterns_for_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(per_file_ignores=(ByGlob(f"{tmp_path}/*.gadget", ("G",)),))
    for given in ("a.gadget", str(tmp_path / "a.gadget")):
        assert check("!!!GADGET_START:\n", None, settings, given) == ()
