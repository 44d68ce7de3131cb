"""Tags that look like blocks, and are not registered."""

from __future__ import annotations

import re

from llmblocks.languages.ask import Ask
from llmblocks.tags import kinds
from llmblocks.tags.syntax.names import NAME

_FARTHEST = 1 << 16
_TAG = re.compile(rf"</?({NAME})(?=[\s/>])[^<>\n]*>")


def unregistered_tag(ask: Ask) -> str | None:
    """The name of the tag at a place, if it has a partner and the runtime takes both for text."""
    document = ask.document
    if ask.start != ask.end or "tags" not in ask.language.layers or not len(document):
        return None
    line, _ = document.position(ask.start)
    base = document.line_start(line)
    text = document.slice(base, min(document.line_start(line + 1), base + _FARTHEST))
    found = next((each for each in _TAG.finditer(text) if each.start() <= ask.start - base <= each.end()), None)
    if found is None or found[1] in ask.settings.tags:
        return None
    placed = document.section_at(base + found.start())
    at = placed.start
    for kind, width in placed.section.tokens:
        at += width
        if at > base + found.start():
            if kind is not kinds.TEXT:
                return None
            break
    around = document.slice(max(base - _FARTHEST, 0), base + _FARTHEST)
    return found[1] if f"<{found[1]}" in around and f"</{found[1]}>" in around else None
