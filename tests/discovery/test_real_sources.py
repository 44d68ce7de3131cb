"""The table of docs/embedded.md about what npm's llmist has: the TypeScript in its source maps, and its documents."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

import folders
from llmblocks import Settings, check
from llmblocks.discovery.find import find
from llmblocks.hosts.hosted import host_of_language
from llmblocks.languages.registry import host_of
from llmblocks.settings.values import ByGlob

pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
PAGE = (Path(__file__).parents[2] / "docs" / "embedded.md").read_text("utf-8")
PACKAGE = Path(__file__).parents[1] / "peers" / "node_modules" / "llmist"
pytestmark = pytest.mark.skipif(not PACKAGE.exists(), reason="llmist is not installed: make test installs it")
MARKERS = {"start": "!!!GADGET_START:", "arg": "!!!ARG:", "end": "!!!GADGET_END"}
_PLACEHOLDER = re.compile(r"\$\{this\.(start|arg|end)Prefix\}")
_NAMED = Settings(code=(ByGlob("**/*.ts", ("gadget:(single|multiple|dependency)Example",)),))


class Reading(NamedTuple):
    """A way to read the files of a language. `with_markers` puts the markers in the place of their names."""

    title: str
    language_id: str
    settings: Settings = Settings()
    with_markers: bool = False


READINGS = (
    Reading("TypeScript", "typescript"),
    Reading("its examples, named in `files.code`", "typescript", _NAMED),
    Reading("with llmist's default markers", "typescript", with_markers=True),
    Reading("both", "typescript", _NAMED, with_markers=True),
    Reading("Markdown", "markdown"),
)


def sources() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of all files, each once."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.glob("dist/*.map")):
        given = json.loads(path.read_text("utf-8"))
        for name, text in zip(given["sources"], given.get("sourcesContent", ()), strict=False):
            parts = [each for each in PurePosixPath(name).parts if each != ".."]
            if text and "node_modules" not in parts:
                found["/".join(parts)] = text
    for path in sorted(PACKAGE.glob("**/*.md")):
        found[path.relative_to(PACKAGE).as_posix()] = path.read_text("utf-8")
    yield from sorted(found.items())


def counted(reading: Reading, replaced: tuple[str, str] = ("", "")) -> Counter[str]:
    """Return the numbers of files, texts and findings by rule.

    `replaced` is a text of the sources and another one.
    """
    found: Counter[str] = Counter()
    host = host_of_language(reading.language_id, reading.settings)
    assert host is not None, "files that may embed texts"
    for name, text in sources():
        if host_of(name, named=True) != reading.language_id:
            continue
        text = text.replace(*replaced)
        if reading.with_markers:
            text = _PLACEHOLDER.sub(lambda each: MARKERS[each[1]], text)
        read = host.read(text)
        found.update(files=1, texts=len(read.texts) + len(read.versions))
        found.update(each.code for each in check(text, reading.language_id, reading.settings))
    return found


def test_the_page_has_what_is_found_in_the_sources_of_llmist(tmp_path: Path) -> None:
    told = re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)
    found = []
    for each in READINGS:
        row = counted(each)
        numbers = row["files"], row["texts"], row.total() - row["files"] - row["texts"]
        found.append((each.title, *map(str, numbers)))
    assert told == found
    declared = sum(len(each.gadgets) for each in find(str(folders.write(tmp_path, dict(sources())))))
    assert f"`config discover` finds {declared} gadgets" in PAGE


def test_a_mistake_in_an_example_of_llmist_is_found() -> None:
    both = next(each for each in READINGS if each.title == "both")
    assert counted(both, (":fetch_1,fetch_2", ":fetch_1,fetch_3"))["G111"] == 1
    assert counted(both, ("{this.argPrefix}question", "{this.argPrefix}matter"))["G101"] == 1
