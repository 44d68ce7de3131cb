"""The documents that the tests open."""

from __future__ import annotations

from typing import Any

CALLS = """\
I will save both files.

!!!GADGET_START:WriteFile:save
!!!ARG:filePath
src/greet.ts
!!!ARG:content
export const greet = (name: string) => `Hello, ${name}!`;
  // indented, so that folds are not those of indentation
!!!ARG:filePath
src/again.ts
!!!ARG:tags/0
new
!!!ARG:tags/2
late
!!!GADGET_END

Done 😀 <think>enough</think>
"""
CHAT = """\
@# a chat
@system
You answer briefly.
@user name="Ada"
What does this do?
@ai
It greets.
@*/
@raw
{ role: 'tool', content: "ok" }
@end
"""
RAW = """\
<think>
Two cities.
</think>
<tool_call>
{"name": "get_weather", "arguments": {"city": "Lyon" "days": 3}}
</tool_call>
"""


def text_at(text: str, part: str, number: int = 0) -> tuple[int, int]:
    """Line and UTF-16 column of a part of a text."""
    at = -1
    for _ in range(number + 1):
        at = text.index(part, at + 1)
    before = text[:at]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


def semantic_tokens(answer: dict[str, Any]) -> list[tuple[int, int, int, str]]:
    """Return the line, UTF-16 column, length and type of each token that the probe gives."""
    found = []
    line = col = 0
    for below, on, length, kind, _ in zip(*[iter(answer["data"])] * 5, strict=True):
        line, col = line + below, on if below else col + on
        found.append((line, col, length, answer["types"][kind]))
    return found
