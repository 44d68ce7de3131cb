"""The table of docs/embedded.md about what npm's llmist holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discovery import real_sources
from llmblocks.discovery.find import find

PAGE = Path(__file__).parents[2] / "docs" / "embedded.md"


@pytest.mark.skipif(not real_sources.PACKAGE.exists(), reason="llmist is not installed: make test installs it")
def test_the_page_has_what_is_found_in_the_sources_of_llmist(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    real_sources.write(tmp_path)
    declared = sum(len(each.gadgets) for each in find(str(tmp_path)))
    found = {
        kind: (row["files"], row["texts"], row.total() - row["files"] - row["texts"])
        for kind, row in real_sources.counts().items()
    }
    told = {kind.lower(): tuple(map(int, rest)) for kind, *rest in rows}
    assert told == {
        "markdown": (*found["markdown"], 0),
        "typescript": (*found["typescript"], declared),
    }
