"""`llmblocks export`: which conversations become rows, in every target, and what is said about the others."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from commands import run
from llmblocks.cli.corpus.training import TARGETS
from llmblocks.stf import EmbedPart, Message, TextPart, Transcript, decode


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_an_engine_is_reported_that_is_not_installed(tmp_path: Path) -> None:
    done = run(tmp_path, "export", ".", "--to", "openai", "--engine", "ray")
    assert (done.returncode, "--engine ray needs Ray: pip install 'llmblocks[ray]'" in done.stderr) == (2, True)


def test_each_target_tells_what_it_cannot_hold() -> None:
    chat = decode(
        "@user name=Ada\nSee @ai reasoning\n@ai\nI look\n@call {name: 'f', id: 'c1'}\n{a: 1}\n@tool call_id=c1\n2\n"
    )
    chat.messages[0].name = "Ada"
    found = {name: write(chat) for name, write in TARGETS.items()}
    turns = found["sharegpt"].value["conversations"]
    assert [each["from"] for each in turns[:3]] == ["human", "gpt", "function_call"]
    assert json.loads(turns[2]["value"]) == {"name": "f", "arguments": {"a": 1}}
    (call,) = found["datasets"].value["messages"][1]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"a": 1}
    parts = Transcript(
        [Message("assistant", [TextPart("a", {"cache": 1}), EmbedPart("image", "a.png"), TextPart("b")])]
    )
    for name in ("sharegpt", "datasets"):
        assert "messages[0].name" in [each.path for each in found[name].lost]
        assert "messages[0].content" in [each.path for each in TARGETS[name](parts).lost]
    half = Transcript([Message("assistant", "\ud800")])
    for name, write in TARGETS.items():
        written = write(half)
        json.dumps(written.value, ensure_ascii=False).encode()
        assert written.lost, name


def test_arrow_rows_are_those_of_json(tmp_path: Path) -> None:
    ipc = pytest.importorskip("pyarrow.ipc")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/0001.request").write_text("=== USER ===\nRead a.\n", "utf-8")
    (tmp_path / "logs/0001.response").write_text("It says hello.", "utf-8")
    (tmp_path / "chat.stf").write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    expected = run(tmp_path, "export", "-q", "logs", "chat.stf", "--to", "openai").stdout.splitlines()
    command = "export", "-q", "logs", "chat.stf", "--to", "datasets", "--output-file", "rows.arrow"
    assert run(tmp_path, *command).returncode == 0
    with ipc.open_stream(tmp_path / "rows.arrow") as stream:
        read = stream.read_all().to_pylist()
    kept = [{key: each[key] for key in ("role", "content")} for row in read for each in row["messages"]]
    assert kept == [each for row in expected for each in json.loads(row)["messages"]]


def test_a_result_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "a.stf").write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    (tmp_path / "rows.jsonl").write_text("old\n", "utf-8")
    # the notes do not fit
    command = "export -q a.stf broken.stf --to openai --output-file rows.jsonl --notes /dev/full"
    done = run(tmp_path, *command.split())
    assert (done.returncode, (tmp_path / "rows.jsonl").read_text("utf-8")) == (2, "old\n")
    assert done.stderr == "llmblocks export: /dev/full: cannot be written: No space left on device\n"
