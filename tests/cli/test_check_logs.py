"""`llmblocks check` of the numbered logs of a session: it knows the files beside the one that it checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from llmblocks import Settings, check
from llmblocks.cli.commands import main
from llmblocks.settings.values import ByGlob

CALL = "!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


def call(name: str, needs: str = "") -> str:
    return CALL.format(name=name, needs=needs)


def test_a_file_alone_is_checked_with_those_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0001.response").write_text(call("r1"), "utf-8")
    (tmp_path / "0002.response").write_text(call("r2", "r1,r3"), "utf-8")
    (tmp_path / "0003.response").write_text("see " + call("r3"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "0002.response"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith('0002.response:1:28: warning G111 No call so far has the id "r3" — ')
    assert err == "1 file checked: 1 warning\n"
    assert main(["check", "--output-format", "json", "0002.response"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["related"] == [
        {
            "path": "0003.response",
            "start": 25,
            "end": 27,
            "line": 1,
            "column": 26,
            "endLine": 1,
            "endColumn": 28,
            "message": "a later response gives this id",
        }
    ]


@pytest.mark.parametrize("options", [["--fix", "--unsafe-fixes"], ["--diff", "--unsafe-fixes"]])
def test_a_fix_knows_the_calls_of_the_files_beside_it(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0001.response").write_text(call("r1"), "utf-8")
    # alone, the nearest id is that of another call
    text = call("r11") + call("m1", "r1")
    (tmp_path / "0002.response").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check", *options, "."]) == 0
    assert (tmp_path / "0002.response").read_text("utf-8") == text
    assert capsys.readouterr().out == ""


def test_markers_of_a_project_hold_for_the_files_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    markers = {"!!!GADGET_START:": "<<", "!!!ARG:": "--", "!!!GADGET_END": ">>"}

    def marked(text: str) -> str:
        for old, new in markers.items():
            text = text.replace(old, new)
        return text

    settings = '[gadget.markers]\nstart = "<<"\nend = ">>"\narg = "--"\n'
    (tmp_path / "llmblocks.toml").write_text(settings, "utf-8")
    (tmp_path / "0001.response").write_text(marked(call("r1")) + call("r9"), "utf-8")
    (tmp_path / "0002.response").write_text(marked(call("r2", "r1,r9")), "utf-8")
    assert main(["check", str(tmp_path / "0002.response")]) == 1
    assert capsys.readouterr().out.count("G111") == 1


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
        for number in range(1, 61):
            text = call(f"r{number}", f"r{number - 1}" if number > 1 else "")
            (folder / f"{number:04}.response").write_text(text, "utf-8")
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
    name: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = tmp_path / folder
    inside.mkdir(parents=True)
    (inside / "0001.response").write_text(call("r1"), "utf-8")
    text = call("r2", "r1,r9")
    (inside / name).write_text(text, "utf-8")
    monkeypatch.chdir(inside)
    main(["check", "--output-format", "json", "--language", "gadget", name])
    expected = [each["message"] for each in json.loads(capsys.readouterr().out)]
    assert ("r1" in " ".join(expected)) is (name == "foo.response" and folder == "chats")
    for given in (name, f"./{name}", str(inside / name)):
        assert [str(each.message) for each in check(text, "gadget", name=given)] == expected


def test_the_library_reads_patterns_for_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(per_file_ignores=(ByGlob(f"{tmp_path}/*.gadget", ("G",)),))
    for given in ("a.gadget", str(tmp_path / "a.gadget")):
        assert check("!!!GADGET_START:\n", None, settings, given) == ()
