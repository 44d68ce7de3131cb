"""The problems of a call as a whole: text before its arguments, and a missing end marker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind
from llmblocks.facts.lines import Lines, SectionFact, tokens_in
from llmblocks.facts.problem import Problem
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import part_of_call
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.rules import MISSING_END_MARKER, TEXT_BEFORE_ARGUMENTS
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers

_Place = tuple[int, int]
_FENCE = re.compile("```(?:toml|yaml|json)?", re.IGNORECASE | re.ASCII)
_LONGEST_FENCE = 7
_TOLD = frozenset((kinds.START, kinds.IGNORED, kinds.END))


class _Shown(NamedTuple):
    """What some lines show of a call.

    Shape: `header` is its start marker with the rest of the line, None where it begins before; `closed` says that its
           end marker is here. `ignored` is the text in front of the arguments without the blanks around it, which
           `opens` a fence around the arguments or not: the runtime takes that off.
    """

    header: _Place | None
    closed: bool
    ignored: _Place | None
    opens: bool


def _read(lines: Lines) -> _Shown:
    part = part_of_call(lines)
    text, start, end = lines.text, -1, -1
    for _, at, stop in tokens_in(lines, (kinds.IGNORED,)) if kinds.IGNORED in lines.kinds else ():
        if inner := text[at:stop].strip(SPACE):
            end = text.index(inner, at) + len(inner)
            start = end - len(inner) if start < 0 else start
    header = part.start, max(len(text[: part.header_end].rstrip(SPACE)), part.header)
    opens = start >= 0 and end - start <= _LONGEST_FENCE and _FENCE.fullmatch(text, start, end) is not None
    return _Shown(header if part.begins else None, part.closed, None if start < 0 else (start, end), opens)


def _may_be_told(every: frozenset[Kind], _: bool) -> bool:
    """Nearly all calls have an end, and no text in front of their arguments."""
    return kinds.END not in every or kinds.IGNORED in every


def _join(parts: Iterable[tuple[int, _Shown]]) -> _Shown:
    header: _Place | None = None
    closed = opens = False
    ignored: _Place | None = None
    for at, each in parts:
        closed = closed or each.closed
        if each.header:
            header = at + each.header[0], at + each.header[1]
        if each.ignored:
            opens = each.opens and ignored is None
            start, end = each.ignored
            ignored = ignored[0] if ignored else at + start, at + end
    return _Shown(header, closed, ignored, opens)


@lru_cache(maxsize=16)
def facts_of_calls(markers: Markers) -> SectionFact[_Shown]:
    """The facts about calls with these markers. A section has at most one call."""

    def judge(call: _Shown, after: Any, is_last: bool) -> Iterator[Problem]:
        if call.header and not call.closed:
            # around a call, a command can end its message without a token of the call
            may_grow = is_last and state_in(after, int) in IN_CALL
            data = {"marker": markers.end} | ({"case": "last"} if may_grow else {})
            yield Problem(MISSING_END_MARKER, *call.header, data)
        if call.ignored and not call.opens:
            yield Problem(TEXT_BEFORE_ARGUMENTS, *call.ignored, {"marker": markers.arg})

    return SectionFact("gadget call", _TOLD, _read, _join, judge, _may_be_told)
