"""Properties of every command: its settings, its encoding, and its answer to unusable input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from llmblocks.cli.commands import main

COMMAND = [sys.executable, "-m", "llmblocks"]
CHAT = "Hello\n@ai\nHi\n"
MISSING = "no/such/file"
# each reads `a.stf`, or standard input where that stands for nothing else
READERS = {
    "check": ["check", "a.stf"],
    "check --fix": ["check", "--fix", "a.stf"],
    "format": ["format", "a.stf"],
    "parse": ["parse", "a.stf"],
    "parse tree": ["parse", "--output-format", "tree", "a.stf"],
    "stream": ["stream", "--language", "stf"],
    "convert": ["convert", "a.stf", "--to", "json"],
    "graph": ["graph", "a.stf"],
    "session": ["session", "."],
    "diff": ["diff", "a.stf", "a.stf"],
    "config": ["config", "a.stf"],
}
each_reader = pytest.mark.parametrize("name", READERS)


def run(folder: Path, *arguments: str, sent: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        input=sent,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.stf").write_text(CHAT, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CHAT.encode())))
    return tmp_path


@each_reader
def test_missing_settings_are_a_misuse(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*READERS[name], "--settings", MISSING])
    assert ended.value.code == 2
    assert f"argument --settings: no such file: {MISSING}" in capsys.readouterr().err


@each_reader
@pytest.mark.parametrize("text", ["rules = [\n", "[stf]\ndialect = 1\n"])
def test_invalid_settings_are_reported_and_give_the_status_2(
    name: str, text: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "llmblocks.toml").write_text(text, "utf-8")
    assert main(READERS[name]) == 2
    out, err = capfd.readouterr()
    assert "C001" in (out if name == "check" else err)
    assert (folder / "a.stf").read_text("utf-8") == CHAT


def test_a_chat_is_converted_with_the_settings_that_read_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "a.stf", "--to", "json"]) == 1
    assert json.loads(capfd.readouterr().out)["messages"][0]["role"] == "assistant"
    (folder / "other.toml").write_text('[stf]\ndefaultRole = "user"\n', "utf-8")
    assert main(["convert", "a.stf", "--to", "json", "--lossless", "--settings", "other.toml"]) == 0
    assert [each["role"] for each in json.loads(capfd.readouterr().out)["messages"]] == ["user", "assistant"]
    (folder / "llmblocks.toml").write_text('stf.dialect = "@"\nfiles.languages = { "*.txt" = "stf" }\n', "utf-8")
    (folder / "a.txt").write_text(";user\nHello\n", "utf-8")
    # in the other dialect it would be a message
    assert main(["convert", "a.txt", "--to", "json"]) == 1
    assert json.loads(capfd.readouterr().out)["messages"] == []


def test_a_chat_takes_its_own_place_only_without_losses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "a.stf", "--to", "stf-semicolon", "--output-file", "a.stf"]) == 2
    assert "a.stf: not written: what is lost would be lost for good" in capsys.readouterr().err
    assert (folder / "a.stf").read_text("utf-8") == CHAT
    (folder / "a.stf").write_text("@ai\nHi\n", "utf-8")
    assert main(["convert", "a.stf", "--to", "stf-semicolon", "--output-file", "a.stf"]) == 0
    assert (folder / "a.stf").read_text("utf-8").startswith(";")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes it")
@pytest.mark.parametrize(
    "arguments",
    [
        ["stream", "--language", "stf"],
        *[[name, "-", "--language", "stf"] for name in ("check", "format", "parse", "graph")],
    ],
    ids=lambda given: given[0],
)
def test_closed_standard_input_is_reported_in_one_line(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, *arguments], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[0].endswith(b"standard input is closed")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_what_is_a_file_is_utf_8_in_every_locale(encoding: str, tmp_path: Path) -> None:
    call = "!!!GADGET_START:Grüße→\U0001f600:g1\n!!!GADGET_END\n"
    (tmp_path / "a.gadget").write_text(call, "utf-8")
    (tmp_path / "llmblocks.toml").write_text('stf.defaultRole = "Grüße→"\n', "utf-8")

    def output(*arguments: str) -> bytes:
        done = run(tmp_path, *arguments, PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    drawing = output("graph", "a.gadget", "--output-format", "svg")
    assert "Grüße→\U0001f600" in "".join(ElementTree.fromstring(drawing.decode()).itertext())
    for form in ("mermaid", "dot"):
        assert "Grüße" in output("graph", "a.gadget", "--output-format", form).decode()
    for shown in (["config"], ["check", "--show-settings"]):
        assert tomllib.loads(output(*shown).decode())["stf"]["defaultRole"] == "Grüße→"


BAD_FILES = {"missing.stf": None, "folder.stf": ..., "noise.stf": b"\xff\xfe\x00", "n" * 300 + ".stf": None, "": None}


@pytest.mark.parametrize("name", [name for name in READERS if name not in ("stream", "config")])
@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda name: repr(name[:12]))
def test_a_file_that_cannot_be_used_is_reported_in_one_line(
    name: str, bad: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    content = BAD_FILES[bad]
    if content is ...:
        (folder / bad).mkdir()
    elif content is not None:
        (folder / bad).write_bytes(content)
    status = main([bad if each == "a.stf" else each for each in READERS[name]])
    err = capfd.readouterr().err
    if bad == "folder.stf" and name.startswith(("check", "format")):
        assert status == 0
        return
    assert status == 2
    assert err.startswith(f"llmblocks {name.split()[0]}: ")
    # and the totals of those that read many files
    assert err.count("\n") == 1 + name.startswith(("check", "format"))
