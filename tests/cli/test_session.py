"""`llmblocks session`: a folder of logs as a tree, as JSON, as a graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.contract.markup import size_of

WRONG = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END\n"


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "0001.response").write_text(f"!!!GADGET_START:Search:s1\n!!!GADGET_END\n{WRONG}", "utf-8")
    (tmp_path / "0002.request").write_text(f"=== USER ===\nResult (s1): {'x' * 1234}\n", "utf-8")
    return tmp_path


def test_a_narrow_terminal_cuts_lines(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    main(["session", str(logs)])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 30
    assert "      Search s1: returned 1.2…" in lines


def test_colours_are_for_who_wants_them(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # the option sets it
    monkeypatch.setenv("FORCE_COLOR", "")
    main(["session", str(logs), "--color", "always"])
    assert "\x1b[1;31mrejected" in capsys.readouterr().out


def test_sizes_are_rounded_in_the_unit_that_people_use() -> None:
    table = {0: "0 B", 999: "999 B", 1000: "1.0 KB", 999_900: "999.9 KB", 1_000_000: "1.0 MB", 12_340_000: "12.3 MB"}
    assert {count: size_of(count) for count in table} == table


def test_a_page_names_the_markers_to_set(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text("<<CALL Read:r1\n<<WITH path\na\n<<DONE\n", "utf-8")
    (tmp_path / "0002.request").write_text("=== USER ===\nResult (r1): hello\n", "utf-8")
    page = tmp_path / "page.html"
    assert main(["session", str(tmp_path), "--output-format", "html", "--output-file", str(page)]) == 2
    assert '<p class="bad">1 result without' in page.read_text("utf-8")
