"""The block at a place."""

from __future__ import annotations

from llmblocks.core.layered import state_in
from llmblocks.core.section import Section
from llmblocks.tags.editor.blocks import TagBlock, begun_in
from llmblocks.tags.scanner import TagState


def tag_near(section: Section, offset: int) -> TagBlock | None:
    """Return the block at an offset in one of its tags or in its content; None outside of blocks."""
    found = [tag for tag in begun_in(section) if tag.start <= offset < tag.block_end]
    return found[-1] if found else None


def reads_blocks(state: object) -> bool:
    """Return whether this scanner reads the text in a state. A format around it may exclude the text."""
    return state_in(state, TagState) is not None


def open_tag_at(section: Section, offset: int) -> str:
    """Return the name of the block whose content, including its end, contains an offset; empty outside of blocks."""
    tag = tag_near(section, offset)
    if tag is None:
        return ""
    return tag.tag if tag.ended and not tag.self_closing and tag.end <= offset <= tag.content_end else ""
