"""The old pieces of a document that an edit scans again."""

from __future__ import annotations

from llmblocks.core.section import Piece
from llmblocks.core.sequence import Address, Sections


class Window:
    """The old pieces that an edit rescans, from a line start or from a pause in front of it.

    Shape: `taken` are these pieces, in order, the one with the number `index` in the section `first` and those after
           it, from `start` to `end` in the document; `behind` is the next one, None at the end of the document.
    """

    def __init__(self, sections: Sections, offset: int) -> None:
        placed = sections.at(offset)
        index, inside = placed.section.piece_at(offset - placed.start)
        piece, start = placed.section.pieces[index], offset - inside
        for before in sections.pieces_before(Address(placed.number, index)):
            # what stands behind a pause has told that it is one
            if before.text.endswith("\n") or (start < offset and not piece.head):
                break
            piece, start = before, start - before.length
        self.start = self.end = start
        self.first = sections.at(start)
        self.index, _ = self.first.section.piece_at(start - self.first.start)
        self.taken: list[Piece] = []
        self._onward = sections.pieces_from(Address(self.first.number, self.index))
        self.behind = next(self._onward, None)
        self.grow(1)

    def grow(self, pieces: int) -> str:
        """Add the next pieces, if there are any; returns their text."""
        known = len(self.taken)
        while self.behind is not None and len(self.taken) < known + pieces:
            self.taken.append(self.behind)
            self.end += self.behind.length
            self.behind = next(self._onward, None)
        return "".join([piece.text for piece in self.taken[known:]])

    def ends_line(self) -> bool:
        """Whether the window ends at an old line end, or with the document."""
        return self.behind is None or self.taken[-1].text.endswith("\n")

    def pauses(self) -> bool:
        """Whether the window ends at a pause inside an old line."""
        return self.behind is not None and not self.behind.head and not self.ends_line()
