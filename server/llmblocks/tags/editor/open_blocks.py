"""Blocks that continue after the section in which they begin, and unclosed blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import PlacedProblem, forward_check
from llmblocks.tags.editor.blocks import blocks_in, open_tag
from llmblocks.tags.rules import UNCLOSED_BLOCK

OPEN: Final = "open block"
"""A block that does not end in its section, named by its tag; with a `<` after it if its tag has no `>` there."""
LISTED: Final = "listed block"
"""The `>` of a tag that begins in an earlier section."""
END: Final = "end of a block"
"""The end of an open block; "cut" if the text around the block ends it inside its content."""
CUT: Final = "cut"


def open_blocks_in(section: Section) -> tuple[Symbol, ...]:
    """Return the beginnings and ends of blocks that are not both in a section."""
    found: list[Symbol] = []
    for part in blocks_in(section):
        is_cut = part.ends and not part.closed and part.ended
        if part.begins and (is_cut or not part.ends):
            # up to its `>` or to the end of its line
            line_end = part.text.find("\n", part.start)
            end = part.start + len(part.text[part.start : line_end if line_end >= 0 else None].rstrip("\r"))
            name, end = (part.tag, min(end, part.end)) if part.ended else (f"{part.tag}<", end)
            found.append(Symbol("definition", OPEN, name, part.start, end))
        elif not part.begins and part.ended and part.end and not part.self_closing:
            found.append(Symbol("definition", LISTED, "", part.bracket, part.bracket))
        if part.ends and (is_cut or not part.begins):
            stop = max(part.block_end - 1, 0)
            found.append(Symbol("definition", END, CUT if is_cut else "", stop, stop))
    return (*found,)


def _unclosed(index: Index, block: PlacedSymbol) -> PlacedProblem | None:
    # blocks do not nest: the first end after an opening belongs to it
    number = index.count_before("definition", END, block)
    data = {"tag": block.symbol.name.removesuffix("<")}
    if number < index.count("definition", END):
        is_closed = index.nth("definition", END, number).symbol.name != CUT
        data["case"] = "in-message"
    else:
        is_closed = not open_tag(index.end_state)
    return None if is_closed else PlacedProblem(block, data)


CHECK: Final = forward_check(UNCLOSED_BLOCK, ("definition", OPEN), (OPEN, LISTED, END), _unclosed)
