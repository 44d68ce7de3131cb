"""The contents of blocks, judged as what settings declare them to be."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.section import Piece, Section, Span
from llmblocks.facts.construct import BEGINS, ENDS, PASSES, Constructs, Part, Run, Turn
from llmblocks.facts.problem import Problem, Stated
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.blocks import BLOCKS

LONGEST: Final = 1 << 16
"""The most characters of a content that is judged: at each key in it, all of it is."""
Judge = Callable[[str, str], Iterable[Problem]]
"""From a tag and a content to what is wrong with it, places counted from its start."""


class Written(NamedTuple):
    """A content without what other formats have in it. Shape: its parts are `at` places of it, `starts` of the text."""

    text: str
    at: tuple[int, ...]
    starts: tuple[int, ...]

    def outside(self, start: int, end: int) -> tuple[int, int]:
        """The place in the text of a place in the content."""
        number = bisect_right(self.at, start) - 1
        first = self.starts[number] + start - self.at[number]
        number = bisect_right(self.at, max(end - 1, start)) - 1
        return first, self.starts[number] + end - self.at[number]

    def inside(self, at: int) -> int:
        """The place in the content of a place in the text, or in front of it."""
        number = max(bisect_right(self.starts, at) - 1, 0)
        length = (*self.at, len(self.text))[number + 1] - self.at[number]
        return self.at[number] + max(min(at - self.starts[number], length), 0)


def written(text: str, spans: Iterable[Span], start: int = 0) -> Written | None:
    """The content in some tokens of a text; None where there is none. Shape: places count from `start` in the text."""
    found: list[str] = []
    at, starts, length = list[int](), list[int](), 0
    for kind, first, last in spans:
        if kind is kinds.CONTENT:
            at.append(length)
            starts.append(start + first)
            found.append(text[first:last])
            length += last - first
    return Written("".join(found), (*at,), (*starts,)) if at else None


class Contents:
    """The problems of the contents of the blocks of some tags, closed or not."""

    def __init__(self, name: str, tags: Container[str], judge: Judge) -> None:
        self._tags = tags
        self._judge = judge
        self._constructs = Constructs(name, _turn, self._of_run)

    def in_piece(self, piece: Piece) -> Iterator[Problem]:
        """Those of the blocks that begin and end in a piece."""
        for part in BLOCKS(piece):
            if part.begins and part.ends and part.data["tag"] in self._tags:
                yield from self._judged(part, written(part.text, part.inside), part.closed)

    def in_section(self, section: Section) -> Iterable[Stated]:
        """Those of the blocks that go on behind a piece."""
        return self._constructs.in_section(section)

    def _of_run(self, run: Run) -> Iterable[Problem]:
        begun = BLOCKS(run.first)[-1]
        if begun.data["tag"] not in self._tags or sum([part.length for part in run.between]) > LONGEST:
            return ()
        part, start, found = begun, 0, list[Written]()
        for piece in run.pieces():
            part = BLOCKS(piece)[0] if start else begun
            found += filter(None, [written(part.text, part.inside, start)])
            start += piece.length
        return self._judged(begun, _joined(found) if found else None, part.closed)

    def _judged(self, begun: Part, content: Written | None, closed: bool) -> Iterator[Problem]:
        """What is wrong with a content. Nothing is said of a tag that begins no block."""
        if len(content.text) > LONGEST if content else not closed:
            return
        tag = str(begun.data["tag"])
        if content is None or not content.text.strip():
            # there is nothing to mark but the tag
            for problem in self._judge(tag, content.text if content else ""):
                yield Problem(problem.kind, begun.start + 1, begun.end, {**problem.data, "tag": tag})
            return
        for problem in self._judge(tag, content.text):
            related = [Related(*content.outside(each.start, each.end), each.message) for each in problem.related]
            place = content.outside(problem.start, problem.end)
            yield Problem(problem.kind, *place, {**problem.data, "tag": tag}, (*related,))


def _joined(found: Sequence[Written]) -> Written:
    """The parts of a content in order as one."""
    before = accumulate([len(each.text) for each in found], initial=0)
    at = [place + start for each, start in zip(found, before, strict=False) for place in each.at]
    return Written("".join([each.text for each in found]), (*at,), tuple([at for each in found for at in each.starts]))


def _turn(piece: Piece) -> Turn:
    last = (*BLOCKS(piece)[-1:],)
    if not last or last[0].ends:
        return ENDS
    return BEGINS if last[0].begins else PASSES
