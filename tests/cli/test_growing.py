"""`llmblocks stream`, its `--follow`, and `llmblocks watch`: input and files that grow, through the real commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import COMMAND
from llmblocks.cli.growing import GrowingFile
from llmblocks.cli.stream import FollowedLogs
from llmblocks.gadget import Markers
from wire import PATIENCE_S

Json = Any
CALL = "!!!GADGET_START:Read:{}\n!!!ARG:path\né.txt\n!!!GADGET_END\n"
WRONG = "!!!GADGET_START:Read:{}\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END\n"


@contextmanager
def following(folder: Path, *arguments: str) -> Iterator[Iterator[Json]]:
    """The output of a command, a line at a time; it ends with Ctrl-C."""
    process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    # what never comes ends the test, and does not hang it
    patience = Timer(PATIENCE_S, process.kill)
    patience.start()
    try:
        yield map(json.loads, process.stdout)
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=60)
        assert (process.returncode, rest, b"Traceback" in said) == (130, b"", False)
    finally:
        patience.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def append(file: Path, text: str) -> None:
    with file.open("ab") as opened:
        opened.write(text.encode())


@pytest.mark.slow
def test_an_event_comes_before_the_input_ends() -> None:
    command = [*COMMAND, "stream", "--language", "gadget"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told = map(json.loads, process.stdout)
        # a character in two pieces
        process.stdin.write(b"\xc3")
        process.stdin.write(b"\xa9 hello")
        assert next(told) == {"event": "TextDelta", "delta": "é hello"}
        process.stdin.write(b"\n!!!GADGET_START:Read:a\n")
        assert next(told) == {"event": "TextDelta", "delta": "\n"}
        assert next(told)["name"] == "Read"
        process.stdin.close()
        assert next(told)["event"] == "CallEnded"
    assert process.returncode == 0
    done = subprocess.run([*COMMAND, "stream", "--language", "stf"], input=b"@user\n\xff", capture_output=True)
    assert (done.returncode, b"not UTF-8: byte 0xff" in done.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_events_of_a_file_come_while_it_grows_and_its_end_is_still_arriving(tmp_path: Path) -> None:
    file = tmp_path / "a.gadget"
    append(file, "Hi.\n!!!GADGET_START:Read:a\n!!!ARG:path\nx")
    with following(tmp_path, "stream", "--follow", "a.gadget") as told:
        assert next(told) == {"event": "TextDelta", "delta": "Hi.\n"}
        assert [next(told)["event"] for _ in range(3)] == ["CallStarted", "ArgStarted", "ArgDelta"]
        append(file, "y\n!!!GADGET_END\nBye")
        assert [next(told)["event"] for _ in range(3)] == ["ArgDelta", "ArgEnded", "CallEnded"]
        assert next(told)["delta"] == "\nBye"
        # another text begins, and the call at its end never ends
        file.write_text("!!!GADGET_START:Go:g\n!!!ARG:n\n1", "utf-8")
        assert [next(told)["event"] for _ in range(3)] == ["CallStarted", "ArgStarted", "ArgDelta"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_calls_and_results_of_all_sessions_come_while_logs_grow(tmp_path: Path) -> None:
    logs = tmp_path / "logs" / "calm-newt"
    logs.mkdir(parents=True)
    append(logs / "0001.response", CALL.format("a") + WRONG.format("b") + CALL.format("c")[:20])
    with following(tmp_path, "watch", "logs") as told:
        first, second = next(told), next(told)
        assert (first["file"], first["id"]) == (os.path.join("calm-newt", "0001.response"), "a")
        assert (first["parameters"], second["parameters"]) == ({"path": "é.txt"}, None)
        assert second["error"] == "Duplicate pointer: path"
        assert (first["repeats"], second["repeats"]) == (0, 0)
        append(logs / "0001.response", CALL.format("c")[20:])
        assert next(told)["id"] == "c"
        results = "=== USER ===\nResult (a): one\n\n=== USER ===\nResult (b): Error: Gadget 'Read' not found\n"
        (logs / "0002.request").write_text(results, "utf-8")
        results += "\n=== USER ===\nResult (c): two\n"
        assert [next(told)["id"], next(told)["failure"]] == ["a", "Error: Gadget 'Read' not found"]
        # a request repeats the ones before it
        (logs / "0003.request").write_text(results, "utf-8")
        assert next(told) == {
            "file": os.path.join("calm-newt", "0003.request"),
            "event": "result",
            "id": "c",
            "bytes": 3,
            "failure": None,
        }
        # the same mistake again
        append(logs / "0003.response", WRONG.format("d") + WRONG.format("e"))
        assert [next(told)["repeats"], next(told)["repeats"]] == [1, 2]
        (logs / "0003-a").mkdir()
        append(logs / "0003-a" / "0001.response", CALL.format("z"))
        assert next(told)["file"] == os.path.join("calm-newt", "0003-a", "0001.response")


def test_a_folder_that_comes_is_listed_until_it_is_watched(tmp_path: Path) -> None:
    logs, folder = FollowedLogs(str(tmp_path), Markers()), tmp_path / "0003-a"
    folder.mkdir()
    first, second = folder / "0001.response", folder / "0002.response"
    append(first, "")
    assert logs.among({str(folder)}) == [str(first)]
    append(second, "")
    assert logs.among(set()) == [str(first), str(second)]
    assert logs.among(set()) == []
    assert logs.among({str(second)}) == [str(second)]


@given(st.text())
def test_what_is_appended_is_read_once(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "growing.txt"
    file.write_bytes(b"")
    growing = GrowingFile(str(file))
    found: list[str | None] = []
    data = text.encode("utf-8", "replace")
    for start in range(0, len(data), 2):
        with file.open("ab") as opened:
            opened.write(data[start : start + 2])
        found += growing.appended()
    assert "".join(filter(None, found)) == data.decode()
    assert None not in found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("first", "another, and longer"),
        ("a" * 6000, "a" * 5999 + "é" + "a" * 1000),
        ("a" * 6000, "a" * 5000),
    ],
)
def test_a_text_that_replaces_another_in_its_file_is_read_from_its_start(
    tmp_path: Path, before: str, after: str
) -> None:
    file = tmp_path / "a.txt"
    growing = GrowingFile(str(file))
    for text, read in ((before, before), (after, None)):
        # the same file each time
        file.write_text(text, "utf-8")
        assert next(growing.appended()) == read
