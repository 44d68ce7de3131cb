"""Lines of the other dialect, and unexpected line ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.stf import kinds
from llmblocks.stf.context import state_of
from llmblocks.stf.rules import CARRIAGE_RETURN, MIXED_DIALECT
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Dialect

_LONGEST_LINE = 200
_OTHERS = MappingProxyType(
    {
        name: re.compile(
            rf"^{dialect.header}({'|'.join(sorted(set(dialect.commands) - {'end'}))})(?![A-Za-z0-9])"
            rf"([^\r\n]{{0,{_LONGEST_LINE}}})\r?$",
            re.MULTILINE,
        )
        for name, dialect in DIALECTS.items()
    }
)


def problems_of_dialect(lines: Section) -> list[Problem]:
    """Return the first CRLF of a document, and text that would be a command line in the other dialect."""
    text, before, after = lines.text, state_of(lines.before), state_of(lines.after)
    found = [_return(text, after.dialect)] if after.dialect and after.returns and not before.returns else []
    dialect = DIALECTS.get(before.dialect or after.dialect)
    if dialect is not None:
        header = dialect.other.header
        # most texts contain none of these characters
        if header in text and (text.startswith(header) or f"\n{header}" in text):
            found += _mixed(lines, dialect)
    return found


def first_return(lines: Section) -> int | None:
    """Return the place of the first CRLF of the document, if some lines contain it."""
    if state_of(lines.before).returns or not state_of(lines.after).returns:
        return None
    return lines.text.find("\r\n")


def _return(text: str, known: str) -> Problem:
    at = text.find("\r\n")
    return Problem(CARRIAGE_RETURN, at, at + 2, return_data(known))


def return_data(known: str) -> dict[str, object]:
    """Return the meaning of the first CRLF in the dialect of a document."""
    return {} if DIALECTS.get(known, AT).crlf else {"case": "kept"}


def _mixed(lines: Section, dialect: Dialect) -> Iterator[Problem]:
    from llmblocks.stf.syntax.arguments import parse_arguments

    text, other = lines.text, dialect.other
    found = [*_OTHERS[other.header].finditer(text)]
    at = number = 0
    for kind, width in lines.tokens if found else ():
        at += width
        while number < len(found) and found[number].start() < at:
            line = found[number]
            number += 1
            if kind is not kinds.TEXT and kind in kinds.LINES:
                continue
            name, rest = line.groups()
            if rest.strip(" \t") and rest[0] not in " \t{":
                continue
            if not parse_arguments(text, line.start(2), line.end(2), other).problems:
                data = {"written": f"{other.header}{name}", "name": name, "header": dialect.header}
                yield Problem(MIXED_DIALECT, line.start(), line.end(1), data)
