"""A picture that shows something else is reported from one that differs by the fonts of a machine."""

from __future__ import annotations

from editors.debian import ROOT

IMAGES, PAGE = ROOT / "docs" / "images", ROOT / "editors" / "vscode" / "page"


def test_every_picture_of_the_docs_is_shown_in_them() -> None:
    pages = [ROOT / "README.md", ROOT / "editors" / "vscode" / "README.md", *(ROOT / "docs").rglob("*.md")]
    texts = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [each.name for folder in (IMAGES, PAGE) for each in folder.iterdir() if each.name not in texts] == []
