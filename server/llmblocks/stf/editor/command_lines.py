"""The command lines of a section, read once for names, colours, hovers, completion and selections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span, tokens_in
from llmblocks.json5.reader import ValuePlace, read
from llmblocks.stf import kinds
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, LONGEST_BLOCK, NO_ARGUMENTS, Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Command, Dialect

_NAMES: Final = kinds.NAMES | {kinds.UNKNOWN_NAME, kinds.STRAY_END}
_READ: Final = _NAMES | {kinds.HEADER, kinds.ARGUMENTS}


class CommandLine(NamedTuple):
    """A command line. Places count from the start of the section."""

    start: int
    """The start of its name."""
    kind: Kind
    """The kind of its name."""
    name: str
    dialect: Dialect
    arguments: Arguments = NO_ARGUMENTS
    """Not read if they are too long for each keystroke."""

    @property
    def command(self) -> Command | None:
        """The command that is meant, in any case."""
        return self.dialect.commands.get(self.name.lower())


def _read(section: Section) -> Mapping[int, CommandLine]:
    if _NAMES.isdisjoint(section.kinds):
        return {}
    text, dialect = section.text, AT
    found: dict[int, CommandLine] = {}
    for kind, start, end in tokens_in(section, _READ):
        if kind is kinds.HEADER:
            dialect = DIALECTS[text[start]]
        elif kind is kinds.ARGUMENTS:
            given = parse_arguments(text, start, end, dialect, limit=KEYSTROKE_LIMIT)
            found[start] = found[start]._replace(arguments=given)
        else:
            found[end] = CommandLine(start, kind, text[start:end], dialect)
    return found


command_lines: Final = Query("stf command lines", _read)
"""The command lines by the end of their name, where their arguments begin."""


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches in one of the tokens of a section: arguments, and values in JSON5."""
    kind, start, end = spans[number]
    text = section.text
    if kind is kinds.BODY and end - start <= LONGEST_BLOCK:
        yield from _inside(text, read(text[start:end]).node, start)
    elif kind is kinds.ARGUMENTS:
        given = command_lines(section)[start].arguments
        yield from _inside(text, given.node, given.at)
        for each in () if given.braces else given.items:
            yield each.key_start, each.value_end
            yield from _value(text, each.value_start, each.value_end)


def _inside(text: str, node: ValuePlace | None, at: int) -> Iterator[tuple[int, int]]:
    """Yield a value and everything in it. Places in `node` count from `at`."""
    waiting = [node] if node is not None else []
    while waiting:
        value = waiting.pop()
        yield from _value(text, at + value.start, at + value.end)
        for key, key_start, _, item in value.items:
            if isinstance(key, str):
                yield at + key_start, at + item.end
            waiting.append(item)


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    yield start, end
    if end - start > 1 and text[start] == text[end - 1] and text[start] in ("'", '"'):
        yield start + 1, end - 1
