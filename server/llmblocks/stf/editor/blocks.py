"""Block and line commands that wait for later lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from llmblocks.core.scan import Kind
from llmblocks.facts.lines import Lines, SectionFact
from llmblocks.facts.open_construct import Construct, ConstructKind, OpenFact
from llmblocks.facts.problem import Deferred, Fact, Problem, Stated
from llmblocks.stf.editor.context import BLOCKS, LINES
from llmblocks.stf.editor.lines import LONGEST_BLOCK, NAME_TOKENS, NestedCommand, OpenedCommand, ReadLines
from llmblocks.stf.editor.state import state_of
from llmblocks.stf.rules import COMMAND_CASE, COMMAND_IN_BLOCK, MISSING_DATA_LINE, UNTERMINATED_BLOCK
from llmblocks.stf.syntax.dialect import AT, DIALECTS

_NONE_OPEN: Final = OpenedCommand("", 0, 0, False)


def facts_of_commands(commands: ConstructKind[ReadLines]) -> tuple[Fact, ...]:
    """The facts about the commands that are open at the end of their lines."""

    def at_end(lines: Lines) -> OpenedCommand | None:
        read = commands.part(lines)
        return read.opened or (None if read.passes else _NONE_OPEN)

    assert commands.kinds is not None, "commands have names"
    last = SectionFact("last stf command", commands.kinds, at_end, _last_of, _unterminated, _is_last)
    return last, OpenFact(commands, _judge)


def _judge(command: Construct[ReadLines], _: object) -> Sequence[Stated]:
    opened, end = command.begun.opened, command.end
    assert opened is not None, "the command begins there"
    if opened.name in LINES:
        missed = opened.in_message and (end is None or end.missed)
        return [Problem(MISSING_DATA_LINE, opened.start, opened.end, {"name": opened.name})] if missed else ()
    is_read = end is not None and end.ends and opened.is_read
    return [*(_in_data(command, opened) if is_read else ()), *_nested(command, opened)]


def _in_data(command: Construct[ReadLines], opened: OpenedCommand) -> Iterable[Problem]:
    """The problems of the data of a block."""
    runs: list[tuple[str, int]] = []
    size = 0
    for at, lines, part in command.lots():
        for start, end in part.runs if at else opened.runs:
            runs.append((lines.text[start:end], at + start))
            size += end - start
        if size > LONGEST_BLOCK:
            return ()
    from llmblocks.stf.editor.value_problems import problems_of_block

    dialect = DIALECTS.get(state_of(command.first.after).dialect, AT)
    return problems_of_block(opened.name, (opened.start, opened.end), runs, dialect)


def _nested(command: Construct[ReadLines], opened: OpenedCommand) -> Iterator[Deferred]:
    """The problems of the commands in a block."""
    begin = opened.start, opened.end
    for at, _, part in command.lots(NAME_TOKENS):
        if at and (nested := part.nested):
            of_kinds = [COMMAND_CASE if each.is_end else COMMAND_IN_BLOCK for each in nested]
            yield Deferred(at + nested[0].start, of_kinds, partial(_in_block, nested, opened.name, begin, at))


def _is_last(_: frozenset[Kind], is_last: bool) -> bool:
    return is_last


def _last_of(parts: Iterable[tuple[int, OpenedCommand]]) -> OpenedCommand:
    at, last = [*parts][-1]
    return last._replace(start=at + last.start, end=at + last.end)


def _unterminated(opened: OpenedCommand, after: Any, _: bool) -> Iterator[Problem]:
    """The block that is open at the end of a document."""
    if opened.name and state_of(after).context in BLOCKS:
        header = DIALECTS.get(state_of(after).dialect, AT).header
        yield Problem(UNTERMINATED_BLOCK, opened.start, opened.end, {"name": opened.name, "header": header})


def _in_block(nested: Sequence[NestedCommand], block: str, begin: tuple[int, int], by: int) -> Iterator[Problem]:
    return (each.problem(block, begin, by) for each in nested)
