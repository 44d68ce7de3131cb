"""Check what npm's llmist holds: the TypeScript in its source maps, and its documents. docs/embedded.md judges it.

Run `PYTHONPATH=tests .venv/bin/python tests/discovery/real_sources.py`: it prints the table. With a folder, it writes
the files there.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from llmblocks import Settings, check
from llmblocks.hosts.hosted import host_of_language
from llmblocks.languages.registry import host_of
from llmblocks.settings.values import ByGlob

PACKAGE = Path(__file__).parents[1] / "peers" / "node_modules" / "llmist"
MARKERS = {"startPrefix": "!!!GADGET_START:", "argPrefix": "!!!ARG:", "endPrefix": "!!!GADGET_END"}
_PLACEHOLDER = re.compile(r"\$\{this\.(startPrefix|argPrefix|endPrefix)\}")
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


def write(folder: Path) -> None:
    """Write all files to a folder."""
    for name, text in sources():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def main(*folders: str) -> None:
    """Print the table."""
    for folder in folders:
        write(Path(folder))
    for reading in READINGS:
        row = counted(reading)
        rules = ", ".join([f"{code}: {row[code]}" for code in sorted(row) if code not in ("files", "texts")])
        print(f"{reading.title}: {row['files']} files, {row['texts']} texts; {rules or 'nothing found'}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
