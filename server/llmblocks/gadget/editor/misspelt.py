"""Lines that begin with a misspelt marker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.distance import distance
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import kinds
from llmblocks.gadget.rules import MARKER_CASE, MISSPELT_MARKER
from llmblocks.gadget.scanner import reads_calls
from llmblocks.gadget.syntax.markers import Markers

_SHORT = 3
_LONG = 6
_MARKERS = frozenset((kinds.START, kinds.ARG, kinds.END, kinds.STRAY))


class Near(NamedTuple):
    """A misspelt marker."""

    rule: Rule
    marker: str
    width: int
    """Its length from the start of its line."""


class LineSearch(NamedTuple):
    """The search for lines that may begin with a misspelt marker."""

    pattern: re.Pattern[str]
    """Finds the newlines before such lines: one search in C for a text, as nearly all lines are others."""
    longest: int
    """The number of characters of such a line that matter."""
    first: str
    """The first character of all these lines; empty if there are several."""


def misspelt_markers(lines: Section, markers: Markers) -> Iterable[Problem]:
    """Yield the lines that begin with a misspelt marker, except those of a format around this one."""
    text, tokens = lines.text, lines.tokens
    pattern, longest, first = _search(markers)
    if first and text[:1] != first and f"\n{first}" not in text:
        return ()
    starts = [found.start() + 1 for found in pattern.finditer(text)]
    if tokens and tokens[0].kind is not kinds.START and pattern.match(f"\n{text[:longest]}"):
        starts.insert(0, 0)
    return _at_lines(lines, markers, starts, longest) if starts and reads_calls(lines.after) else ()


def _at_lines(lines: Section, markers: Markers, starts: Sequence[int], longest: int) -> Iterator[Problem]:
    text, tokens = lines.text, lines.tokens
    number, end = 0, tokens[0].width
    for at in starts:
        while end <= at:
            number += 1
            end += tokens[number].width
        if tokens[number].kind.opaque:
            continue
        stop, behind = end, number + 1
        while stop < at + longest and behind < len(tokens) and tokens[behind].kind not in _MARKERS:
            stop += tokens[behind].width
            behind += 1
        line = text[at : min(at + longest, stop)].partition("\n")[0].partition("\r")[0]
        near = _nearest(line, markers)
        if near is not None:
            yield Problem(near.rule, at, at + near.width, {"marker": near.marker})


@lru_cache(maxsize=16)
def _search(markers: Markers) -> LineSearch:
    every = (markers.start, markers.end, markers.arg)
    firsts = "".join(sorted({first for marker in every for first in (marker[0].lower(), marker[0].upper())}))
    least = max(min(map(len, every)) - 2, 1)
    longest = max(map(len, every)) + 3
    if len(firsts) > 1:
        rest = "|".join(map(re.escape, every))
        return LineSearch(re.compile(f"\n(?=[{re.escape(firsts)}])(?!{rest})(?=[^\n]{{{least}}})"), longest, "")
    # with two fixed characters at the start, `re` skips all other lines in bulk
    rest = "|".join([re.escape(marker[1:]) for marker in every])
    return LineSearch(re.compile(f"\n{re.escape(firsts)}(?!{rest})(?=[^\n]{{{least - 1}}})"), longest, firsts)


# the same beginning of a line may occur thousands of times in a text
@lru_cache(maxsize=1024)
def _nearest(line: str, markers: Markers) -> Near | None:
    """Return the marker that a line nearly begins with.

    A different case is nearest; then one change for markers of at least 3 letters, two for at least 6. Two swapped
    neighbours count as one change. A word extends to its end: `!!!ARGUMENT:` is a different one.
    """
    best: Near | None = None
    least = 3
    letters = set(line.lower())
    for marker in (markers.start, markers.end, markers.arg):
        size, wanted = sum(map(str.isalnum, marker)), marker.lower()
        allowed = 2 if size >= _LONG else 1 if size >= _SHORT else 0
        if not size or len(set(wanted) - letters) > allowed:
            continue
        for width in range(min(len(marker) + allowed, len(line)), len(marker) - allowed - 1, -1):
            if _is_word(line[width - 1 : width + 1]):
                continue
            changes = distance(line[:width].lower(), wanted, allowed)
            if changes <= allowed and changes < least:
                least, best = changes, Near(MISSPELT_MARKER if changes else MARKER_CASE, marker, width)
    return best


def _is_word(around: str) -> bool:
    """Return whether both characters belong to one word."""
    return len(around) == 2 and all(each.isalnum() or each == "_" for each in around)
