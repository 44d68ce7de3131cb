"""The colours of JSON5: of a body, and of the arguments of a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.paint import Painted
from llmblocks.core.query import Query
from llmblocks.core.section import Section, Span
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.lines import LONGEST_BLOCK
from llmblocks.stf.editor.state import state_of

_EMBED: Final = "embed"
_NAMES: Final = frozenset((kinds.LINE_NAME, kinds.BLOCK_NAME, kinds.RAW_NAME))
# Line by line and without brackets: a comment line may cut a body anywhere, and where a piece begins must not matter.
# So what goes on over lines is told by its look: a line of a comment begins with `*`, or has a lone `*/`.
_TOKEN: Final = re.compile(
    r"""(?P<comment>//[^\n\r]*+|/\*(?:(?!\*/)[^\n\r])*+(?:\*/)?+
        |^[ \t]*+\*(?:/|(?:(?!\*/)[^\n\r])*+(?:\*/)?+)|^(?:(?!/\*|\*/|//)[^\n\r"'])*+\*/)
    |(?P<string>(?:"(?:[^"\\\n\r]|\\[^\n\r])*+\\?+"?+|'(?:[^'\\\n\r]|\\[^\n\r])*+\\?+'?+)(?P<key>[ \t]*+:)?+)
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F]++|Infinity|NaN|(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?\d++)?+)
        (?![\w$]|\\u[0-9a-fA-F]{4}|[ \t]*+:))
    |(?P<word>(?:[\w$]|\\u[0-9a-fA-F]{4})++(?P<name>[ \t]*+:)?+)""",
    re.VERBOSE | re.MULTILINE,
)
_KEYWORDS: Final = frozenset(("true", "false", "null"))


def json5(text: str, at: int) -> Iterator[Painted]:
    """The keys, strings, numbers, keywords and comments of JSON5 that begins at an offset of a section."""
    for found in _TOKEN.finditer(text):
        start, end, role = found.start(), found.end(), found.lastgroup or ""
        if found["key"] is not None or found["name"] is not None:
            end, role = found.start("key" if found["key"] is not None else "name"), "property"
        elif role == "word":
            if found[0] not in _KEYWORDS:
                continue
            role = "keyword"
        yield Painted(at + start, at + end, role)


def body(section: Section, span: Span) -> Iterator[Painted]:
    """The data of a command, which are JSON5 but for the path of an `embed`."""
    if span.end - span.start <= LONGEST_BLOCK and span.start not in _paths(section):
        yield from json5(section.slice(span.start, span.end), span.start)


def _find_paths(section: Section) -> frozenset[int]:
    found = []
    name = state_of(section.before).context
    for kind, start, end in section.spans():
        if kind in _NAMES:
            name = section.slice(start, end)
        elif kind is kinds.BODY and name == _EMBED:
            found.append(start)
    return frozenset(found)


_paths: Final[Query[Section, frozenset[int]]] = Query("paths of resources", _find_paths)
"""Where the data of an `embed` are."""
