"""ARCHITECTURE.md and CONTRIBUTING.md name paths that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import llmblocks

ROOT = Path(__file__).parents[1]
PACKAGE = Path(llmblocks.__file__).parent
FORMATS = ("gadget", "stf", "tags")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def _paths(text: str) -> set[str]:
    """Everything in backquotes or in a drawing that looks like a path of this repository."""
    drawn = re.findall(r"^ *([\w<>]+/[\w/<>]*(?:\.\w+)?)(?: |$)", text, re.MULTILINE)
    quoted = re.findall(r"`([\w<>.-]+/[\w/<>.-]*)`", text)
    left_out = re.compile(r"<name>|<code>|^\.cache/|^textDocument/")
    return {path for path in (*drawn, *quoted) if not left_out.search(path)}


def _exists(path: str) -> bool:
    if "<format>" in path:
        return any(_exists(path.replace("<format>", each)) for each in FORMATS)
    return any((root / path).exists() for root in (ROOT, PACKAGE, *(PACKAGE / each for each in FORMATS)))


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_that_is_named_exists(name: str) -> None:
    named = _paths((ROOT / name).read_text(encoding="utf-8"))
    assert len(named) > 5
    assert sorted(path for path in named if not _exists(path)) == []


def test_every_file_of_the_engine_is_listed() -> None:
    section = ARCHITECTURE[ARCHITECTURE.index("## The engine") :]
    words = re.findall(r"`(\w+)`", section.split("\n## ")[0])
    assert sorted(path.stem for path in (PACKAGE / "core").glob("[a-z]*.py") if path.stem not in words) == []
