"""The links of a document."""

from __future__ import annotations

from llmblocks.core.link import Link
from llmblocks.languages.ask import Ask


def links(ask: Ask) -> list[Link]:
    """All links, at their places in the document, in order."""
    known = (layer.links(ask.settings) for layer in ask.language.loaded if layer.links is not None)
    sources = [each for each in known if each is not None]
    return sorted(
        Link(start + placed.start, end + placed.start, target)
        for placed in (ask.document.placed() if sources else ())
        for of_section in sources
        for start, end, target in of_section(placed.section)
    )
