"""The ids of the calls whose results are in a request."""

from __future__ import annotations

from typing import Final

from llmblocks.core.section import Section, tokens_in
from llmblocks.core.symbol import Symbol
from llmblocks.request.editor import kinds

INVOCATION: Final = "invocation"
"""The names of calls, in the words of the format inside."""
_NAMED: Final = frozenset((kinds.ROLE, kinds.RESULT_ID))


def names_in(lines: Section) -> tuple[Symbol, ...]:
    """The ids of calls with a result, and a boundary where a message begins."""
    found: list[Symbol] = []
    for kind, start, end in () if _NAMED.isdisjoint(lines.kinds) else tokens_in(lines, _NAMED):
        if kind is kinds.ROLE:
            # each message of the assistant is a response of its own
            found.append(Symbol("boundary", "", "", start, start))
        else:
            found.append(Symbol("reference", INVOCATION, lines.text[start:end], start, end))
    return (*found,)
