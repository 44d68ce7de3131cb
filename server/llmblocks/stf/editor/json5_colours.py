"""The colours of the data of commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.contract.paint import Painted
from llmblocks.core.query import Query
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.lines import LONGEST_BLOCK
from llmblocks.stf.editor.state import state_of

_EMBED: Final = "embed"
_NAMES: Final = frozenset((kinds.LINE_NAME, kinds.BLOCK_NAME, kinds.RAW_NAME))


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
