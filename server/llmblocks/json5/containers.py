"""The objects and lists that are open at the end of a text of JSON5, for completions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*+(?:(?P<end>")|\Z)|'(?:[^'\\\n]|\\.)*+(?:(?P<end5>')|\Z))
    |//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)|(?P<mark>[{}\[\]:,])|(?P<word>[^\s{}\[\]:,"'/]++)""",
    re.VERBOSE,
)


@dataclass(slots=True)
class OpenContainer:
    """An object or a list that is open before the caret."""

    pointer: str
    is_object: bool
    key: str | None = None
    """The key of the value at the caret; None if the caret is at a key."""
    members: dict[str, str] = field(default_factory=dict)
    """The keys of the object so far, with values that are text or words."""
    count: int = 0
    """The number of commas in the list."""

    @property
    def inside(self) -> str:
        """The pointer to the value at the caret."""
        step = (self.key or "") if self.is_object else str(self.count)
        return f"{self.pointer}/{step}" if self.pointer else step


def open_containers(before: str) -> tuple[list[OpenContainer], str]:
    """Return the containers that are open at the end of a text, outermost first, and the key or value begun there.

    Empty if neither a key nor a value is possible there.
    """
    stack: list[OpenContainer] = []
    name = written = ""
    is_done = False
    for token in _TOKEN.finditer(before):
        mark, written = token["mark"], ""
        if mark in ("{", "["):
            stack.append(OpenContainer(stack[-1].inside if stack else "", is_object=mark == "{"))
            is_done = False
        elif mark in ("}", "]"):
            if not stack:
                break
            stack.pop()
            is_done = True
        elif mark is not None and stack:
            around, is_done = stack[-1], False
            around.key = name if mark == ":" else None
            around.count += mark == ","
            if mark == ":":
                around.members[name] = ""
        elif token["text"] is not None or token["word"] is not None:
            is_open = token.end() == len(before) and token["end"] is None and token["end5"] is None
            name, written, is_done = token[0].strip("\"'"), token[0] if is_open else "", not is_open
            if stack and stack[-1].key is not None:
                stack[-1].members[stack[-1].key] = name
        elif token.end() == len(before):
            return [], ""  # in a comment
    return ([], "") if is_done else (stack, written)
