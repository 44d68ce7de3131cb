"""The cache of `llmblocks check`."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from llmblocks.cli import cache
from llmblocks.cli.cache import Cache, CachedFile
from llmblocks.cli.checked_file import CheckedFile
from llmblocks.cli.commands import main
from llmblocks.cli.source import SourceFile
from llmblocks.facts.severity import Severity

FOUND = CheckedFile((), (("S001", Severity.ERROR, 3),))
SOURCE = SourceFile("a.stf", "stf")


def entry(number: int) -> CachedFile:
    return CachedFile(b"how %d" % number, b"stamp %d" % number)


@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_bit_changes_no_report_and_ends_with_the_run(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(40):
        (tmp_path / f"{number}.stf").write_text(f"@user\nHell\u00f6 {number}\n@*/\n@usr x\n", "utf-8")
    kept = tmp_path / ".llmblocks_cache" / "findings.sqlite3"

    def report() -> tuple[str, str]:
        assert main(["check", "-j1"]) == 1
        return capsys.readouterr()

    expected = report()
    good = kept.read_bytes()
    chosen = random.Random(seed)
    for _ in range(8):
        damaged = bytearray(good)
        # the schema and the rows, not the pages that nothing uses
        place = chosen.choice([at for at in range(len(good)) if good[at]])
        damaged[place] ^= 1 << chosen.randrange(8)
        kept.write_bytes(damaged)
        assert [report(), report()] == [expected, expected], place


def test_a_row_that_is_damaged_ends_the_cache_and_begins_another(tmp_path: Path) -> None:
    filled = Cache(str(tmp_path), detailed=False)
    filled.put(entry(1), FOUND)
    filled.close()
    with closing(sqlite3.connect(tmp_path / "findings.sqlite3")) as database, database:
        database.execute("UPDATE findings SET found = replace(found, 'S001', 'S002')")
    damaged = Cache(str(tmp_path), detailed=False)
    assert damaged.unchanged(SOURCE, entry(1)) is None
    damaged.put(entry(1), FOUND)
    damaged.close()
    for _ in range(2):
        begun = Cache(str(tmp_path), detailed=False)
        if begun.is_empty:
            begun.put(entry(1), FOUND)
        begun.close()
    whole = Cache(str(tmp_path), detailed=False)
    assert whole.unchanged(SOURCE, entry(1)) == FOUND
    whole.close()


def test_a_cache_keeps_no_more_than_its_newest_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST", 5)
    for start in (0, 10):
        made = Cache(str(tmp_path), detailed=False)
        for number in range(start, start + 10):
            made.put(entry(number), FOUND)
        made.close()
    with closing(sqlite3.connect(tmp_path / "findings.sqlite3")) as database:
        for table in ("findings", "stamps"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (5,)
    read = Cache(str(tmp_path), detailed=False)
    known = [number for number in range(20) if read.unchanged(SOURCE, entry(number))]
    read.close()
    assert known == [15, 16, 17, 18, 19]
