"""The command lines of a section, read once for names, colours, hovers and completion."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, tokens_in
from llmblocks.stf import kinds
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, NO_ARGUMENTS, Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Command, Dialect

_NAMES: Final = kinds.NAMES | {kinds.UNKNOWN_NAME, kinds.STRAY_END}
_READ: Final = _NAMES | {kinds.HEADER, kinds.ARGUMENTS}
_NONE: Final[Mapping[int, CommandLine]] = MappingProxyType({})


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
        return _NONE
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
