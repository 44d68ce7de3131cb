"""Check what npm's llmist holds: the TypeScript in its source maps, and its documents. docs/embedded.md judges it.

Run `PYTHONPATH=tests .venv/bin/python tests/discovery/real_sources.py`: it prints the table. With a folder, it writes
the files there.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from llmblocks import Settings, check
from llmblocks.hosts.hosted import host_of_language
from llmblocks.languages.registry import host_of

PACKAGE = Path(__file__).parents[1] / "peers" / "node_modules" / "llmist"


def sources() -> Iterator[tuple[str, str]]:
    """The names and texts of all files, each once."""
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


def counts() -> dict[str, Counter[str]]:
    """The numbers of files, texts and findings by rule, for each kind of file."""
    settings = Settings()
    found: dict[str, Counter[str]] = {}
    for name, text in sources():
        language_id = host_of(name, named=True)
        host = host_of_language(language_id, settings) if language_id else None
        if language_id is None or host is None:
            continue
        read = host.read(text)
        row = found.setdefault(language_id, Counter())
        row.update(files=1, texts=len(read.texts) + len(read.versions))
        row.update(each.code for each in check(text, language_id, settings))
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
    for language_id, row in counts().items():
        rules = ", ".join([f"{code}: {row[code]}" for code in sorted(row) if code not in ("files", "texts")])
        print(f"{language_id}: {row['files']} files, {row['texts']} texts; {rules or 'nothing found'}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
