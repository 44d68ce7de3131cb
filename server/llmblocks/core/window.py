"""The old pieces of a document that an edit scans again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llmblocks.core.section import Joined, Piece, Section
from llmblocks.core.sequence import Placed, Sections


class Window:
    """The old pieces that an edit rescans, from a line start or from a pause in front of it.

    Shape: `taken` are these pieces, in order.
    """

    def __init__(self, sections: Sections, offset: int) -> None:
        self._sections = sections
        placed = sections.at(offset)
        index, inside = placed.section.piece_at(offset - placed.start)
        start = offset - inside
        while start:
            if index:
                # what stands behind a pause has told that it is one
                if start < offset or placed.section.pieces[index - 1].text.endswith("\n"):
                    break
                index -= 1
                start -= placed.section.pieces[index].length
                continue
            before = sections.before(placed)
            if _ends_line(before):
                break
            assert before is not None
            placed, index = before, len(before.section.pieces) - 1
            start = placed.start + placed.section.length - placed.section.pieces[index].length
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
        """Add pieces up to a place."""
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

    def pauses(self) -> bool:
        """Whether the window ends at a pause inside an old line."""
        behind = self._behind()
        return behind is not None and behind[1] > 0 and not self.ends_line()

    def text_behind(self) -> str:
        """The text of the piece behind the window; empty at the end of the document."""
        behind = self._behind()
        return "" if behind is None else behind[0].section.pieces[behind[1]].text

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
        if self.last.section is not section or not isinstance(section, Joined) or head + len(pieces) + tail < 2:
            return None
        if not head and (not pieces or not pieces[0].head):
            return None
        if any(piece.head for piece in (pieces if head else pieces[1:])):
            return None
        return section.renewed(head, self._next_index, pieces)

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
