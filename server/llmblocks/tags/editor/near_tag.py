"""The block at a place, read without the rest of its section."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.section import Section, Span
from llmblocks.facts.nearby import lines_around, lines_between
from llmblocks.tags.editor.contents import Written, written
from llmblocks.tags.editor.scanner import State, open_in
from llmblocks.tags.editor.view import TagView, tags

LONGEST = 1 << 16
"""The most characters of a block that are read for an answer."""


class NearTag(NamedTuple):
    """A block.

    Shape: the places of `tag` count from `start` in the section. `whole` says that all of the block is known. Where
           it is not, `behind` says that the place is in later lines than the opening tag.
    """

    tag: TagView
    start: int
    whole: bool = True
    behind: bool = False


def tag_near(section: Section, offset: int) -> NearTag | None:
    """The block at an offset, which is in one of its tags or in its content; None outside of blocks.

    The cost is that of the block, or of a look at its lines if it is long.
    """
    start, lines, is_all = lines_around(section, offset, open_in, LONGEST)
    at = offset - start
    behind = not is_all and at >= lines.length
    found = [tag for tag in tags(lines) if behind or tag.start <= at < tag.block_end]
    return NearTag(found[-1], start, is_all or found[-1].closed, behind) if found else None


def content_of(section: Section, near: NearTag) -> Written | None:
    """The content of a block that is known as a whole, with its places in the section; None where there is none."""
    start, end = near.start + near.tag.end, near.start + near.tag.content_end
    at, lines = lines_between(section, start, end)
    spans = [
        Span(kind, max(left, start - at), min(right, end - at))
        for kind, left, right in lines.spans()
        if left < end - at and right > start - at
    ]
    return written(lines.text, spans, at)


def reads_blocks(state: object) -> bool:
    """Whether this format's scanner reads the text at a state: the format around it may leave it out."""
    return state_in(state, State) is not None


def open_tag_at(section: Section, offset: int) -> str:
    """The name of the block in whose content an offset is, its end included; empty outside of blocks."""
    near = tag_near(section, offset)
    if near is None:
        return ""
    tag, at = near.tag, offset - near.start
    inside = near.behind or (tag.ended and not tag.self_closing and tag.end <= at <= tag.content_end)
    return tag.tag if inside else ""
