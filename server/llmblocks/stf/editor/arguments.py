"""The arguments of command lines, read once for their problems, the names in them, and completion."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.stf import kinds
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS

_NONE: Final[Mapping[int, Arguments]] = MappingProxyType({})


def _read(lines: Section) -> Mapping[int, Arguments]:
    if kinds.ARGUMENTS not in lines.kinds:
        return _NONE
    text, at, dialect = lines.text, 0, AT
    found: dict[int, Arguments] = {}
    for kind, width in lines.tokens:
        if kind is kinds.HEADER:
            dialect = DIALECTS[text[at]]
        elif kind is kinds.ARGUMENTS:
            found[at] = parse_arguments(text, at, at + width, dialect, limit=KEYSTROKE_LIMIT)
        at += width
    return found


arguments_in: Final = Query("stf arguments", _read)
"""The arguments by the place of their token, except those that are too long to read at each keystroke."""
