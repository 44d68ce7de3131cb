"""The arguments of the command lines of a piece, read once for their problems, the names in them, and completion."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from llmblocks.core.query import Query
from llmblocks.core.section import Piece
from llmblocks.facts.lines import Lines, tokens_in
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS

_TOLD: Final = (kinds.HEADER, kinds.ARGUMENTS)
_NONE: Final[Mapping[int, Arguments]] = MappingProxyType({})


def _read(lines: Lines) -> Mapping[int, Arguments]:
    if kinds.ARGUMENTS not in lines.kinds:
        return _NONE
    text, dialect = lines.text, AT
    found: dict[int, Arguments] = {}
    for kind, start, end in tokens_in(lines, _TOLD):
        if kind is kinds.HEADER:
            dialect = DIALECTS[text[start]]
        else:
            found[start] = parse_arguments(text, start, end, dialect, limit=KEYSTROKE_LIMIT)
    return found


arguments_of_piece: Final[Query[Piece, Mapping[int, Arguments]]] = Query("stf arguments", _read)
"""The arguments by the place of their token. Those longer than the limit of a keystroke are not read."""
