"""Reports and exports on Ray Data with two processes. Run by `make ray`, in an environment that has Ray."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import responses

PATIENCE_S = 300


def outcome(folder: Path, *arguments: str) -> tuple[int, bytes, str]:
    """Return the exit status of a command, what it has written, and the last line that it told."""
    command = [sys.executable, "-m", "llmblocks", *arguments, "-j2", "-q", "--output-file", "out.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    told = [line for line in done.stderr.splitlines() if line.startswith("llmblocks")]
    written = folder / "out.txt"
    data = written.read_bytes() if written.exists() else b""
    written.unlink(missing_ok=True)
    return done.returncode, data, told[-1] if told else ""


def test_ray_gives_what_processes_give(tmp_path: Path) -> None:
    responses.write(tmp_path / "c", 50)
    responses.write_rows(tmp_path / "rows.jsonl", 10)
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress((tmp_path / "rows.jsonl").read_bytes())[:-9000])
    rows = "rows.jsonl", "cut.jsonl.gz", "--language", "gadget", "--column", "response.text"
    for arguments in (
        ("report", "c", "--output-format", "json"),
        ("report", *rows, "--by", "model", "--output-format", "json"),
        ("export", "c", "--to", "openai"),
        ("export", *rows, "--to", "sharegpt"),
    ):
        expected = outcome(tmp_path, *arguments)
        assert expected[1]
        assert outcome(tmp_path, *arguments, "--engine", "ray", "--resume", "kept") == expected
        kept = {each: each.stat().st_mtime_ns for each in (tmp_path / "kept").iterdir()}
        # and again, from what is kept, without Ray
        assert outcome(tmp_path, *arguments, "--resume", "kept") == expected
        assert {each: each.stat().st_mtime_ns for each in (tmp_path / "kept").iterdir()} == kept


def test_ray_reads_storages(tmp_path: Path) -> None:
    responses.write_rows(tmp_path / "rows.jsonl", 10)
    options = "--language", "gadget", "--column", "response.text", "--output-format", "csv"
    expected = outcome(tmp_path, "report", "rows.jsonl", *options)
    assert expected[0] == 0
    # `file` is read by pyarrow, `local` by fsspec
    for scheme in ("file", "local"):
        url = f"{scheme}://{tmp_path.as_posix()}"
        assert outcome(tmp_path, "report", url, *options, "--engine", "ray", "--memory", "300") == expected
    status, data, told = outcome(tmp_path, "report", "rows.jsonl", *options, "--engine", "ray", "--memory", "99999999")
    assert (status, data) == (2, b"")
    assert "--memory 99999999: no machine has so much; the most that Ray has is " in told


def test_a_killed_process_leaves_only_the_result_on_standard_output(tmp_path: Path) -> None:
    responses.write(tmp_path / "c", 100)
    command = [sys.executable, "-m", "llmblocks", "report", "c", "--output-format", "json"]
    alone = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    with subprocess.Popen(
        [*command, "--engine", "ray", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        killed = 0
        # one in the middle of its work
        while not killed and running.poll() is None:
            killed = next((each for each, command in below(running.pid) if "submit" in command), 0)
        os.kill(killed, signal.SIGKILL)
        out, err = running.communicate(timeout=PATIENCE_S)
    assert killed
    assert (out, running.returncode) == (alone.stdout, alone.returncode)
    assert json.loads(out)
    assert b"Traceback" not in err


def below(pid: int) -> Iterator[tuple[int, str]]:
    """Yield the processes that come of one, with their commands."""
    with suppress(OSError):
        for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield int(each), Path(f"/proc/{each}/cmdline").read_text()
            yield from below(int(each))


if __name__ == "__main__":
    from environments import PROJECT, run_with

    sys.exit(run_with("on-ray", PROJECT["optional-dependencies"]["ray"], __file__))
