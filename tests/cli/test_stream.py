"""`llmblocks stream` and `llmblocks parse --output-format events`, through the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from llmblocks.cli.commands import main

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


@pytest.mark.slow
@pytest.mark.parametrize("language", ["gadget", "stf", "custom-blocks"])
def test_the_live_view_shows_every_event_and_no_control_character(language: str) -> None:
    text = f"@user\n{CALL}\x1b[2J\n@Ai\n"
    done = subprocess.run(
        [*COMMAND, "stream", "--language", language, "--output-format", "live"],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    assert b"\x1b[2J" not in done.stdout
    assert b"Read" in done.stdout


@pytest.mark.slow
def test_input_that_is_not_utf_8_is_refused_with_its_byte() -> None:
    done = subprocess.run([*COMMAND, "stream", "--language", "stf"], input=b"@user\n\xff", capture_output=True)
    assert (done.returncode, b"not UTF-8: byte 0xff" in done.stderr) == (2, True)


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_events_are_listed_by_chunk_with_what_is_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], size: int
) -> None:
    file = tmp_path / "a.gadget"
    file.write_text(CALL, encoding="utf-8")
    assert main(["parse", str(file), "--output-format", "events", "--chunk", str(size)]) == 0
    *chunks, end = map(json.loads, capsys.readouterr().out.splitlines())
    assert "".join([each["chunk"] for each in chunks]) == CALL
    assert end["chunk"] is None
    kinds = [event["event"] for each in (*chunks, end) for event in each["events"]]
    wanted = ["CallStarted", "ArgStarted", "ArgEnded", "CallEnded", "CustomBlockStart", "CustomBlockEnd", "CustomBlock"]
    assert [kind for kind in kinds if kind in wanted] == wanted


def test_a_chunk_has_at_least_one_character(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["parse", str(tmp_path / "a.stf"), "--output-format", "events", "--chunk", "0"])
    assert "use a number from 1 to" in capsys.readouterr().err


def test_a_file_is_streamed_as_standard_input_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.gadget"
    file.write_text("Hi\n!!!GADGET_START:A:a1\n!!!ARG:x\n1\n!!!GADGET_END\n", "utf-8")
    assert main(["stream", str(file)]) == 0
    assert [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()][-1] == "TextDelta"
    assert main(["stream", str(tmp_path / "none.gadget")]) == 2
    assert "none.gadget: cannot be read: No such file" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["stream", str(file), "--follow", str(file)])
    assert "--follow cannot be combined with FILE" in capsys.readouterr().err
