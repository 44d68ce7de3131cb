"""`--resume` of report and export: after a kill, a full disk or a change, the result is that of one whole run."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

import responses
from llmblocks.cli.commands import main
from llmblocks.cli.corpus import run as runs
from llmblocks.cli.corpus.texts import FilePart
from llmblocks.cli.source import SourceFile

COMMANDS = [["report", "--output-format", "json"], ["export", "--to", "openai"]]
FILES = 8
"""The files of a part that is not a session: a small corpus has many parts."""
PROGRAM = f"from llmblocks.cli.corpus import run; run._FILES = {FILES}; import runpy; "
RUN = "runpy.run_module('llmblocks', run_name='__main__')"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def result(*arguments: str, output: str = "out.txt") -> bytes:
    assert main([*arguments, "-q", "--output-file", output]) in (0, 1)
    return Path(output).read_bytes()


def stamps() -> dict[str, int]:
    return {each.name: each.stat().st_mtime_ns for each in Path("kept").glob("*.json")}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=["report", "export"])
def test_a_run_that_is_killed_continues_from_where_it_was(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_FILES", FILES)
    responses.write(Path("c"), 8)
    whole = result(*command, "c", "-j1")
    arguments = [*command, "c", "-j2", "--resume", "kept"]
    program = [sys.executable, "-c", PROGRAM + RUN, *arguments]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while len(stamps()) < 2 and process.poll() is None:
            pass
        children = psutil.Process(process.pid).children()
        process.kill()
    psutil.wait_procs(children)
    before = stamps()
    assert len(before) >= 2
    assert result(*arguments) == whole
    after = stamps()
    assert {name: after[name] for name in before} == before
    # now all are known, and nothing is parsed
    assert result(*arguments) == whole
    assert stamps() == after


@pytest.mark.parametrize("command", COMMANDS, ids=["report", "export"])
def test_what_has_changed_is_made_again(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_FILES", 2)
    for number in range(6):
        Path(f"d{number}").mkdir()
        Path(f"d{number}/a.gadget").write_text(f"text {number}", "utf-8")
    arguments = *command, ".", "-j1"
    assert result(*arguments, "--resume", "kept") == result(*arguments)
    assert len(stamps()) == 3
    Path("d3/a.gadget").write_text("another text", "utf-8")
    assert result(*arguments, "--resume", "kept") == result(*arguments)
    assert len(stamps()) == 4
    Path("llmblocks.toml").write_text('[rules]\nignore = ["G101"]\n', "utf-8")
    assert result(*arguments, "--resume", "kept") == result(*arguments)
    assert len(stamps()) == 7
    # what could not be read may be there the next time
    Path("d3/a.gadget").rename("elsewhere")
    Path("d3/a.gadget").symlink_to("nowhere")
    before = stamps()
    assert main([*arguments, "-q", "--resume", "kept", "--output-file", "out.txt"]) == 2
    assert stamps() == before
    Path("d3/a.gadget").unlink()
    Path("elsewhere").rename("d3/a.gadget")
    # one that is cut, as by a machine that went off, is made again
    for each in Path("kept").glob("*.json"):
        each.write_text("{", "utf-8")
    assert result(*arguments, "--resume", "kept") == result(*arguments)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="limits of Linux")
@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_a_disk_without_room_is_reported_and_what_was_done_stays(jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_FILES", 1)
    for number in range(4):
        Path(f"d{number}").mkdir()
        # the last part is larger than the limit
        Path(f"d{number}/0001.response").write_text("words " * (4000 if number == 3 else 2000), "utf-8")
    arguments = ["export", "--to", "openai", ".", "-q", jobs, "--resume", "kept", "--output-file", "out.jsonl"]
    limit = "run._FILES = 1; import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (15_000, r.RLIM_INFINITY)); "
    command = [sys.executable, "-c", PROGRAM + limit + RUN, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 2
    assert "cannot be written: File too large; what is there is kept, the same command goes on from it" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("out.jsonl").exists()
    before = stamps()
    assert len(before) == 3
    assert main(arguments) == 0
    assert {name: stamps()[name] for name in before} == before
    assert (
        result("export", "--to", "openai", "d0", "d1", "d2", "d3", output="whole.jsonl")
        == Path("out.jsonl").read_bytes()
    )


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_what_cannot_be_read_is_reported_and_the_rest_is_exported(jobs: str) -> None:
    rows = [{"text": f"text {number}"} for number in range(2000)]
    data = "".join(json.dumps(each) + "\n" for each in rows).encode()
    Path("cut.jsonl.gz").write_bytes(gzip.compress(data)[:-900])
    Path("whole.jsonl").write_bytes(data)
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"said": ["x"]}), "other.parquet")
    names = ["cut.jsonl.gz", "other.parquet", "whole.jsonl"]
    command = ["export", *names, "--language", "gadget", "--to", "sharegpt", "-q", jobs]
    assert main([*command, "--output-file", "out.jsonl", "--notes", "notes.jsonl"]) == 2
    written = Path("out.jsonl").read_text("utf-8").splitlines()
    # those after the cut are in the other file, each once
    assert [json.loads(each)["conversations"][0]["value"] for each in written] == [each["text"] for each in rows]
    notes = [json.loads(each) for each in Path("notes.jsonl").read_text("utf-8").splitlines()]
    cut, other = [each["unread"] for each in notes if "unread" in each]
    assert "the rest cannot be unpacked" in cut
    assert other == "no column 'text'; it has said"
    known = zlib.decompressobj(31).decompress(Path("cut.jsonl.gz").read_bytes()).count(b"\n")
    assert 0 < known == sum("same_as" in each for each in notes)


@pytest.mark.slow
def test_the_parts_of_a_large_corpus_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    responses.write_rows(Path("rows.jsonl"), 2)
    rows = "rows.jsonl", "--language", "gadget", "--column", "response.text"
    size = Path("rows.jsonl").stat().st_size
    monkeypatch.setattr(runs, "PART", 2000)
    monkeypatch.setattr(runs, "_GROWS_EVERY", 5)
    source = SourceFile("rows.jsonl", "gadget")
    for largest, most in ((1, 2000), (4, 8000)):
        # files that come later have larger parts
        found = [each for each in runs.batches(iter([source] * 4), largest=largest) if isinstance(each, FilePart)]
        lengths = [(each.end or 0) - each.start for each in found]
        assert lengths == sorted(lengths)
        assert (lengths[0], lengths[-1]) == (2000, most)
        assert sum(each.start == 0 for each in found) == 4
        assert all(each.start == before.end for before, each in pairwise(found) if each.start)
    expected = result("report", "--output-format", "json", *rows)
    monkeypatch.setattr(runs, "PART", size)
    assert result("report", "--output-format", "json", *rows) == expected
