"""The contents of blocks, checked as settings declare them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import TagBlock, begun_in

LONGEST: Final = 1 << 16
"""Longer contents are skipped, because each key in a content checks all of it."""
Judge = Callable[[str, str], Iterable[Problem]]
"""Returns the problems of a content, given its tag. Places count from the start of the content."""


class WrittenContent(NamedTuple):
    """A content without the text of other formats in it."""

    text: str
    at: tuple[int, ...]
    """The starts of its parts in the content."""
    starts: tuple[int, ...]
    """The starts of its parts in the text."""

    def outside(self, start: int, end: int) -> tuple[int, int]:
        """Map a place in the content to the text."""
        number = bisect_right(self.at, start) - 1
        first = self.starts[number] + start - self.at[number]
        number = bisect_right(self.at, max(end - 1, start)) - 1
        return first, self.starts[number] + end - self.at[number]

    def inside(self, at: int) -> int:
        """Map a place in the text to the content; a place between parts to the end of the part before it."""
        number = max(bisect_right(self.starts, at) - 1, 0)
        length = (*self.at, len(self.text))[number + 1] - self.at[number]
        return self.at[number] + max(min(at - self.starts[number], length), 0)


def written(block: TagBlock) -> WrittenContent | None:
    """Return the content of a block, or None."""
    found: list[str] = []
    at, starts, length = list[int](), list[int](), 0
    for kind, first, last in block.inside:
        if kind is kinds.CONTENT:
            at.append(length)
            starts.append(first)
            found.append(block.text[first:last])
            length += last - first
    return WrittenContent("".join(found), (*at,), (*starts,)) if at else None


def problems_of_contents(section: Section, tags: Container[str], judge: Judge) -> Iterator[Problem]:
    """Yield the problems of the contents of blocks with these tags, closed or not."""
    for block in begun_in(section):
        tag = block.tag
        content = written(block) if tag in tags else None
        # a tag that begins no block is skipped
        if tag not in tags or (len(content.text) > LONGEST if content else not block.has_closing_tag):
            continue
        if content is None or not content.text.strip():
            # only the tag can be marked
            for problem in judge(tag, content.text if content else ""):
                yield Problem(problem.rule, block.start + 1, block.name_end, {**problem.data, "tag": tag})
            continue
        for problem in judge(tag, content.text):
            related = [Related(*content.outside(each.start, each.end), each.message) for each in problem.related]
            place = content.outside(problem.start, problem.end)
            yield Problem(problem.rule, *place, {**problem.data, "tag": tag}, (*related,))
