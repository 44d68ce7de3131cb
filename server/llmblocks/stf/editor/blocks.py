"""Block and line commands that wait for lines of other pieces."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from llmblocks.core.deferred import Deferred
from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Section
from llmblocks.stf.editor.context import BLOCKS, LINES
from llmblocks.stf.editor.lines import LONGEST_BLOCK, NestedCommand, OpenedCommand, PieceLines
from llmblocks.stf.editor.state import state_of
from llmblocks.stf.rules import COMMAND_CASE, COMMAND_IN_BLOCK, MISSING_DATA_LINE, UNTERMINATED_BLOCK
from llmblocks.stf.syntax.dialect import AT, DIALECTS


class Crossing(NamedTuple):
    """A command that is open at the end of its piece.

    Shape: `first` is the number of its piece; `problems` count places from the start of that. `parts` are the numbers,
           counted from it, of the pieces with commands in the block.
    """

    first: int
    opened: OpenedCommand
    problems: tuple[Problem, ...]
    parts: tuple[int, ...] = ()


def problems_across(section: Section, wanted: Container[Rule], lines: Query[Piece, PieceLines]) -> Iterator[Spread]:
    """The problems of commands that wait for lines of later pieces."""
    pieces = section.pieces
    context = state_of(section.after).context
    if section.is_last and context in BLOCKS and UNTERMINATED_BLOCK in wanted:
        unterminated = _unterminated(section, lines)
        if unterminated is not None:
            yield unterminated
    if not section.is_long and context not in LINES:
        return
    found = _memory(lines)(section)
    if not found:
        return
    all_wanted = COMMAND_CASE in wanted and COMMAND_IN_BLOCK in wanted
    for first, opened, problems, parts in found:
        by = section.up_to(first).length
        for problem in problems:
            if problem.kind in wanted:
                yield Spread(first + _piece_at(pieces[first:], problem.start), (problem.moved(by),))
        begin = opened.start + by, opened.end + by
        for part in parts:
            kept = lines(pieces[first + part]).nested
            if not all_wanted:
                kept = [each for each in kept if _kind(each) in wanted]
            if kept:
                at = section.up_to(first + part).length
                create = partial(_in_block, kept, opened.name, begin, at)
                yield Spread(first + part, Deferred(len(kept), create))


def _piece_at(pieces: Sequence[Piece], offset: int) -> int:
    """The number of the piece at an offset from the start of the first one; the last one at their end."""
    for number, piece in enumerate(pieces):
        if offset < piece.length:
            return number
        offset -= piece.length
    return len(pieces) - 1


def _kind(nested: NestedCommand) -> Rule:
    return COMMAND_CASE if nested.is_end else COMMAND_IN_BLOCK


def _in_block(nested: Sequence[NestedCommand], block: str, begin: tuple[int, int], by: int) -> Iterator[Problem]:
    """The problems of the commands of one piece that are in a block of an earlier one."""
    return (each.problem(block, begin, by) for each in nested)


def _memory(lines: Query[Piece, PieceLines]) -> Query[Section, tuple[Crossing, ...]]:
    known = _MEMORIES.get(lines)
    if known is None:
        known = _MEMORIES[lines] = Query(
            f"{lines.name} across", lambda section: _crossing(section, lines), lasting=True
        )
    return known


_MEMORIES: Final[dict[Query[Piece, PieceLines], Query[Section, tuple[Crossing, ...]]]] = {}


def _crossing(section: Section, lines: Query[Piece, PieceLines]) -> tuple[Crossing, ...]:
    pieces = section.pieces
    first, end = 0, len(pieces)
    before: Sequence[Crossing] = ()
    behind: Sequence[Crossing] = ()
    known = _memory(lines).known(section.renews.section) if section.renews else None
    if section.renews and known is not None:
        first, end = section.renews.head, end - section.renews.tail
        if first and _waits(pieces[first - 1].after):
            # from the piece of the command that is open
            first -= 1
            while first and lines(pieces[first]).passes:
                first -= 1
        moved = len(pieces) - len(section.renews.section.pieces)
        before = known[: bisect_left(known, first, key=_first)]
        behind = known[bisect_left(known, end - moved, key=_first) :]
        if moved:
            behind = [each._replace(first=each.first + moved) for each in behind]
    return (*before, *_between(pieces, first, end, lines), *behind)


def _between(pieces: Sequence[Piece], first: int, end: int, lines: Query[Piece, PieceLines]) -> Iterator[Crossing]:
    """The commands of these pieces that are open at the end of their piece, with something to tell of them."""
    opened = None
    for number in range(first, len(pieces)):
        if number >= end and opened is None:
            return
        here = lines(pieces[number])
        if here.passes:
            continue
        if opened is not None and (here.missed or opened.name not in LINES):
            yield from _read(first, pieces[first : number + 1], opened, here, lines)
        first, opened = number, here.opened if number < end else None
    if opened is not None:
        yield from _read(first, pieces[first:], opened, None, lines)


def _first(crossing: Crossing) -> int:
    return crossing.first


def _waits(state: object) -> bool:
    """Whether a command is open in a state."""
    context = state_of(state).context
    return context in BLOCKS or context in LINES


def _read(
    first: int,
    pieces: Sequence[Piece],
    opened: OpenedCommand,
    last: PieceLines | None,
    lines: Query[Piece, PieceLines],
) -> Iterator[Crossing]:
    """What a command waits for, if there is something to tell.

    Shape: `last` are the lines of the piece where it ends; None if that is the end of the section.
    """
    if opened.name in LINES:
        if opened.in_message:
            problem = Problem(MISSING_DATA_LINE, opened.start, opened.end, {"name": opened.name})
            yield Crossing(first, opened, (problem,))
        return
    parts = tuple([number for number, piece in enumerate(pieces) if number and lines(piece).nested])
    problems: tuple[Problem, ...] = ()
    if last is not None and last.ends and opened.is_read:
        problems = _read_block(pieces, opened, lines)
    if problems or parts:
        yield Crossing(first, opened, problems, parts)


def _read_block(pieces: Sequence[Piece], opened: OpenedCommand, lines: Query[Piece, PieceLines]) -> tuple[Problem, ...]:
    runs = [(pieces[0].text[start:end], start) for start, end in opened.runs]
    at = pieces[0].length
    for piece in pieces[1:]:
        runs += [(piece.text[start:end], at + start) for start, end in lines(piece).runs]
        at += piece.length
        if at > 2 * LONGEST_BLOCK and sum([len(text) for text, _ in runs]) > LONGEST_BLOCK:
            return ()
    if sum([len(text) for text, _ in runs]) > LONGEST_BLOCK:
        return ()
    from llmblocks.stf.editor.value_problems import problems_of_block

    dialect = DIALECTS.get(state_of(pieces[0].after).dialect, AT)
    return (*problems_of_block(opened.name, (opened.start, opened.end), runs, dialect),)


def _unterminated(section: Section, lines: Query[Piece, PieceLines]) -> Spread | None:
    """The problem of the block that is open at the end of the document."""
    number = len(section.pieces) - 1
    while number and lines(section.pieces[number]).passes:
        number -= 1
    opened = lines(section.pieces[number]).opened
    if opened is None:
        return None
    by = section.up_to(number).length
    header = DIALECTS.get(state_of(section.after).dialect, AT).header
    data = {"name": opened.name, "header": header}
    return Spread(number, (Problem(UNTERMINATED_BLOCK, opened.start + by, opened.end + by, data),))
