"""Completion of commands after a header character at the start of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.core.layer import Caret, Suggestion
from llmblocks.stf.syntax.dialect import DIALECTS

_COMMAND = re.compile(r"([@;])[ \t]*([A-Za-z0-9]*)")


def suggest(caret: Caret, dialect: str) -> Iterator[Suggestion]:
    """The commands that a line may become. Shape: `dialect` is "@", ";" or "auto", which uses the typed character."""
    found = _COMMAND.fullmatch(caret.before)
    if found is None or dialect not in ("auto", found[1]):
        return
    for command in DIALECTS[found[1]].commands.values():
        yield Suggestion(command.name, len(found[2]), command.detail)
