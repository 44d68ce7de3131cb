"""The outline of a section as JSON: where it has several pieces, an edit costs those that it changed or moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.lsp.answers.symbols import WrittenSymbols, closed, opened, place_after, places_in, written_place
from llmblocks.lsp.documents.columns import Encoding

if TYPE_CHECKING:
    from llmblocks.features.outline import PieceOutline, Shown


class _Steps(NamedTuple):
    """The symbols of a piece as JSON, to be put into those of its section.

    Shape: `outline` is what they were made of. `first` stands beside the innermost entry around the piece; `ends` are
           the places where such entries end, innermost first, each with what stands after it. `begun` are the
           entries that go on after the piece, outermost first, each with what is in it.
    """

    outline: PieceOutline
    first: str
    ends: Sequence[tuple[str, str]]
    begun: Sequence[tuple[str, str]]


_KnownSteps = dict[tuple[int, int], tuple[_Steps, int, int]]


@lru_cache(maxsize=32)
def _steps_at(_: Shown, __: Encoding) -> Query[Piece, _KnownSteps]:
    """The symbols of a piece, and where it ends, by the line and character at which it begins."""
    return Query("symbols of a piece as JSON", lambda _: {})


def symbols_of_section(
    section: Section,
    outlines: Iterable[tuple[Piece, PieceOutline]],
    what: Shown,
    encoding: Encoding,
    line: int,
    character: int,
    pause: Callable[[], None],
) -> tuple[WrittenSymbols, int, int]:
    """The symbols of a section, and where it ends. Shape: `outlines` are those of its pieces."""
    from llmblocks.features.outline import runs_on

    remembered = _steps_at(what, encoding)
    start = written_place(line, character) if what.nesting.breaks_run(section.pieces) else ""
    levels: list[list[str]] = [[]]
    heads: list[str] = []
    open_kinds: list[str] = []
    closes = False
    for piece, outline in outlines:
        # those of a section in one piece are remembered with its neighbours
        known: _KnownSteps = remembered(piece) if section.is_long else {}
        there = known.get((line, character))
        if there is None or there[0].outline is not outline:
            pause()
            known.clear()
            steps = _steps(piece, outline, len(heads), encoding, line, character)
            there = known[line, character] = steps, *place_after(piece, encoding, line, character)
        steps, line, character = there
        if steps.first:
            levels[-1].append(steps.first)
        for place, behind in steps.ends:
            children = levels.pop()
            levels[-1].append(closed(heads.pop(), place, children))
            if behind:
                levels[-1].append(behind)
        for head, inside in steps.begun:
            heads.append(head)
            levels.append([inside] if inside else [])
        del open_kinds[len(open_kinds) - outline.passed :]
        open_kinds += outline.begun
        closes = closes or outline.closes
    runs = runs_on(open_kinds, what)
    place = written_place(line, character)
    while len(heads) > runs:
        children = levels.pop()
        levels[-1].append(closed(heads.pop(), place, children))
    complete, nothing = ",".join(levels[0]).encode("ascii"), b""
    before, after = (nothing, complete) if start else (complete, nothing)
    if runs:
        found = WrittenSymbols(before, start, after, heads[0], ",".join(levels[1]).encode("ascii"))
    else:
        found = WrittenSymbols(before, start or (place if closes else ""), after, "", nothing)
    return found, line, character


def _steps(piece: Piece, outline: PieceOutline, around: int, encoding: Encoding, line: int, character: int) -> _Steps:
    """Shape: `around` is the number of entries around it."""
    entries, ended = outline.entries, outline.ended
    offsets = {
        *ended,
        *[offset for each in entries for offset in (each.start, each.end, each.name_start, each.name_end)],
    }
    places = places_in(piece, offsets - {-1}, encoding, line, character)
    # beside the entries around the piece: first the innermost, and one farther out behind the end of each
    beside: list[list[str]] = [[]]
    heads: list[tuple[str, int]] = []
    levels: list[list[str]] = []

    def close(depth: int) -> None:
        while len(heads) > max(depth - (around - len(beside) + 1), 0):
            head, end = heads.pop()
            children = levels.pop()
            (levels[-1] if levels else beside[-1]).append(closed(head, places[end], children))
        while around - len(beside) + 1 > depth:
            beside.append([])

    for entry in entries:
        close(entry.depth)
        heads.append((opened(entry, places), entry.end))
        levels.append([])
    while len(beside) <= len(ended):
        close(around - len(beside))
    going_on = sum(end < 0 for _, end in heads)
    close(around - len(ended) + going_on)
    first, *others = map(",".join, beside)
    ends = [(places[end], behind) for end, behind in zip(ended, others, strict=True)]
    return _Steps(
        outline, first, ends, [(head, ",".join(level)) for (head, _), level in zip(heads, levels, strict=True)]
    )
