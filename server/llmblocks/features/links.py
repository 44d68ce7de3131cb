"""The links of a document."""

from __future__ import annotations

from functools import lru_cache

from llmblocks.contract.link import Link
from llmblocks.core.query import Query, Summary
from llmblocks.core.section import Section
from llmblocks.core.tree import where
from llmblocks.languages.ask import Ask


def links(ask: Ask) -> list[Link]:
    """All links, at their places in the document, in order."""
    sections = ask.document.sections
    found: list[Link] = []
    for layer in ask.language.loaded:
        of_section = layer.links(ask.settings) if layer.links is not None else None
        if of_section is None:
            continue
        has_links = _has_links(of_section)
        for block, _ in sections.blocks():
            ask.pause()
            has_links(block)
        for section, before in where(sections.root, has_links):
            by = before.length
            found += [Link(start + by, end + by, to) for start, end, to in of_section.once(section)]
    return sorted(found)


@lru_cache(maxsize=16)
def _has_links(of_section: Query[Section, tuple[Link, ...]]) -> Summary[bool]:
    # what each section shows is not remembered: most have none
    return Summary("has links", lambda section: bool(of_section.once(section)), any)
