"""Tags that settings could register."""

from __future__ import annotations

from llmblocks.languages.ask import Ask
from llmblocks.tags import kinds
from llmblocks.tags.editor.hover import unregistered_at

_FARTHEST = 1 << 16


def unregistered_tag(ask: Ask) -> str | None:
    """Return the name of the tag at a place, if it has a partner and the runtime reads both as text."""
    document = ask.document
    if ask.start != ask.end or "tags" not in ask.language.layers or not len(document):
        return None
    start = max(ask.start - _FARTHEST, 0)
    found = unregistered_at(document.slice(start, ask.start + _FARTHEST), ask.start - start, ask.settings.tags)
    if found is None:
        return None
    placed = document.section_at(start + found.start())
    at = start + found.start() - placed.start
    kind = next(kind for kind, _, end in placed.section.spans() if end > at)
    return found[1] if kind is kinds.TEXT else None
