"""Properties of every command: its settings, and its answer to unusable input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.stf").write_text(CHAT, "utf-8")
    return tmp_path


@each_reader
def test_missing_settings_are_a_misuse(name: str, folder: Path) -> None:
    done = run(folder, *READERS[name], "--settings", MISSING, sent=CHAT)
    assert (done.returncode, f"argument --settings: no such file: {MISSING}" in done.stderr) == (2, True)


@each_reader
@pytest.mark.parametrize("text", ["rules = [\n", "[stf]\ndialect = 1\n"])
def test_invalid_settings_are_reported_and_give_the_status_2(name: str, text: str, folder: Path) -> None:
    (folder / "llmblocks.toml").write_text(text, "utf-8")
    done = run(folder, *READERS[name], sent=CHAT)
    assert done.returncode == 2
    assert "C001" in (done.stdout if name == "check" else done.stderr)
    assert (folder / "a.stf").read_text("utf-8") == CHAT


def test_a_chat_is_converted_with_the_settings_that_read_it(folder: Path) -> None:
    def messages(status: int, *arguments: str) -> list[dict[str, str]]:
        done = run(folder, "convert", *arguments, "--to", "json")
        assert done.returncode == status
        found: list[dict[str, str]] = json.loads(done.stdout)["messages"]
        return found

    assert messages(1, "a.stf")[0]["role"] == "assistant"
    (folder / "other.toml").write_text('[stf]\ndefaultRole = "user"\n', "utf-8")
    found = messages(0, "a.stf", "--lossless", "--settings", "other.toml")
    assert [each["role"] for each in found] == ["user", "assistant"]
    (folder / "llmblocks.toml").write_text('stf.dialect = "@"\nfiles.languages = { "*.txt" = "stf" }\n', "utf-8")
    (folder / "a.txt").write_text(";user\nHello\n", "utf-8")
    # in the other dialect it would be a message
    assert messages(1, "a.txt") == []


def test_a_chat_takes_its_own_place_only_without_losses(folder: Path) -> None:
    command = "convert", "a.stf", "--to", "stf-semicolon", "--output-file", "a.stf"
    done = run(folder, *command)
    assert (done.returncode, (folder / "a.stf").read_text("utf-8")) == (2, CHAT)
    assert "a.stf: not written: what is lost would be lost for good" in done.stderr
    (folder / "a.stf").write_text("@ai\nHi\n", "utf-8")
    assert run(folder, *command).returncode == 0
    assert (folder / "a.stf").read_text("utf-8").startswith(";")


@pytest.mark.parametrize("source", ["openai", "anthropic", "json", "ndjson"])
def test_a_conversion_reads_a_byte_order_mark_and_refuses_a_key_that_is_given_twice(
    tmp_path: Path, source: str
) -> None:
    message = '{"role": "user", "content": "a"}'
    text = "\ufeff" + (message if source == "ndjson" else f"[{message}]")
    command = "convert", "-", "--from", source, "--to", "stf", "--lossless"
    done = run(tmp_path, *command, sent=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "@user\na\n", "")
    done = run(tmp_path, *command, sent=text.replace('"}', '", "content": "b"}'))
    assert (done.returncode, done.stdout) == (2, "")
    assert "an object has the key 'content' twice" in done.stderr


BAD_FILES = {"missing.stf": None, "folder.stf": ..., "noise.stf": b"\xff\xfe\x00", "n" * 300 + ".stf": None, "": None}


@pytest.mark.parametrize("name", [name for name in READERS if name not in ("stream", "config")])
@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda name: repr(name[:12]))
def test_a_file_that_cannot_be_used_is_reported_in_one_line(name: str, bad: str, folder: Path) -> None:
    content = BAD_FILES[bad]
    if content is ...:
        (folder / bad).mkdir()
    elif content is not None:
        (folder / bad).write_bytes(content)
    done = run(folder, *[bad if each == "a.stf" else each for each in READERS[name]], sent=CHAT)
    if bad == "folder.stf" and name.startswith(("check", "format")):
        assert done.returncode == 0
        return
    assert done.returncode == 2
    assert done.stderr.startswith(f"llmblocks {name.split()[0]}: ")
    # and the totals of those that read many files
    assert done.stderr.count("\n") == 1 + name.startswith(("check", "format"))
