"""The block at a place, read without the rest of its section."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.section import Joined, Section, Span
from llmblocks.tags.editor.contents import Written, written
from llmblocks.tags.editor.scanner import State, open_in
from llmblocks.tags.editor.view import TagView, tags

LONGEST = 1 << 16
"""The most characters of a block that are read for an answer."""


class NearTag(NamedTuple):
    """A block.

    Shape: the places of `tag` count from `start` in the section. `whole` says that all of the block is known. Where
           it is not, `behind` says that the place is in a later piece than the opening tag.
    """

    tag: TagView
    start: int
    whole: bool = True
    behind: bool = False


def tag_near(section: Section, offset: int) -> NearTag | None:
    """The block at an offset, which is in one of its tags or in its content; None outside of blocks.

    The cost is that of the block, or of a look at each of its pieces if it is long.
    """
    pieces = section.pieces
    number, inside = section.piece_at(offset)
    first = last = number
    while first and open_in(pieces[first].before):
        first -= 1
    length = sum([piece.length for piece in pieces[first : last + 1]])
    while last + 1 < len(pieces) and length <= LONGEST and open_in(pieces[last].after):
        last += 1
        length += pieces[last].length
    start = section.up_to(first).length
    if length <= LONGEST or first == last:
        window = Joined(pieces[first : last + 1]) if section.is_long else section
        for tag in tags(window):
            if tag.start <= offset - start < tag.block_end:
                return NearTag(tag, start)
        return None
    found = [tag for tag in tags(Joined((pieces[first],))) if number > first or tag.start <= inside]
    return NearTag(found[-1], start, False, number > first) if found else None


def content_of(section: Section, near: NearTag) -> Written | None:
    """The content of a block that is known as a whole, with its places in the section; None where there is none."""
    start, end = near.start + near.tag.end, near.start + near.tag.content_end
    first, last = section.piece_at(start)[0], section.piece_at(max(end - 1, start))[0]
    at = section.up_to(first).length
    window = Joined(section.pieces[first : last + 1]) if section.is_long else section
    spans = [
        Span(kind, max(left, start - at), min(right, end - at))
        for kind, left, right in window.spans()
        if left < end - at and right > start - at
    ]
    return written(window.text, spans, at)


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
