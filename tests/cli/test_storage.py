"""Corpora in storages that are named by URL: the result is that of the same files in a folder."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import responses
from llmblocks.cli.commands import main

pytest.importorskip("pyarrow")
ROWS = "--language", "gadget", "--column", "response.text"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def output(*arguments: str) -> str:
    """Return the output of a command."""
    main([*arguments, "-q", "--output-file", "out.txt"])
    return Path("out.txt").read_text("utf-8")


@pytest.fixture
def rows() -> str:
    """A folder with JSONL, packed and cut, and Parquet. Returns its URL."""
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
    return f"{Path.cwd().as_uri()}/rows"


@pytest.mark.parametrize("command", [["report", "--output-format", "csv"], ["export", "--to", "openai"]])
def test_rows_of_a_storage_are_those_of_its_files(rows: str, command: list[str]) -> None:
    expected = output(*command, "rows", *ROWS, "-j1")
    assert len(expected.splitlines()) > 20
    # those inside another one are read once
    assert output(*command, rows, f"{rows}/some.parquet", rows, *ROWS, "-j1") == expected


@pytest.mark.slow
def test_several_processes_read_a_storage(rows: str) -> None:
    command = "report", *ROWS, "--output-format", "csv"
    assert output(*command, rows, "-j2") == output(*command, "rows", "-j1")


def test_texts_of_a_storage_are_read_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    responses.write(Path("c"), 2)
    Path("c/llmblocks.toml").write_text('[rules]\nignore = ["G101"]\n', "utf-8")
    url = f"{Path.cwd().as_uri()}/c"
    found = json.loads(output("report", url, "--output-format", "json"))["total"]
    assert (found["texts"], found["unread"]) == (80, 0)
    # logs of a session belong together
    assert main(["export", url, "--to", "openai", "-q"]) == 2
    assert "0001.response: logs of sessions are read from folders; mount the storage" in capsys.readouterr().err


def test_a_part_of_a_storage_is_known_again(rows: str) -> None:
    arguments = "report", f"{rows}/some.parquet", *ROWS, "--output-format", "json", "--resume", "kept"
    expected = output(*arguments)
    (kept,) = Path("kept").iterdir()
    before = kept.stat().st_mtime_ns
    assert output(*arguments) == expected
    assert kept.stat().st_mtime_ns == before
    Path("rows/some.parquet").touch()
    assert output(*arguments) == expected
    assert len([*Path("kept").iterdir()]) == 2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("{}/none.jsonl", "none.jsonl: no such file or folder"),
        ("{}/cut.txt", "cut.txt: cannot tell the language from the name; pass --language"),
        ("nowhere://x/a.jsonl", "nowhere://x/a.jsonl: "),
    ],
)
def test_a_url_that_cannot_be_read_is_reported(
    rows: str, name: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("rows/cut.txt").touch()
    assert main(["report", name.format(rows), "-q"]) == 2
    assert says in capsys.readouterr().err
