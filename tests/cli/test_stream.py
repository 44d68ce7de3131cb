"""`llmblocks stream` and `llmblocks parse --output-format events`, through the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands import run

COMMAND = (sys.executable, "-m", "llmblocks")
CALL = "Hi\n!!!GADGET_START:Read:a\n!!!ARG:n\n1\n!!!GADGET_END\n<think>x</think>"


@pytest.mark.slow
def test_an_event_comes_before_the_input_ends() -> None:
    process = subprocess.Popen(
        [*COMMAND, "stream", "--language", "gadget"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write("é".encode()[:1])
        process.stdin.flush()
        process.stdin.write("é".encode()[1:] + b" hello")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"event": "TextDelta", "delta": "é hello"}
        process.stdin.write(b"\n!!!GADGET_START:Read:a\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"event": "TextDelta", "delta": "\n"}
        assert json.loads(process.stdout.readline())["name"] == "Read"
        process.stdin.close()
        assert json.loads(process.stdout.readline())["event"] == "CallEnded"
    assert process.returncode == 0


@pytest.mark.parametrize("language", ["gadget", "stf", "custom-blocks"])
def test_the_live_view_shows_every_event_and_no_control_character(language: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"@user\n{CALL}\x1b[2J\n@Ai\n", "utf-8")
    shown = run(tmp_path, "stream", "a", "--language", language, "--output-format", "live").stdout
    assert "\x1b[2J" not in shown
    assert "Read" in shown


@pytest.mark.slow
def test_input_that_is_not_utf_8_is_refused_with_its_byte() -> None:
    done = subprocess.run([*COMMAND, "stream", "--language", "stf"], input=b"@user\n\xff", capture_output=True)
    assert (done.returncode, b"not UTF-8: byte 0xff" in done.stderr) == (2, True)


@pytest.mark.parametrize("size", ["1", "4", "1000"])
def test_events_are_listed_by_chunk_with_what_is_held(size: str, tmp_path: Path) -> None:
    (tmp_path / "a.gadget").write_text(CALL, "utf-8")
    done = run(tmp_path, "parse", "a.gadget", "--output-format", "events", "--chunk", size)
    *chunks, end = map(json.loads, done.stdout.splitlines())
    assert "".join([each["chunk"] for each in chunks]) == CALL
    assert end["chunk"] is None
    kinds = [event["event"] for each in (*chunks, end) for event in each["events"]]
    wanted = ["CallStarted", "ArgStarted", "ArgEnded", "CallEnded", "CustomBlockStart", "CustomBlockEnd", "CustomBlock"]
    assert [kind for kind in kinds if kind in wanted] == wanted


def test_a_file_is_streamed_as_standard_input_is(tmp_path: Path) -> None:
    (tmp_path / "a.gadget").write_text("Hi\n!!!GADGET_START:A:a1\n!!!ARG:x\n1\n!!!GADGET_END\n", "utf-8")
    told = run(tmp_path, "stream", "a.gadget").stdout.splitlines()
    assert json.loads(told[-1])["event"] == "TextDelta"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("parse a.stf --output-format events --chunk 0", "use a number from 1 to"),
        ("stream none.gadget", "none.gadget: cannot be read: No such file"),
        ("stream a.gadget --follow a.gadget", "--follow cannot be combined with FILE"),
    ],
)
def test_misuse_of_a_stream_is_reported(arguments: str, reason: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments.split())
    assert (done.returncode, reason in done.stderr) == (2, True)
