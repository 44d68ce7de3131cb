"""Texts that are written with completion: what an editor saves of the keys, of all and of those of markup."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple


class Flow(NamedTuple):
    """A text that is written from nothing."""

    file: str
    text: str
    free: tuple[str, ...]
    """Its parts that no editor can know, as often as typed."""


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
CALLS = Flow(FILE, TEXT, ("send", "20", "a.txt"))
"""Two calls, from a schema."""
CHAT = Flow(
    "flow.stf",
    """\
@system
Be brief.
@user name="Ada"
Hi
@assistant
@call name="find" id="c1"
{"limit": 20}
@tool call_id="c1"
Nothing.
@raw
{role: "assistant", content: "Sorry."}
@end
@user name="Ada"
Thanks
""",
    ("Be brief.", "Ada", "Hi", "find", '"limit": 20', "Nothing.", "Sorry.", "Thanks"),
)
BLOCKS = Flow(
    "flow.blocks",
    """\
<think effort="high">Hm.</think>
So: <answer>a</answer>
<think effort="low">Done.</think>
""",
    ("Hm.", "So: ", "a", "Done."),
)
MOST = 0.45
"""The most keys of markup, as a part of those of typing all of it."""
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
SETTINGS = """\
[gadget.schemas]
"**" = ["tools.json"]
[tags.declared.think]
attributes.effort = { required = true, values = ["low", "high"] }
"""


def prepare(folder: Path, flow: Flow = CALLS) -> Path:
    """Return an empty file, and the settings that name its gadgets and tags."""
    (folder / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    (folder / "llmblocks.toml").write_text(SETTINGS, encoding="utf-8")
    file = folder / flow.file
    file.touch()
    return file


def share(pressed: int, flow: Flow = CALLS, editor: str = "") -> float:
    """The part of the keys of markup that is left, without those of free text; it is printed, and that of all keys."""
    free = sum(map(len, flow.free))
    left = (pressed - free) / (len(flow.text) - free)
    sys.stdout.write(
        f"{editor} {flow.file}: {pressed} keys instead of {len(flow.text)}, {pressed / len(flow.text):.0%}; "
        f"without {free} of free text {left:.0%}\n".lstrip()
    )
    return left
