"""The links of a document."""

from __future__ import annotations

from functools import lru_cache

from llmblocks.contract.answers import Link
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.sequence import Block
from llmblocks.languages.ask import Ask


def links(ask: Ask) -> list[Link]:
    """Return all links, with their places in the document, in order."""
    found: list[Link] = []
    for layer in ask.language.loaded:
        of_section = layer.links(ask.settings) if layer.links is not None else None
        if of_section is None:
            continue
        of_block, by = _of_block(of_section), 0
        for block in ask.document.sections.blocks:
            if of_block.known(block) is None:
                ask.pause()
            found += [Link(start + by, end + by, to) for start, end, to in of_block(block)]
            by += block.before["length"][-1]
    return sorted(found)


@lru_cache(maxsize=16)
def _of_block(of_section: Query[Section, tuple[Link, ...]]) -> Query[Block, tuple[Link, ...]]:
    def of(block: Block) -> tuple[Link, ...]:
        return tuple(
            [
                Link(start + by, end + by, to)
                for section, by in zip(block, block.before["length"], strict=False)
                for start, end, to in of_section(section)
            ]
        )

    return Query("links of a block", of)
