"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import kind_of
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.stf import kinds
from llmblocks.stf.context import MESSAGE, state_of
from llmblocks.stf.editor.dialects import problems_of_dialect
from llmblocks.stf.rules import RULES

_QUIET = frozenset((kinds.HEADER, kinds.MESSAGE_NAME, kinds.COMMENT_LINE, kinds.BLANK, kinds.LINE_END))
"""The kinds of lines that are always right, except for a header character alone."""
_BUSY = kinds.LINES - _QUIET


class ReadLines(NamedTuple):
    """The problems of the lines of a section."""

    problems: Sequence[Problem] = ()
    cut: tuple[int, int] | None = None
    """The first line outside of messages, if it continues after the section and only white space precedes it."""


_NONE: Final = ReadLines()


def _read(section: Section, has_default: bool) -> ReadLines:
    here = section.kinds
    # most sections are text, with at most comment lines and the start of a message
    if state_of(section.before).context == MESSAGE and here.isdisjoint(_BUSY):
        every = [*map(kind_of, section.tokens)] if kinds.HEADER in here else []
        if every.count(kinds.HEADER) == every.count(kinds.MESSAGE_NAME) + every.count(kinds.COMMENT_LINE):
            return _NONE
    from llmblocks.stf.editor.section_reader import SectionReader

    return ReadLines(*SectionReader(section, has_default).read())


COMMANDS: Final[Query[Section, ReadLines]] = Query("stf lines", lambda section: _read(section, False))
BY_DEFAULT: Final[Query[Section, ReadLines]] = Query("stf lines by default", lambda section: _read(section, True))
"""The same if text outside of messages is a message."""


@cache
def facts(has_default: bool) -> Facts:
    """Return the facts. `has_default` if text outside of messages is a message of a default role."""
    commands = BY_DEFAULT if has_default else COMMANDS

    def problems(section: Section) -> Iterator[Problem]:
        yield from commands(section).problems
        yield from problems_of_dialect(section)

    return Facts(RULES, problems)
