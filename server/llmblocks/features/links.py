"""The links of a document."""

from __future__ import annotations

from llmblocks.contract.link import Link
from llmblocks.languages.ask import Ask

_STEP = 128
"""The sections that are looked at between two pauses."""


def links(ask: Ask) -> list[Link]:
    """All links, at their places in the document, in order."""
    known = (layer.links(ask.settings) for layer in ask.language.loaded if layer.links is not None)
    sources = [each for each in known if each is not None]
    found: list[Link] = []
    for looked, placed in enumerate(ask.document.placed() if sources else ()):
        if looked % _STEP == 0:
            ask.pause()
        by = placed.start
        found += [Link(start + by, end + by, to) for each in sources for start, end, to in each(placed.section)]
    return sorted(found)
