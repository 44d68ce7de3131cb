"""The table of docs/embedded.md about what npm's llmist holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discovery import real_sources
from llmblocks.discovery.find import find

PAGE = Path(__file__).parents[2] / "docs" / "embedded.md"
pytestmark = pytest.mark.skipif(
    not real_sources.PACKAGE.exists(), reason="llmist is not installed: make test installs it"
)


def test_the_page_has_what_is_found_in_the_sources_of_llmist(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    told = re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    found = []
    for each in real_sources.READINGS:
        row = real_sources.counted(each)
        numbers = row["files"], row["texts"], row.total() - row["files"] - row["texts"]
        found.append((each.title, *map(str, numbers)))
    assert told == found
    real_sources.write(tmp_path)
    declared = sum(len(each.gadgets) for each in find(str(tmp_path)))
    assert f"`config discover` finds {declared} gadgets" in PAGE.read_text("utf-8")


def test_a_mistake_in_an_example_of_llmist_is_found() -> None:
    pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    both = next(each for each in real_sources.READINGS if each.title == "both")
    assert real_sources.counted(both, (":fetch_1,fetch_2", ":fetch_1,fetch_3"))["G111"] == 1
    assert real_sources.counted(both, ("{this.argPrefix}question", "{this.argPrefix}matter"))["G101"] == 1
