"""The contents of blocks, checked as settings declare them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.section import Section, Span
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
    parts: tuple[Span, ...]

    def outside(self, start: int, end: int) -> tuple[int, int]:
        """Map a place in the content to the text."""
        return self._place(start), self._place(max(end - 1, start)) + (end > start)

    def _place(self, at: int) -> int:
        place = 0
        for _, start, place in self.parts:
            if at < place - start:
                return start + at
            at -= place - start
        return place + at

    def inside(self, at: int) -> int:
        """Map a place in the text to the content; a place between parts to the end of the part before it."""
        before = [min(end, at) - start for _, start, end in self.parts if start < at]
        return sum(before)


def written(block: TagBlock) -> WrittenContent:
    """Return the content of a block."""
    parts = [span for span in block.inside if span.kind is kinds.CONTENT]
    return WrittenContent("".join([block.text[start:end] for _, start, end in parts]), (*parts,))


def problems_of_contents(section: Section, tags: Container[str], judge: Judge) -> Iterator[Problem]:
    """Yield the problems of the contents of blocks with these tags, closed or not."""
    for block in begun_in(section):
        if block.tag not in tags:
            continue
        content = written(block)
        # a tag that begins no block is skipped
        if len(content.text) > LONGEST or not (content.text or block.has_closing_tag):
            continue
        for problem in judge(block.tag, content.text):
            # of a blank content, only the tag can be marked
            place, related = (block.start + 1, block.name_end), list[Related]()
            if content.text.strip():
                place = content.outside(problem.start, problem.end)
                related = [Related(*content.outside(each.start, each.end), each.message) for each in problem.related]
            yield Problem(problem.rule, *place, {**problem.data, "tag": block.tag}, (*related,))
