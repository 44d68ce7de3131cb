"""Links from the names of gadgets to the files that define them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from llmblocks.contract.link import Link
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.gadget.editor.names import GADGET, names_of_piece
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema


@lru_cache(maxsize=16)
def links_to(gadgets: Gadgets) -> Query[Section, tuple[Link, ...]]:
    """The links of a section. They lead to the line of the definition."""
    targets = {each.name.lower(): target for each in gadgets if (target := _target(each))}

    def of_section(section: Section) -> tuple[Link, ...]:
        found: list[Link] = []
        start = 0
        for piece in section.pieces:
            found += [
                Link(start + symbol.start, start + symbol.end, target)
                for symbol in names_of_piece(piece)
                if symbol.kind == GADGET and (target := targets.get(symbol.name.lower()))
            ]
            start += piece.length
        return (*found,)

    return Query("gadget links", of_section)


def _target(gadget: GadgetSchema) -> str:
    source = gadget.source
    if source is None or not Path(source.file).is_absolute():
        return ""
    return f"{Path(source.file).as_uri()}#L{source.line + 1}"
