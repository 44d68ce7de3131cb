"""Scanning of a whole text, and of the surroundings of an edit until the state agrees with the old one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from llmblocks.core.scan import Scanned, Scanner, has_pauses
from llmblocks.core.section import Joined, Piece, Section, section_of
from llmblocks.core.sequence import Sections
from llmblocks.core.window import Window

PIECE = 8192
"""A section longer than this, in code points, is kept in several pieces, cut at line starts. Where tokens are dense
the pieces are shorter, so that scanning one again costs about the same everywhere."""
NEAR = 16
"""Around an edit in a long section, pieces are so many times shorter: the next edits there scan one of these."""
LONG_LINES: Final = 4
"""A line longer than this many pieces is cut too, where the scanner pauses."""
_MANY_TOKENS = 128
_FEW_TOKENS = 32
_MOST_TRIES = 8
"""The most places at which a piece of a long line is tried to end."""
_MAY_PAUSE = re.compile(r"[ >](?=[^\s])")


class Change(NamedTuple):
    """The sections that an edit changed.

    Shape: `start` and `line` are the start of the first one; `gone` and `come` are the pieces that differ, in order.
    """

    removed: list[Section]
    added: list[Section]
    start: int
    line: int
    gone: Sequence[Piece]
    come: Sequence[Piece]


def scanned(scanner: Scanner, text: str, state: Any, final: bool) -> list[Piece]:
    """Scan a text from a line start to a line start or, if `final`, to the end of the document."""
    pieces, end = scanned_up_to(scanner, text, len(text), state, final)
    assert end == len(text), "a scanner takes all text up to a line start"
    return pieces


def scanned_up_to(scanner: Scanner, text: str, size: int, state: Any, final: bool) -> tuple[list[Piece], int]:
    """Scan a text up to `size`; returns the pieces and where the last of them ends.

    Shape: it begins at a line start or a pause. They end at `size`, if that is a line start or a pause, too, or if
           `final`. Text behind `size` tells whether it is a pause.
    """
    pieces = []
    scan, at, stop, reach, line_end = scanner.scan, 0, 0, PIECE, 0
    long = LONG_LINES * PIECE
    while at < size:
        if stop - at < (reach + 1) // 2:
            if line_end < at + reach:
                line_end = text.find("\n", at + reach, size) + 1 or size
            stop = line_end
        found = None
        if stop - at > long:
            found = _paused(scanner, text, at, at + reach, stop, state)
        if found is None:
            if stop < size or final or text[size - 1] == "\n":
                found = scan(text, at, stop, state, final and stop == size)
                assert found.end > at, "a scanner takes all text up to a line start"
            else:
                found = _scanned_to(scanner, text, at, stop, state)
                if found is None:
                    break
        tokens, end, after, head, cuts = found
        first = 0
        for offset, token, between in cuts:
            pieces.append(Piece(text[at:offset], tokens[first:token], state, between, head))
            at, first, state, head = offset, token, between, True
        pieces.append(Piece(text[at:end], tokens[first:] if first else tokens, state, after, head))
        at, state = end, after
        if len(tokens) > _MANY_TOKENS:
            reach = max(reach // 2, PIECE // 4, 1)
        elif len(tokens) < _FEW_TOKENS:
            reach = min(2 * reach, PIECE)
    return pieces, at


def _paused(scanner: Scanner, text: str, at: int, reach: int, stop: int, state: Any) -> Scanned | None:
    """A scan of a long line up to a pause behind `reach`, or to the end of a section; None where there is no pause."""
    if not has_pauses(scanner):
        return None
    pause, step = reach, 1
    for _ in range(_MOST_TRIES):
        place = _MAY_PAUSE.search(text, pause - 1, stop)
        if place is None:
            return None
        found = _scanned_to(scanner, text, at, place.end(), state)
        if found is not None:
            return found
        pause = place.end() + step
        step *= 4
    return None


def _scanned_to(scanner: Scanner, text: str, start: int, stop: int, state: Any) -> Scanned | None:
    """A scan up to a pause, or to the end of a section in front of it; None where there is none."""
    if not has_pauses(scanner):
        return None
    found = scanner.scan(text, start, stop, state, False)
    end = found.end
    if end == stop:
        return found if scanner.pauses(text, start, stop, found.state) else None
    # what is held back can become a marker, what is not begins a section
    ends = end > start and scanner.scan(text, start, stop, state, True).end == end
    return found if ends else None


def grouped(pieces: list[Piece]) -> list[Section]:
    """Make sections of pieces: each goes from one piece at the head of a section to the next."""
    parts = (*pieces,)
    return [section_of(parts[start:end]) for start, end in _groups(parts, 0, len(parts))]


def _groups(pieces: tuple[Piece, ...], first: int, last: int) -> list[tuple[int, int]]:
    """The first piece and the end of each section, where sections begin nowhere but from `first` to `last`."""
    starts = [index for index in range(max(first, 1), last) if pieces[index].head]
    return [*pairwise([0, *starts, len(pieces)])] if pieces else []


def rescan(scanner: Scanner, sections: Sections, empty: Piece, start: int, end: int, text: str) -> Change:
    """Replace the text from `start` to `end`, and update the sections.

    Shape: `empty` is the one section of an empty document.
    """
    change = _in_one_piece(scanner, sections, start, end, text)
    if change is not None:
        return change
    window = Window(sections, start)
    while window.end < end:
        window.grow(1)
    old = "".join([piece.text for piece in window.taken])
    new = old[: start - window.start] + text + old[end - window.start :]
    while window.behind is not None:
        if (window.ends_line() and (not new or new.endswith("\n"))) or (new and window.pauses()):
            break
        new += window.grow(1)

    pieces: list[Piece] = []
    first, index = window.first, window.index
    state, steps = window.taken[0].before, 1
    at = start - window.start
    texts = _around(new, at, at + len(text)) if len(window.taken) == 1 and first.section.is_long else [new]
    while True:
        behind = window.behind
        for number, each in enumerate(texts, 1):
            is_last = number == len(texts)
            ahead = behind.text[:1] if behind is not None and is_last else ""
            found, taken = scanned_up_to(scanner, each + ahead, len(each), state, is_last and behind is None)
            pieces += found
            if found:
                state = found[-1].after
        rest = texts[-1][taken:]
        if behind is None or (not rest and state == behind.before):
            break
        while True:
            rest += window.grow(steps)
            steps *= 2
            if window.ends_line() or window.pauses():
                break
        texts = [rest]

    section, last = first.section, sections.at(window.end - 1)
    stays = last.number == first.number and (index or pieces)
    stays = stays and [piece.head for piece in pieces] == [not number for number in range(index, index + len(pieces))]
    if stays and isinstance(section, Joined) and len(section.pieces) - len(window.taken) + len(pieces) > 1:
        renewed = section.renewed(index, index + len(window.taken), pieces)
        sections.replace(first, first, [renewed])
        return Change([section], [renewed], first.start, first.line, window.taken, pieces)
    end_piece, _ = last.section.piece_at(window.end - 1 - last.start)
    kept, left = section.pieces[:index], last.section.pieces[end_piece + 1 :]
    removed = [*sections.root[first.number : last.number + 1]]
    parts = (*kept, *pieces, *left)
    if not parts[0].head if parts else behind is None:
        # the text continues the previous section, or that is now the last one
        previous = sections.before(first)
        if previous is not None:
            first, kept = previous, (*previous.section.pieces, *kept)
            parts = (*previous.section.pieces, *parts)
            removed.insert(0, previous.section)
    groups = _groups(parts, len(kept), len(parts) - len(left))
    added = [section_of(parts[start:end]) for start, end in groups]
    gone = window.taken
    if not added and len(removed) == len(sections):
        added, pieces = [empty], [empty]
    if removed[-1].is_last:
        ending = added[-1]
        if isinstance(ending, Piece) and ending not in pieces:
            # what is remembered on it holds where something is behind it
            gone = [*gone, ending] if left else [ending, *gone]
            ending = added[-1] = Piece(ending.text, ending.tokens, ending.before, ending.after, ending.head)
            pieces = [ending]
        ending.is_last = True
    sections.replace(first, last, added)
    return Change(removed, added, first.start, first.line, gone, pieces)


def _in_one_piece(scanner: Scanner, sections: Sections, start: int, end: int, text: str) -> Change | None:
    """An edit inside the lines of one piece, after which nothing changes: nearly every keystroke. None for others."""
    placed = sections.at(start)
    section = placed.section
    pieces = section.pieces
    index, inside, old = section.find(start - placed.start)
    stop = inside + end - start
    if stop >= old.length or not old.text.endswith("\n") or (section.is_last and index == len(pieces) - 1):
        return None
    if not (pieces[index - 1].text.endswith("\n") if index else sections.begins_line(placed)):
        return None
    if section.is_long and old.length >= 3 * _near():
        # this edit leaves a short piece
        return None
    found = scanned(scanner, old.text[:inside] + text + old.text[stop:], old.before, False)
    if len(found) != 1 or found[0].head is not old.head or found[0].after != old.after:
        return None
    added: list[Section] = [section.renewed(index, index + 1, found)] if isinstance(section, Joined) else [*found]
    sections.replace(placed, placed, added)
    return Change([section], added, placed.start, placed.line, (old,), found)


def _near() -> int:
    return max(PIECE // NEAR, 1)


def _around(text: str, start: int, end: int) -> list[str]:
    """The text of a piece in parts, cut at line starts: a short one around an edit, and the rest."""
    near = _near()
    if len(text) < 3 * near:
        return [text]
    first = text.rfind("\n", 0, max(start - near // 2, 0)) + 1
    last = text.find("\n", end + near // 2) + 1
    cuts = [first] * (first >= near) + [last] * (last > 0 and len(text) - last >= near)
    return [text[at:stop] for at, stop in pairwise([0, *cuts, len(text)])]
