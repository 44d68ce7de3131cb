"""Two calls that are written with completion alone, from a schema: what an editor saves of the keys."""

from __future__ import annotations

import json
from pathlib import Path

FILE = "flow.gadget"
TEXT = """\
!!!GADGET_START:SearchCode:s1
!!!ARG:pattern
send
!!!ARG:mode
regex
!!!ARG:caseSensitive
true
!!!ARG:maxResults
20
!!!GADGET_END
!!!GADGET_START:ReadFile:r1:s1
!!!ARG:filePath
a.txt
!!!GADGET_END"""
MOST = 0.45
"""The most keys, as a part of those of typing all of it."""
TOOLS = [
    {
        "name": "SearchCode",
        "description": "Search the files of the project.",
        "schema": {
            "type": "object",
            "properties": {
                "pattern": {"type": "string"},
                "mode": {"enum": ["literal", "regex"]},
                "caseSensitive": {"type": "boolean"},
                "maxResults": {"type": "integer"},
            },
            "required": ["pattern", "mode"],
        },
    },
    {
        "name": "ReadFile",
        "description": "Read a file.",
        "schema": {"type": "object", "properties": {"filePath": {"type": "string"}}, "required": ["filePath"]},
    },
]


def prepare(folder: Path) -> Path:
    """An empty file, and the settings that name its gadgets."""
    (folder / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    (folder / "llmblocks.toml").write_text(f'[gadget.schemas]\n"{FILE}" = ["tools.json"]\n', encoding="utf-8")
    file = folder / FILE
    file.touch()
    return file


def share(pressed: int) -> float:
    """The part of the keys that is left; it is printed."""
    found = pressed / len(TEXT)
    print(f"{pressed} keys instead of {len(TEXT)}: {found:.0%}")
    return found
