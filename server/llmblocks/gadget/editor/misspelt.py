"""Lines that begin with a misspelt marker."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from llmblocks.core.distance import distance
from llmblocks.core.scan import width_of
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


def misspelt_markers(section: Section, markers: Markers) -> Iterator[Problem]:
    """Yield the lines that begin with a misspelt marker, except those of a format around this one."""
    text, tokens = section.text, section.tokens
    pattern, begins, longest = _search(markers)
    if not any(begin in text or text.startswith(begin[1]) for begin in begins) or not reads_calls(section.after):
        return
    starts = [found.end() for found in pattern.finditer(text)]
    if tokens[0].kind is not kinds.START and pattern.match(f"\n{text[:longest]}"):
        starts.insert(0, 0)
    ends = [*accumulate(map(width_of, tokens))] if starts else []
    for at in starts:
        number = bisect_right(ends, at)
        if tokens[number].kind.opaque:
            continue
        # a marker further on the line ends the word
        while ends[number] < at + longest and number + 1 < len(tokens) and tokens[number + 1].kind not in _MARKERS:
            number += 1
        line = text[at : min(at + longest, ends[number])].partition("\n")[0].partition("\r")[0]
        if (near := _nearest(line, markers)) is not None:
            rule, marker, width = near
            yield Problem(rule, at, at + width, {"marker": marker})


@lru_cache(maxsize=16)
def _search(markers: Markers) -> tuple[re.Pattern[str], tuple[str, ...], int]:
    """Return the search for lines that may begin with a misspelt marker.

    Returns:
        A pattern that finds the newlines before them, the possible beginnings with this newline, which nearly all
        sections lack, and the number of characters of such a line that matter.
    """
    firsts = sorted({first for marker in markers for first in (marker[0].lower(), marker[0].upper())})
    shortest, longest = min(map(len, markers)), max(map(len, markers))
    exact, begin = "|".join(map(re.escape, markers)), re.escape("".join(firsts))
    pattern = re.compile(f"\n(?!{exact})(?=[{begin}])(?=[^\n]{{{max(shortest - 2, 1)}}})")
    return pattern, tuple([f"\n{first}" for first in firsts]), longest + 3


# the same beginning of a line may occur thousands of times in a text
@lru_cache(maxsize=1024)
def _nearest(line: str, markers: Markers) -> tuple[Rule, str, int] | None:
    """Return the marker that a line nearly begins with: its rule, the marker, and the length of the misspelt one.

    A different case is nearest; then one change for markers of at least 3 letters, two for at least 6. Two swapped
    neighbours count as one change. A word extends to its end: `!!!ARGUMENT:` is a different one.
    """
    best: tuple[Rule, str, int] | None = None
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
                least, best = changes, (MISSPELT_MARKER if changes else MARKER_CASE, marker, width)
    return best


def _is_word(around: str) -> bool:
    """Return whether both characters belong to one word."""
    return len(around) == 2 and all(each.isalnum() or each == "_" for each in around)
