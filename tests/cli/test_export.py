"""`llmblocks export`: which conversations become rows, in every target, and what is said about the others."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

import responses
from llmblocks import Severity, check
from llmblocks.cli.commands import main
from llmblocks.cli.corpus.training import TARGETS
from llmblocks.stf import EmbedPart, Message, TextPart, Transcript, decode

Export = Callable[..., tuple[list[Any], list[Any], int]]
TWICE = "!!!GADGET_START:Read:r2\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Export:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[list[Any], list[Any], int]:
        status = main(["export", "-q", *map(str, arguments), "--output-file", "rows.out", "--notes", "notes.out"])
        return lines("rows.out"), lines("notes.out"), status

    return run


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


def test_an_engine_is_reported_what_it_cannot_do(export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    if find_spec("ray") is None:
        assert main(["export", ".", "--to", "openai", "--engine", "ray"]) == 2
        assert "--engine ray needs Ray: pip install 'llmblocks[ray]'" in capsys.readouterr().err


def test_without_a_file_for_notes_the_first_are_reported(
    export: Export, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(12):
        Path(f"{number:02}.gadget").write_text(f"{number}\n{TWICE}", "utf-8")
    assert main(["export", "-q", ".", "--to", "openai"]) == 1
    out, err = capsys.readouterr()
    told = err.splitlines()
    assert out == ""
    assert told[0].startswith("llmblocks export: 00.gadget: left out: 5:8: G101 Duplicate pointer: path")
    assert told[10:] == [
        "llmblocks export: and 2 more; pass --notes FILE to see all",
        "llmblocks export: 0 conversations written; 12 left out",
    ]


def test_each_target_tells_what_it_cannot_hold() -> None:
    chat = decode(
        "@user name=Ada\nSee @ai reasoning\n@ai\nI look\n@call {name: 'f', id: 'c1'}\n{a: 1}\n@tool call_id=c1\n2\n"
    )
    chat.messages[0].name = "Ada"
    found = {name: write(chat) for name, write in TARGETS.items()}
    turns = found["sharegpt"].value["conversations"]
    assert [each["from"] for each in turns[:3]] == ["human", "gpt", "function_call"]
    assert json.loads(turns[2]["value"]) == {"name": "f", "arguments": {"a": 1}}
    assert "messages[0].name" in [each.path for each in found["sharegpt"].lost]
    (call,) = found["datasets"].value["messages"][1]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"a": 1}
    assert "messages[0].name" in [each.path for each in found["datasets"].lost]
    parts = Transcript(
        [Message("assistant", [TextPart("a", {"cache": 1}), EmbedPart("image", "a.png"), TextPart("b")])]
    )
    for name in ("sharegpt", "datasets"):
        assert "messages[0].content" in [each.path for each in TARGETS[name](parts).lost]
    half = Transcript([Message("assistant", "\ud800")])
    for name, write in TARGETS.items():
        written = write(half)
        json.dumps(written.value, ensure_ascii=False).encode()
        assert written.lost, name


def test_arrow_rows_are_those_of_json(export: Export) -> None:
    ipc = pytest.importorskip("pyarrow.ipc")
    Path("logs").mkdir()
    Path("logs/0001.request").write_text("=== USER ===\nRead a.\n", "utf-8")
    Path("logs/0001.response").write_text("It says hello.", "utf-8")
    Path("chat.stf").write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    expected, _, _ = export("logs", "chat.stf", "--to", "openai")
    assert main(["export", "-q", "logs", "chat.stf", "--to", "datasets", "--output-file", "rows.arrow"]) == 0
    with ipc.open_stream("rows.arrow") as stream:
        read = stream.read_all().to_pylist()
    kept = [{key: each[key] for key in ("role", "content")} for row in read for each in row["messages"]]
    assert kept == [each for row in expected for each in row["messages"]]


@pytest.mark.slow
def test_processes_change_nothing_and_a_killed_one_neither(export: Export, tmp_path: Path) -> None:
    responses.write(tmp_path / "c", 25)
    rows, notes, status = export("c", "-j1", "--to", "openai")
    assert len(rows) + len(notes) == 1000
    texts = [row["messages"][0]["content"] for row in rows]
    assert not [each for text in texts for each in check(text, "gadget") if each.severity is Severity.ERROR]
    left_out = [Path(each["name"]).read_text("utf-8") for each in notes]
    assert all(any(each.severity is Severity.ERROR for each in check(text, "gadget")) for text in left_out)
    alone = [Path(name).read_bytes() for name in ("rows.out", "notes.out")]
    assert export("c", "-j2", "--to", "openai") == (rows, notes, status)
    assert [Path(name).read_bytes() for name in ("rows.out", "notes.out")] == alone
    command = [
        sys.executable,
        "-m",
        "llmblocks",
        "export",
        "c",
        "-j2",
        "--to",
        "openai",
        "--output-file",
        "killed.jsonl",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
        children: list[psutil.Process] = []
        while not children and process.poll() is None:
            children = psutil.Process(process.pid).children()
        assert children
        children[0].kill()
        process.communicate(timeout=120)
    assert Path("killed.jsonl").read_bytes() == alone[0]


def test_a_result_that_cannot_be_written_leaves_the_old_one(export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.stf").write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    Path("rows.jsonl").write_text("old\n", "utf-8")
    # the notes do not fit
    command = [
        *("export", "-q", "a.stf", "broken.stf", "--to", "openai", "--output-file", "rows.jsonl"),
        *("--notes", "/dev/full"),
    ]
    assert main(command) == 2
    assert Path("rows.jsonl").read_text("utf-8") == "old\n"
    assert capsys.readouterr().err == "llmblocks export: /dev/full: cannot be written: No space left on device\n"
