"""`llmblocks session`: a folder of logs as a tree, as JSON, as a graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.contract.markup import size_of

WRONG = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END\n"
FIRST = (
    "I will look.\n!!!GADGET_START:Search:s1\n!!!ARG:query\ntests\n!!!GADGET_END\n"
    + WRONG
    + "!!!GADGET_START:Agent:a1:s1\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!GADGET_END\n"
)
REQUEST = "=== USER ===\nbegin\n"
RESULTS = [
    ("s1", "x" * 1234),
    ("r1", "Error: Failed to parse parameters for 'Read':\n  Duplicate pointer: path\n\nGadget Usage:\n"),
    ("a1", "done\n[Media: m1 (image) → saved to: /tmp/m1.png]"),
]
SECOND = WRONG.replace("r1", "r2") + "!!!GADGET_START:Write:w2:lost\n!!!GADGET_END\n"


@pytest.fixture(autouse=True)
def _no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The logs of an agent: two responses, and those of a sub-agent."""
    folder = tmp_path / "brave-otter"
    (folder / "0002-a1").mkdir(parents=True)
    told = "".join(
        f"\n=== ASSISTANT ===\n!!!GADGET_START:G:{one}\n\n!!!GADGET_END\n\n=== USER ===\nResult ({one}): {said}\n"
        for one, said in RESULTS
    )
    for name, text in {
        "0001.request": REQUEST,
        "0001.response": FIRST,
        "0002-a1/0001.request": REQUEST,
        "0002-a1/0001.response": "Nothing \x1b[31mto do.",
        "0003.request": REQUEST + told,
        "0003.response": SECOND,
    }.items():
        (folder / name).write_text(text, "utf-8")
    return folder


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
