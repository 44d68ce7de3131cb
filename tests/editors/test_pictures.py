"""A picture that shows something else is reported from one that differs by the fonts of a machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors import pictures
from editors.debian import ROOT
from editors.pictures import compare

GRID = ["ff00", "f0f0"]
IMAGES, PAGE = ROOT / "docs" / "images", ROOT / "editors" / "vscode" / "page"


def test_every_picture_of_the_docs_is_shown_in_them() -> None:
    pages = [ROOT / "README.md", ROOT / "editors" / "vscode" / "README.md", *(ROOT / "docs").rglob("*.md")]
    texts = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [each.name for folder in (IMAGES, PAGE) for each in folder.iterdir() if each.name not in texts] == []


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture that was accepted."""
    monkeypatch.setattr(pictures, "SHOWN", tmp_path / "shown")
    taken, kept = tmp_path / "taken.png", tmp_path / "kept.png"
    taken.write_bytes(b"one")
    monkeypatch.setenv("UPDATE_PICTURES", "1")
    assert compare(taken, kept, GRID, "two\nwords") == ""
    monkeypatch.delenv("UPDATE_PICTURES")
    return kept


def test_the_same_words_and_nearly_the_same_look_are_the_same(kept: Path) -> None:
    assert compare(kept, kept, GRID, "two\nwords") == ""
    assert compare(kept, kept, ["ef10", "f0e1"], "two\nwords") == ""


def test_other_words_and_another_look_differ(kept: Path) -> None:
    assert "- words\n+ words more" in compare(kept, kept, GRID, "two\nwords more")
    assert "looks different" in compare(kept, kept, ["00ff", "f0f0"], "two\nwords")
    assert "looks different" in compare(kept, kept, ["ff00"], "two\nwords")


def test_a_picture_that_nobody_has_accepted_differs(kept: Path) -> None:
    kept.write_bytes(b"another")
    assert "accepted" in compare(kept, kept, GRID, "two\nwords")
    assert "not there" in compare(kept, kept.with_name("new.png"), GRID, "")
