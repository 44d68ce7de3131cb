"""`report` and `export` over a corpus: in several processes, resumed, from storages, and with what cannot be read."""

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
from commands import COMMAND
from llmblocks import Severity, check
from llmblocks.cli.commands import main
from llmblocks.cli.corpus import run as runs
from llmblocks.cli.corpus.texts import FilePart
from llmblocks.cli.source import SourceFile

COMMANDS = {"report": ["report", "--output-format", "json"], "export": ["export", "--to", "openai"]}
each_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
FILES = 8
"""The files of a part that is not a session: a small corpus has many parts."""
PROGRAM = f"from llmblocks.cli.corpus import run; run._FILES = {FILES}; import runpy; "
RUN = "runpy.run_module('llmblocks', run_name='__main__')"
COLUMN = "--language", "gadget", "--column", "response.text"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def result(*arguments: str) -> bytes:
    main([*arguments, "-q", "--output-file", "out.txt"])
    return Path("out.txt").read_bytes()


def stamps() -> dict[str, int]:
    return {each.name: each.stat().st_mtime_ns for each in Path("kept").glob("*.json")}


@pytest.mark.slow
@each_command
def test_processes_change_nothing_and_a_killed_one_neither(command: list[str]) -> None:
    responses.write(Path("c"), 25)
    alone = result(*command, "c", "-j1")
    if command[0] == "report":
        found = json.loads(alone)
        assert (found["total"]["texts"], len(found["groups"])) == (1000, 25)
    else:
        rows = [json.loads(line)["messages"][0]["content"] for line in alone.splitlines()]
        texts = [file.read_text("utf-8") for file in Path("c").rglob("*.response")]
        wrong = [text for text in texts if any(each.severity is Severity.ERROR for each in check(text, "gadget"))]
        assert (len(texts), len(wrong) > 0, {*rows}) == (1000, True, {*texts} - {*wrong})
    assert result(*command, "c", "-j2") == alone
    with subprocess.Popen([*COMMAND, *command, "c", "-j2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        children: list[psutil.Process] = []
        while not children and process.poll() is None:
            # spawn starts a process of Python's own first
            found = psutil.Process(process.pid).children()
            children = [each for each in found if "resource_tracker" not in " ".join(each.cmdline())]
        assert children
        children[0].kill()
        out, err = process.communicate(timeout=120)
    assert out == alone
    assert (err, process.returncode) == (b"", 0) or command[0] == "export"


@pytest.mark.slow
@each_command
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


@each_command
def test_what_has_changed_is_made_again(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_FILES", 2)
    for number in range(6):
        Path(f"d{number}").mkdir()
        Path(f"d{number}/a.gadget").write_text(f"text {number}", "utf-8")
    arguments = *command, ".", "-j1"

    def kept(number: int) -> bool:
        return result(*arguments, "--resume", "kept") == result(*arguments) and len(stamps()) == number

    assert kept(3)
    Path("d3/a.gadget").write_text("another text", "utf-8")
    assert kept(4)
    Path("llmblocks.toml").write_text('[rules]\nignore = ["G101"]\n', "utf-8")
    assert kept(7)
    # what could not be read may be there the next time
    Path("d3/a.gadget").rename("elsewhere")
    Path("d3/a.gadget").write_bytes(b"\xff")
    assert kept(7)
    Path("elsewhere").replace("d3/a.gadget")
    # one that is cut, as by a machine that went off, is made again
    for each in Path("kept").glob("*.json"):
        each.write_text("{", "utf-8")
    assert kept(7)


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
    assert result("export", "--to", "openai", "d0", "d1", "d2", "d3") == Path("out.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_what_cannot_be_read_is_reported_and_the_rest_is_used(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"text": f"text {number}"} for number in range(2000)]
    data = "".join(json.dumps(each) + "\n" for each in rows).encode()
    Path("cut.jsonl.gz").write_bytes(gzip.compress(data)[:-900])
    Path("whole.jsonl").write_bytes(data)
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"said": ["x"]}), "other.parquet")
    Path("no.parquet").write_bytes(b"PAR1")
    Path("bad.jsonl").write_bytes(b'[]\n{"text": 7}\n\xff\n')
    names = ["bad.jsonl", "cut.jsonl.gz", "missing.jsonl", "no.parquet", "other.parquet", "whole.jsonl"]
    texts = [*names, "--language", "gadget", "-q", jobs]
    assert main(["export", *texts, "--to", "sharegpt", "--output-file", "out.jsonl", "--notes", "notes.jsonl"]) == 2
    written = Path("out.jsonl").read_text("utf-8").splitlines()
    # those after the cut are in the other file, each once
    assert [json.loads(each)["conversations"][0]["value"] for each in written] == [each["text"] for each in rows]
    notes = [json.loads(each) for each in Path("notes.jsonl").read_text("utf-8").splitlines()]
    unread = [each["unread"] for each in notes if "unread" in each]
    reasons = [
        "not an object with the column 'text'",
        "the column 'text' does not contain text",
        "not UTF-8: byte 0xff at offset 0",
        "the rest cannot be unpacked",
        "cannot be read: No such file or directory",
        "not a Parquet file",
        "no column 'text'; it has said",
    ]
    assert [one in other for one, other in zip(reasons, unread, strict=True)] == [True] * 7
    known = zlib.decompressobj(31).decompress(Path("cut.jsonl.gz").read_bytes()).count(b"\n")
    assert 0 < known == sum("same_as" in each for each in notes)
    capsys.readouterr()
    found = json.loads(result("report", "--output-format", "json", *texts))["total"]
    told = capsys.readouterr().err
    assert (found["texts"], found["unread"]) == (2000 + known, 7)
    assert sum(reason in told for reason in reasons) == 5
    assert "and 2 more could not be read" in told


@pytest.fixture
def storage() -> str:
    """A folder with JSONL, packed and cut, and Parquet. Returns its URL."""
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    Path("rows/a b").mkdir(parents=True)
    responses.write_rows(Path("rows/a b/many=1%.jsonl"), 8)
    data = Path("rows/a b/many=1%.jsonl").read_bytes()[:200_000]
    Path("rows/cut.jsonl.gz").write_bytes(gzip.compress(data)[:-900])
    found = [json.loads(line)["response"] for line in data.splitlines()[:-1]]
    pq.write_table(pa.table({"response": found}), "rows/some.parquet", row_group_size=8)
    Path("rows/.hidden").mkdir()
    Path("rows/.hidden/x.jsonl").write_bytes(data)
    Path("rows/cut.txt").touch()
    return f"{Path.cwd().as_uri()}/rows"


@pytest.mark.parametrize("jobs", ["-j1", pytest.param("-j2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", [["report", "--output-format", "csv"], COMMANDS["export"]], ids=COMMANDS)
def test_rows_of_a_storage_are_those_of_its_files(storage: str, command: list[str], jobs: str) -> None:
    expected = result(*command, "rows", *COLUMN, "-j1")
    assert len(expected.splitlines()) > 20
    # those inside another one are read once
    assert result(*command, storage, f"{storage}/some.parquet", storage, *COLUMN, jobs) == expected


def test_texts_of_a_storage_are_read_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    responses.write(Path("c"), 2)
    url = f"{Path.cwd().as_uri()}/c"
    found = json.loads(result(*COMMANDS["report"], url))["total"]
    assert (found["texts"], found["unread"]) == (80, 0)
    # logs of a session belong together
    assert main(["export", url, "--to", "openai", "-q"]) == 2
    assert "0001.response: logs of sessions are read from folders; mount the storage" in capsys.readouterr().err


def test_a_part_of_a_storage_is_known_again(storage: str) -> None:
    arguments = *COMMANDS["report"], f"{storage}/some.parquet", *COLUMN, "--resume", "kept"
    expected = result(*arguments)
    before = stamps()
    assert (result(*arguments), stamps(), len(before)) == (expected, before, 1)
    Path("rows/some.parquet").touch()
    assert (result(*arguments), len(stamps())) == (expected, 2)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("{}/none.jsonl", "none.jsonl: no such file or folder"),
        ("{}/cut.txt", "cut.txt: cannot tell the language from the name; pass --language"),
        ("nowhere://x/a.jsonl", "nowhere://x/a.jsonl: "),
    ],
)
def test_a_url_that_cannot_be_read_is_reported(
    storage: str, name: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", name.format(storage), "-q"]) == 2
    assert says in capsys.readouterr().err


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
