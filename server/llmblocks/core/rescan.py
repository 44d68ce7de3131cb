"""Scanning of a whole text, and of the surroundings of an edit until the state agrees with the old one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from llmblocks.core.scan import Scanner
from llmblocks.core.section import Piece, Section
from llmblocks.core.sequence import Placed, Sections

PIECE = 8192
"""A section longer than this, in code points, is kept in several pieces, cut at line starts. Where tokens are dense
the pieces are shorter, so that scanning one again costs about the same everywhere."""
NEAR = 16
"""Around an edit in a long section, pieces are so many times shorter: the next edits there scan one of these."""
_MANY_TOKENS = 128
_FEW_TOKENS = 32


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
    pieces = []
    scan, size, at, stop, reach = scanner.scan, len(text), 0, 0, PIECE
    while at < size:
        if stop - at < reach // 2:
            stop = text.find("\n", at + reach) + 1 or size
        tokens, end, after, head, cuts = scan(text, at, stop, state, final and stop == size)
        assert end > at, "a scanner takes all text up to a line start"
        first = 0
        for offset, token, between in cuts:
            pieces.append(Piece(text[at:offset], tokens[first:token], state, between, head))
            at, first, state, head = offset, token, between, True
        pieces.append(Piece(text[at:end], tokens[first:] if first else tokens, state, after, head))
        at, state = end, after
        if len(tokens) > _MANY_TOKENS:
            reach = max(reach // 2, PIECE // 4)
        elif len(tokens) < _FEW_TOKENS:
            reach = min(2 * reach, PIECE)
    return pieces


def grouped(pieces: list[Piece]) -> list[Section]:
    """Make sections of pieces: each goes from one piece at the head of a section to the next."""
    parts = (*pieces,)
    return [Section(parts[start:end]) for start, end in _groups(parts, 0, len(parts))]


def _groups(pieces: tuple[Piece, ...], first: int, last: int) -> list[tuple[int, int]]:
    """The first piece and the end of each section, where sections begin nowhere but from `first` to `last`."""
    starts = [index for index in range(max(first, 1), last) if pieces[index].head]
    return [*pairwise([0, *starts, len(pieces)])] if pieces else []


def rescan(scanner: Scanner, sections: Sections, empty: Section, start: int, end: int, text: str) -> Change:
    """Replace the text from `start` to `end`, and update the sections.

    Shape: `empty` is the one section of an empty document.
    """
    change = _in_one_piece(scanner, sections, start, end, text)
    if change is not None:
        return change
    window = _Window(sections, start)
    window.grow_to(end)
    old = window.take()
    new = old[: start - window.start] + text + old[end - window.start :]
    while not (window.at_end or (window.ends_line() and (not new or new.endswith("\n")))):
        window.grow(1)
        new += window.take()

    pieces: list[Piece] = []
    state, steps = window.before, 1
    at = start - window.start
    is_long = len(window.taken) == 1 and len(window.first.section.pieces) > 1
    texts = _around(new, at, at + len(text)) if is_long else [new]
    while True:
        for number, each in enumerate(texts, 1):
            found = scanned(scanner, each, state, window.at_end and number == len(texts))
            pieces += found
            if found:
                state = found[-1].after
        if window.at_end or state == window.state_behind():
            break
        while True:
            window.grow(steps)
            steps *= 2
            if window.ends_line():
                break
        texts = [window.take()]

    first = window.first
    renewed = window.renewed(pieces)
    if renewed is not None:
        removed, added = [first.section], [renewed]
        renewed.is_last = first.section.is_last
        sections.replace(first, first, added, pieces)
        return Change(removed, added, first.start, first.line, window.taken, pieces)
    kept, left = window.kept(), window.left()
    removed = list(window.sections())
    parts = (*kept, *pieces, *left)
    if not parts[0].head if parts else window.at_end:
        # the text continues the previous section, or that is now the last one
        previous = sections.before(first)
        if previous is not None:
            first, kept = previous, (*previous.section.pieces, *kept)
            parts = (*previous.section.pieces, *parts)
            removed.insert(0, previous.section)
    groups = _groups(parts, len(kept), len(parts) - len(left))
    added = [Section(parts[start:end]) for start, end in groups]
    if not added and len(removed) == len(sections):
        added, pieces = [empty], [*empty.pieces]
    if removed[-1].is_last:
        added[-1].is_last = True
    sections.replace(first, window.last, added, pieces)
    return Change(removed, added, first.start, first.line, window.taken, pieces)


def _in_one_piece(scanner: Scanner, sections: Sections, start: int, end: int, text: str) -> Change | None:
    """An edit inside the lines of one piece, after which nothing changes: nearly every keystroke. None for others."""
    placed = sections.at(start)
    section = placed.section
    pieces = section.pieces
    index, inside = section.piece_at(start - placed.start) if len(pieces) > 1 else (0, start - placed.start)
    old = pieces[index]
    stop = inside + end - start
    if stop >= old.length or not old.text.endswith("\n") or (section.is_last and index == len(pieces) - 1):
        return None
    if not (pieces[index - 1].text.endswith("\n") if index else sections.begins_line(placed)):
        return None
    if len(pieces) > 1 and old.length >= 3 * _near():
        # this edit leaves a short piece
        return None
    found = scanned(scanner, old.text[:inside] + text + old.text[stop:], old.before, False)
    if len(found) != 1 or found[0].head is not old.head or found[0].after != old.after:
        return None
    if len(pieces) > 1:
        renewed = section.renewed(index, (old,), found)
        renewed.is_last = section.is_last
    else:
        renewed = Section((found[0],))
    added = [renewed]
    sections.replace(placed, placed, added, found)
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


class _Window:
    """The old pieces that an edit rescans, from a line start.

    Shape: `taken` are these pieces, in order.
    """

    def __init__(self, sections: Sections, offset: int) -> None:
        self._sections = sections
        placed = sections.at(offset)
        index, inside = placed.section.piece_at(offset - placed.start)
        start = offset - inside
        while index == 0 and start and not _ends_line(sections.before(placed)):
            before = sections.before(placed)
            assert before is not None
            placed, index = before, len(before.section.pieces) - 1
            start = placed.start + placed.section.length - len(placed.section.pieces[index].text)
        self.first = self.last = placed
        self.start = self._end = start
        self._first_index = index
        self._next_index = index
        self.taken: list[Piece] = []
        self._parts: list[str] = []
        self.grow(1)

    @property
    def before(self) -> Any:
        """The scanner's state at the start of the window."""
        return self.first.section.pieces[self._first_index].before

    @property
    def at_end(self) -> bool:
        """Whether the window reaches the end of the document."""
        return self._behind() is None

    def grow_to(self, end: int) -> None:
        while self._end < end:
            self.grow(1)

    def grow(self, pieces: int) -> None:
        """Add the next pieces, if there are any."""
        for _ in range(pieces):
            behind = self._behind()
            if behind is None:
                return
            self.last, index = behind
            piece = self.last.section.pieces[index]
            self._next_index = index + 1
            self._parts.append(piece.text)
            self.taken.append(piece)
            self._end += len(piece.text)

    def take(self) -> str:
        """The text added since the last call."""
        text = "".join(self._parts)
        self._parts.clear()
        return text

    def ends_line(self) -> bool:
        """Whether the window ends at an old line end, or with the document."""
        return self.at_end or self.last.section.pieces[self._next_index - 1].text.endswith("\n")

    def state_behind(self) -> Any:
        """The state in which the text after the window was scanned."""
        behind = self._behind()
        assert behind is not None
        return behind[0].section.pieces[behind[1]].before

    def kept(self) -> Sequence[Piece]:
        """The pieces before the window in its first section."""
        return self.first.section.pieces[: self._first_index]

    def left(self) -> Sequence[Piece]:
        """The pieces after the window in its last section."""
        return self.last.section.pieces[self._next_index :]

    def renewed(self, pieces: list[Piece]) -> Section | None:
        """The long section with other pieces in the place of the window; None where it is no longer one section."""
        section, head = self.first.section, self._first_index
        tail = len(section.pieces) - self._next_index
        if self.last.section is not section or head + len(pieces) + tail < 2:
            return None
        if not head and (not pieces or not pieces[0].head):
            return None
        if any(piece.head for piece in (pieces if head else pieces[1:])):
            return None
        return section.renewed(head, self.taken, pieces)

    def sections(self) -> list[Section]:
        """All sections that the window touches."""
        found, placed = [self.first.section], self.first
        while placed.section is not self.last.section:
            after = self._sections.after(placed)
            assert after is not None
            placed = after
            found.append(placed.section)
        return found

    def _behind(self) -> tuple[Placed, int] | None:
        if self._next_index < len(self.last.section.pieces):
            return self.last, self._next_index
        after = self._sections.after(self.last)
        return None if after is None else (after, 0)


def _ends_line(placed: Placed | None) -> bool:
    return placed is None or placed.section.pieces[-1].text.endswith("\n")
