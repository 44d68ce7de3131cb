"""`llmblocks report`: corpora of files and rows, in several processes, as every format, and with what can go wrong."""

from __future__ import annotations

import csv
import gc
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import responses
from llmblocks.cli.commands import main
from llmblocks.cli.corpus import texts
from llmblocks.cli.corpus.figures import CorpusReport, Grouping
from llmblocks.cli.corpus.page import as_html
from llmblocks.cli.corpus.run import RunOptions
from llmblocks.cli.files import find
from llmblocks.cli.project import CommandProject
from llmblocks.cli.reporting import WorkOptions
from llmblocks.cli.reporting import run as run_over
from llmblocks.cli.source import SourceFile
from llmblocks.report import merged, summarise
from llmblocks.report.as_json import as_dict
from llmblocks.report.summary import Row, Summary, Table

Json = Any
Run = Callable[..., int]
TWICE = "!!!GADGET_START:Write:w1\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END\n"
CLEAN = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!GADGET_END\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: main(["report", "-q", *map(str, arguments)])


def as_json(run: Run, *arguments: object) -> Json:
    assert run(*arguments, "--output-format", "json", "--output-file", "out.json") == 0
    return json.loads(Path("out.json").read_text("utf-8"))


def write(name: str, *lines: object) -> str:
    Path(name).write_text("".join([f"{json.dumps(line)}\n" for line in lines]), "utf-8")
    return name


def test_a_folder_is_summarised_as_its_texts_are(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("logs").mkdir()
    for number in range(20):
        Path(f"logs/{number:02}.gadget").write_text(TWICE if number % 5 == 0 else CLEAN, "utf-8")
    expected = merged(summarise(f"logs/{n:02}.gadget", TWICE if n % 5 == 0 else CLEAN) for n in range(20))
    assert as_json(run, "logs")["total"] == json.loads(json.dumps(as_dict(expected)))
    assert run("logs") == 0
    shown = capsys.readouterr().out
    assert "20 texts, 4 with errors (20%); 20 calls, 4 rejected; 0 of these repaired by safe fixes" in shown
    assert "logs/00.gadget:4:8: G101 !!!ARG:path" in shown
    assert "Write 4 4 100% 51% to 100%" in " ".join(shown.split())


@pytest.mark.slow
def test_a_run_keeps_nothing_of_the_texts_before(tmp_path: Path) -> None:
    """Objects that only the garbage collector frees accumulate with the size of a corpus."""
    responses.write(tmp_path / "c", 20)
    project, kept = CommandProject(), list[int]()

    def whole(advance: Callable[[int], None]) -> None:
        run_over(find([str(tmp_path / "c")], None, project), project, WorkOptions("date", ""), RunOptions(), advance)

    # modules, and names that are remembered up to a number
    whole(lambda _: None)
    gc.collect()
    gc.disable()
    try:
        whole(lambda _: kept.append(gc.collect()))
    finally:
        gc.enable()
    assert kept == [0] * 4


@pytest.mark.slow
def test_rows_of_jsonl_and_parquet_are_texts(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = responses.write_rows(tmp_path / "rows.jsonl", 5)
    data = Path("rows.jsonl").read_bytes()
    Path("rows.jsonl.gz").write_bytes(gzip.compress(data))
    arguments = "--language", "gadget", "--column", "response.text", "--by", "model"
    whole = as_json(run, "rows.jsonl", *arguments)
    assert whole["total"]["texts"] == count == 200
    assert [each["name"] for each in whole["groups"]] == ["gpt-9", "opus-6", "small-3"]
    monkeypatch.setattr(texts, "PART", 50_000)
    assert as_json(run, "rows.jsonl", *arguments, "-j2") == whole

    def numbers(found: Json) -> Json:
        return {name: each for name, each in found.items() if name not in ("first", "last", "examples", "rules")}

    assert numbers(as_json(run, "rows.jsonl.gz", *arguments)["total"]) == numbers(whole["total"])
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.Table.from_pylist([*map(json.loads, data.splitlines())]), "rows.parquet", row_group_size=30)
    stored = as_json(run, "rows.parquet", *arguments, "-j2")["total"]
    assert numbers(stored) == numbers(whole["total"])
    assert stored["first"] == "rows.parquet#row=000000000"


@given(st.lists(st.text("ab\n\u20ac", max_size=30), max_size=30), st.integers(1, 200))
def test_every_line_is_in_one_part(tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int) -> None:
    file = tmp_path_factory.getbasetemp() / "lines.jsonl"
    file.write_bytes("".join([json.dumps({"text": line}, ensure_ascii=False) + "\n" for line in lines]).encode())
    source = SourceFile(str(file), "gadget")
    split = [part for part in texts.parts(source, size) if isinstance(part, texts.FilePart)]
    found = [row for part in split for row in texts.rows(part, "text", CommandProject())]
    assert [row.text for row in found if isinstance(row, texts.TextRow)] == lines
    data = file.read_bytes()
    for row in found:
        assert isinstance(row, texts.TextRow)
        at = int(row.name.partition("#byte=")[2])
        assert json.loads(data[at:].partition(b"\n")[0])["text"] == row.text


@pytest.mark.parametrize(
    ("by", "name", "values", "expected"),
    [
        ("date", "logs/2026-10-01/2026-10-02.gadget", None, "2026-10-02"),
        ("date", "logs/12026-10-01/a", None, "(none)"),
        ("date", "a.jsonl", {"date": "2026-10-03T12:00:00Z"}, "2026-10-03"),
        ("folder", "logs/monday/a.gadget", None, "logs/monday"),
        ("folder", "a.gadget", None, "."),
        ("model", "logs/model=gpt-9/a.gadget", None, "gpt-9"),
        ("model", "logs/submodel=gpt-9/a.gadget", None, "(none)"),
        ("model", "model=a/rows.jsonl", {"model": 7}, "7"),
        ("model", "model=a/rows.jsonl", {"model": []}, "a"),
        ("model", "rows.jsonl", {"model": ""}, "(none)"),
        (r"run-(\d+)", "logs/run-12/a.gadget", None, "12"),
        (r"run-(\d+)?", "logs/run-/a.gadget", None, "(none)"),
    ],
)
def test_texts_are_grouped(by: str, name: str, values: Json, expected: str) -> None:
    assert Grouping(by).of(name, values) == expected


def test_too_many_groups_are_reported(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    name = write("a.jsonl", *[{"text": "", "id": number} for number in range(1001)])
    assert run(name, "--language", "gadget", "--by", "id") == 2
    assert "--by id has more than 1,000 values; choose one with fewer" in capsys.readouterr().err


def test_two_corpora_are_compared(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    new = write("new.jsonl", *[{"text": TWICE if number % 4 == 0 else CLEAN} for number in range(200)])
    old = write("old.jsonl", *[{"text": TWICE if number % 20 == 0 else CLEAN} for number in range(200)])
    found = as_json(run, new, "--compare", old, "--language", "gadget")["changes"]
    assert [(each["table"], each["verdict"]) for each in found[:3]] == [
        ("calls", "worse"),
        ("rules", "worse"),
        ("texts", "worse"),
    ]
    assert (found[0]["now"], found[0]["before"]) == ([50, 200], [10, 200])
    assert 0 < found[0]["low"] < 0.2 < found[0]["high"] < 1
    assert run(old, "--compare", new, "--language", "gadget") == 0
    assert "better" in capsys.readouterr().out


def test_parquet_has_the_rows_of_csv(run: Run) -> None:
    name = write("a.jsonl", {"text": TWICE, "model": "x"}, {"text": CLEAN, "model": "y"})
    pq = pytest.importorskip("pyarrow.parquet")
    for form in ("csv", "parquet"):
        assert run(name, "--language", "gadget", "--by", "model", "--output-format", form, "--output-file", form) == 0
    rows = [*csv.DictReader(Path("csv").read_text("utf-8").splitlines())]
    stored = [{key: str(value) for key, value in each.items()} for each in pq.read_table("parquet").to_pylist()]
    assert stored == rows != []


def test_the_page_is_one_file_that_loads_and_runs_nothing(run: Run) -> None:
    evil = "!!!GADGET_START:<script>alert(1)</script>\n!!!ARG:<img src=x>\n1\n!!!ARG:<img src=x>\n2\n!!!GADGET_END\n"
    for day in range(1, 4):
        Path(f"2026-10-0{day}").mkdir()
        Path(f"2026-10-0{day}/a&b.gadget").write_text(evil, "utf-8")
    Path("pages").mkdir()
    folders = [f"2026-10-0{day}" for day in range(1, 4)]
    assert run(*folders, "--output-format", "html", "--output-file", "pages/report.html") == 0
    page = Path("pages/report.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'; style-src 'sha256-" in page
    assert page.count("<svg") > 3
    assert "By date" in page
    assert 'href="../2026-10-01/a%26b.gadget#L4"' in page
    assert 'href="https://github.com/llmblocks/llmblocks/blob/main/docs/rules/G101.md">G101</a>' in page


def test_a_report_on_nothing_is_a_page() -> None:
    assert "Report on 0 texts" in as_html(CorpusReport("date", {}), None)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"other": 1, "b": 2}', "no column 'a.b'; it has other, b"),
        ('{"a": 1}', "no column 'a.b'; it has no columns inside"),
        ('{"a": {"b": null}}', "the column 'a.b' does not contain text"),
        ("[]", "not an object with the column 'a.b'"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": {}, "a": {"b": ""}}', "this is not JSON: "),
        ('{"a"', "this is not JSON: Expecting ':' delimiter"),
    ],
)
def test_a_wrong_line_is_reported(line: str, reason: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.jsonl").write_text(f'{{"a": {{"b": ""}}}}\n\n{line}\n', "utf-8")
    assert run("a.jsonl", "--language", "stf", "--column", "a.b") == 2
    assert f"a.jsonl#byte=000000000018: {reason}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("found", "width", "interval", "scale"),
    [
        # the worst rate fills no bar, as its interval goes beyond it
        ([(2, 9)], [22.22], [(6.32, 54.74)], "100 %"),
        ([(20, 1000), (1, 1000)], [40.0, 2.0], [(25.97, 61.38), (0.35, 11.29)], "5 %"),
        ([(9, 3)], [100.0], [(43.85, 100.0)], "100 %"),
    ],
)
def test_a_bar_and_its_interval_have_the_scale_of_their_column(
    found: list[tuple[int, int]], width: list[float], interval: list[tuple[float, float]], scale: str
) -> None:
    rows = tuple([Row((f"T{number}",), (total, each, 0, 0, 0)) for number, (each, total) in enumerate(found)])
    page = as_html(CorpusReport("date", {"": Summary(texts=1, gadgets=Table(rows))}), None)
    assert f'<th scope="col" class="bar">0 to {scale}</th>' in page
    assert [float(each) for each in re.findall(r'class="rate" width="([\d.]+)"', page)] == width
    drawn = re.findall(r'class="mark"[^>]* d="M([\d.]+) 5H([\d.]+)"', page)
    assert [(float(low), float(high)) for low, high in drawn] == interval
