"""The problems of the lines of a section."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from llmblocks.core.scan import kind_of, width_of
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.stf import kinds
from llmblocks.stf.rules import RULES, S302_MIXED_DIALECT
from llmblocks.stf.scanner import MESSAGE, state_of
from llmblocks.stf.syntax.arguments import parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS

_QUIET = frozenset((kinds.HEADER, kinds.MESSAGE_NAME, kinds.COMMENT_LINE, kinds.BLANK, kinds.LINE_END))
"""The kinds of lines that are always right, except for a header character alone."""
_BUSY = kinds.LINES - _QUIET
_LONGEST_LINE = 200
_COMMAND_LINES = MappingProxyType(
    {
        name: re.compile(
            rf"^{dialect.header}({'|'.join(sorted(set(dialect.commands) - {'end'}))})(?![A-Za-z0-9])"
            rf"([^\r\n]{{0,{_LONGEST_LINE}}})\r?$",
            re.MULTILINE,
        )
        for name, dialect in DIALECTS.items()
    }
)


def _of_lines(section: Section) -> Sequence[Problem]:
    here = section.kinds
    # most sections are text, with at most comment lines and the start of a message
    if state_of(section.before).context == MESSAGE and here.isdisjoint(_BUSY):
        every = [*map(kind_of, section.tokens)] if kinds.HEADER in here else []
        if every.count(kinds.HEADER) == every.count(kinds.MESSAGE_NAME) + every.count(kinds.COMMENT_LINE):
            return ()
    from llmblocks.stf.editor.section_reader import SectionReader

    return SectionReader(section).read()


def _problems(section: Section) -> Iterator[Problem]:
    yield from _of_lines(section)
    dialect = DIALECTS.get(state_of(section.before).dialect or state_of(section.after).dialect)
    # most texts contain no header character of the other dialect
    if dialect is None or dialect.other.header not in section.text:
        return
    text, other = section.text, dialect.other
    found = [*_COMMAND_LINES[other.header].finditer(text)]
    ends = [*accumulate(map(width_of, section.tokens))] if found else []
    for line in found:
        kind = section.tokens[bisect_right(ends, line.start())].kind
        if kind is not kinds.TEXT and kind in kinds.LINES:
            continue
        name, rest = line.groups()
        is_command = not rest.strip(" \t") or rest[0] in " \t{"
        if is_command and not parse_arguments(text, *line.span(2), other).problems:
            data = {"written": f"{other.header}{name}", "name": name, "header": dialect.header}
            yield Problem(S302_MIXED_DIALECT, line.start(), line.end(1), data)


FACTS: Final = Facts(RULES, _problems)
