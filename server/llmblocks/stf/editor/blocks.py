"""Block and line commands that wait for lines of other pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.facts.construct import BEGINS, ENDS, PASSES, Constructs, Run, Turn
from llmblocks.facts.lines import SectionFact
from llmblocks.facts.problem import Deferred, Problem, Stated
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.context import BLOCKS, LINES
from llmblocks.stf.editor.lines import LONGEST_BLOCK, NAME_TOKENS, NestedCommand, OpenedCommand, PieceLines
from llmblocks.stf.editor.state import state_of
from llmblocks.stf.rules import COMMAND_CASE, COMMAND_IN_BLOCK, MISSING_DATA_LINE, UNTERMINATED_BLOCK
from llmblocks.stf.syntax.dialect import AT, DIALECTS

_TURNS = NAME_TOKENS | {kinds.BODY, kinds.PATH}
_NONE_OPEN: Final = OpenedCommand("", 0, 0, False)


class BlocksInPieces:
    """The commands that are open at the end of their piece. Shape: `lines` are those of a piece."""

    def __init__(self, lines: Query[Piece, PieceLines]) -> None:
        self._lines = lines
        self._commands = Constructs("stf commands", self._turn, self._judge, _TURNS)
        self._last = SectionFact("last stf command", _TURNS, self._at_end, _last_of, _unterminated)

    def in_section(self, section: Section) -> Iterator[Stated]:
        """The problems of those of a section."""
        context = state_of(section.after).context
        if section.is_last and context in BLOCKS:
            yield from self._last.in_section(section)
        if section.is_long or context in LINES:
            yield from self._commands.in_section(section)

    def _at_end(self, piece: Piece) -> OpenedCommand | None:
        lines = self._lines(piece)
        return lines.opened or (None if lines.passes else _NONE_OPEN)

    def _turn(self, piece: Piece) -> Turn:
        lines = self._lines(piece)
        return BEGINS if lines.opened is not None else PASSES if lines.passes else ENDS

    def _judge(self, run: Run) -> Iterator[Stated]:
        opened = self._lines(run.first).opened
        assert opened is not None, "the command begins in the first piece"
        end = None if run.last is None else self._lines(run.last)
        if opened.name in LINES:
            if opened.in_message and (end is None or end.missed):
                yield Problem(MISSING_DATA_LINE, opened.start, opened.end, {"name": opened.name})
            return
        if end is not None and end.ends and opened.is_read:
            yield from self._in_data(run, opened)
        yield from self._nested(run, opened)

    def _in_data(self, run: Run, opened: OpenedCommand) -> Iterator[Problem]:
        """The problems of the data of a block."""
        runs: list[tuple[str, int]] = []
        at = size = 0
        for piece in run.pieces():
            for start, end in self._lines(piece).runs if at else opened.runs:
                runs.append((piece.text[start:end], at + start))
                size += end - start
            if size > LONGEST_BLOCK:
                return
            at += piece.length
        from llmblocks.stf.editor.value_problems import problems_of_block

        dialect = DIALECTS.get(state_of(run.first.after).dialect, AT)
        yield from problems_of_block(opened.name, (opened.start, opened.end), runs, dialect)

    def _nested(self, run: Run, opened: OpenedCommand) -> Iterator[Deferred]:
        """The problems of the commands in a block."""
        begin = opened.start, opened.end
        at = run.first.length
        left = [*reversed(run.parts[1:])]
        while left:
            part = left.pop()
            if isinstance(part, Piece):
                if nested := self._lines(part).nested:
                    of_kinds = [COMMAND_CASE if each.is_end else COMMAND_IN_BLOCK for each in nested]
                    yield Deferred(at + nested[0].start, of_kinds, partial(_in_block, nested, opened.name, begin, at))
            elif not NAME_TOKENS.isdisjoint(part.kinds):
                left += reversed(part.children)
                continue
            at += part.length


def _last_of(parts: Iterable[tuple[int, OpenedCommand]]) -> OpenedCommand:
    at, last = [*parts][-1]
    return last._replace(start=at + last.start, end=at + last.end)


def _unterminated(opened: OpenedCommand, after: Any, _: bool) -> Iterator[Problem]:
    """The block that is open at the end of a document."""
    if opened.name:
        header = DIALECTS.get(state_of(after).dialect, AT).header
        yield Problem(UNTERMINATED_BLOCK, opened.start, opened.end, {"name": opened.name, "header": header})


def _in_block(nested: Sequence[NestedCommand], block: str, begin: tuple[int, int], by: int) -> Iterator[Problem]:
    return (each.problem(block, begin, by) for each in nested)
