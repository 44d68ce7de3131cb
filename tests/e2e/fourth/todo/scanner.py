"""Tokens of a list of things to do: `# title` begins a list, `- [ ] ` or `- [x] ` a task, `// ` a comment."""

from __future__ import annotations

import re
from typing import Any

from llmblocks.core.scan import Kind, Scanned, Token

TITLE = Kind("title", merges=True)
OPEN = Kind("open-task")
DONE = Kind("done-task")
TASK = Kind("task", merges=True)
COMMENT = Kind("comment", merges=True)
TEXT = Kind("text", merges=True)

_LINE = re.compile(r"(?P<title># .*)|(?P<open>- \[ \] )|(?P<done>- \[x\] )|(?P<comment>//.*)")
_KINDS = {"title": TITLE, "open": OPEN, "done": DONE, "comment": COMMENT}


class TodoScanner:
    """A list is a section. A line is read as a whole: the state is the kind of the line that a chunk has cut."""

    initial = None
    free = frozenset((TASK,))
    resets = frozenset((TITLE,))

    def scan(self, text: str, start: int, stop: int, state: Kind | None, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        tokens: list[Token] = []
        at, head = start, state is None and text.startswith("# ", start, stop)
        while at < stop:
            newline = text.find("\n", at, stop)
            end = stop if newline < 0 else newline + 1
            kind = state
            if kind is None:
                if newline < 0 and not final and text[at:end] in _BEGINNINGS:
                    break
                if at > start and text.startswith("# ", at, stop):
                    return Scanned(tokens, at, None, head)
                found = _LINE.match(text, at, end)
                kind = _KINDS[found.lastgroup or ""] if found else TEXT
                if found and kind in (OPEN, DONE):
                    tokens.append(kind.of[found.end() - at])
                    at, kind = found.end(), TASK
            if end > at:
                tokens.append(kind.of[end - at])
            at, state = end, kind if newline < 0 else None
        return Scanned(tokens, at, state, head)

    def inside(self, text: str, start: int, at: int, stop: int, state: Any) -> Any:
        """See `Outer.inside`. Free text is that of tasks."""
        if at == start:
            return state
        return None if text[at - 1] == "\n" else TASK


_BEGINNINGS = frozenset(marker[:length] for marker in ("# ", "- [ ] ", "- [x] ", "//") for length in range(len(marker)))
