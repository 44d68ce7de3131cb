"""The values of arguments elsewhere in a document."""

from __future__ import annotations

import re
from itertools import chain
from typing import Final, NamedTuple

from llmblocks.contract.caret import Caret
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.stf.editor.arguments import arguments_in
from llmblocks.stf.editor.names import CALL

TOOLS: Final = ("call", "tool")
"""The commands whose `name` names a tool."""
_TOOL = re.compile(rf"\ufeff?[@;][ \t]*(?:{'|'.join(TOOLS)})\b")
_KEYS = ("role", "name")
_MOST = 50


class _Value(NamedTuple):
    """A value of an argument."""

    start: int
    """The start of its arguments, from the start of the lines."""
    key: str
    value: str
    is_tool: bool
    """Whether it is the name of a tool."""


def _values(lines: Section) -> tuple[_Value, ...]:
    return tuple(
        [
            _Value(at, each.key, each.value, _TOOL.match(lines.text, lines.text.rfind("\n", 0, at) + 1) is not None)
            for at, read in arguments_in(lines).items()
            for each in read.items
            if each.key in _KEYS and isinstance(each.value, str)
        ]
    )


_values_in: Final = Query("stf argument values", _values)


def values_nearby(caret: Caret, key: str, command: str) -> list[str]:
    """Return the values of an argument on lines near the caret, nearest first.

    A `command` of a tool gets the names of tools, other commands those of authors.
    """
    found: dict[str, None] = {}
    own = len(caret.before)
    above = ((far, each) for far, each in caret.stated_back(_values_in) if far > own)
    for _, each in chain(above, caret.stated_ahead(_values_in)):
        if each.key == key and each.value and each.is_tool == (command in TOOLS):
            found[each.value] = None
            if len(found) >= _MOST:
                break
    return [*found]


def calls_nearby(caret: Caret) -> dict[str, bool]:
    """Return the ids of calls near the caret, with whether they are answered: unanswered first, then nearest."""
    found: dict[str, None] = {}
    answered: set[str] = set()
    for symbol in chain(caret.names_back(), caret.names_ahead()):
        if symbol.kind == CALL and symbol.role == "definition":
            found[symbol.name] = None
        elif symbol.kind == CALL:
            answered.add(symbol.name)
    return {name: name in answered for name in sorted(found, key=answered.__contains__)[:_MOST]}
