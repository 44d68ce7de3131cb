"""Texts that are written with completion: what an editor saves of the keys, of all and of those of markup."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from folders import written


class Flow(NamedTuple):
    """A text that is written from nothing."""

    file: str
    text: str
    free: tuple[str, ...]
    """Its parts that no editor can know, as often as typed."""


CALLS = Flow(
    "flow.gadget",
    """\
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
!!!GADGET_END""",
    ("send", "20", "a.txt"),
)
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


def tool(name: str, description: str, required: tuple[str, ...], **properties: object) -> dict[str, object]:
    """Return the definition of a gadget."""
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "schema": schema}


TEXT_OF, MODE = {"type": "string"}, {"enum": ["literal", "regex"]}
SEARCH = {"pattern": TEXT_OF, "mode": MODE, "caseSensitive": {"type": "boolean"}, "maxResults": {"type": "integer"}}
TOOLS = [
    tool("SearchCode", "Search the files of the project.", ("pattern", "mode"), **SEARCH),
    tool("ReadFile", "Read a file.", ("filePath",), filePath=TEXT_OF),
]
SETTINGS = """\
[gadget.schemas]
"**" = ["tools.json"]
[tags.declared.think]
attributes.effort = { required = true, values = ["low", "high"] }
"""


def prepare(folder: Path, flow: Flow = CALLS) -> Path:
    """Return an empty file, and the settings that name its gadgets and tags."""
    written(folder / "tools.json", json.dumps(TOOLS))
    written(folder / "llmblocks.toml", SETTINGS)
    return written(folder / flow.file, "")


def share(pressed: int, flow: Flow) -> float:
    """Return the part of the keys of markup that is left, without those of free text."""
    free = sum(map(len, flow.free))
    return (pressed - free) / (len(flow.text) - free)
