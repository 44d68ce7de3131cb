"""Suggestions in requests: the headers of messages."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.contract.caret import Caret, Suggestion
from llmblocks.request.syntax.messages import HEADERS


def suggest(caret: Caret, _: object) -> Iterator[Suggestion]:
    """The headers that the line can become."""
    for header in HEADERS:
        if caret.before and header.startswith(caret.before) and not caret.after.strip():
            yield Suggestion(header, len(caret.before), "Begins a message", over=len(caret.after))
