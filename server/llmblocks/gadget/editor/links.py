"""Links from the names of gadgets to the files that define them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from llmblocks.contract.link import Link
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.gadget.editor.calls import GADGET, names_in
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema


@lru_cache(maxsize=16)
def links_to(gadgets: Gadgets) -> Query[Section, tuple[Link, ...]]:
    """Return the links of a section. They lead to the line of the definition."""
    targets = {each.name.lower(): target for each in gadgets if (target := _target(each))}

    def of_section(section: Section) -> tuple[Link, ...]:
        named = [symbol for symbol in names_in(section) if symbol.kind == GADGET and symbol.name.lower() in targets]
        return tuple([Link(symbol.start, symbol.end, targets[symbol.name.lower()]) for symbol in named])

    return Query("gadget links", of_section)


def _target(gadget: GadgetSchema) -> str:
    source = gadget.source
    if source is None or not Path(source.file).is_absolute():
        return ""
    return f"{Path(source.file).as_uri()}#L{source.line + 1}"
