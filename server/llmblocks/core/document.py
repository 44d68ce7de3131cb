"""An editable text, with its tokens and sections kept up to date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from llmblocks.core.query import SHORT, evict
from llmblocks.core.rescan import Change, grouped, rescan, scanned
from llmblocks.core.scan import Scanner, Token, canonical
from llmblocks.core.section import Piece, Section
from llmblocks.core.sequence import Address, CountFindings, Placed, Sections
from llmblocks.core.tree import newlines_of


def _nothing(_: Section) -> int:
    return 0


class _Counting:
    """Counts the findings of new sections, and has them forget what else has been asked about them."""

    def __init__(self, count_findings: CountFindings, *, evicts: bool) -> None:
        self.count_findings = count_findings
        self.evicts = evicts

    def __call__(self, section: Section) -> int:
        section.finding_count = self.count_findings(section)
        if self.evicts:
            evict(section)
        return section.finding_count


class Document:
    """A text as a sequence of sections.

    An edit scans the text that it touches, and continues by line until the scanner's state agrees with the old one.
    Every section that was not scanned again stays the same object.

    Shape: places are code points; `line` and `col` count from 0, and `\\n` alone ends a line. `count_findings` counts
           the findings of every new section: `with_findings` finds the sections that have some.
    """

    __slots__ = ("_count_findings", "_empty", "_scanner", "_sections")

    def __init__(self, scanner: Scanner, text: str = "", count_findings: CountFindings = _nothing) -> None:
        self._scanner = scanner
        self._count_findings = count_findings
        self._empty = Piece("", [], scanner.initial, scanner.initial, True)
        sections = grouped(scanned(scanner, text, scanner.initial, True))
        sections = sections or [self._empty]
        sections[-1].is_last = True
        counting = _Counting(count_findings, evicts=len(text) >= SHORT)
        self._sections = Sections(sections, counting)
        # it may grow
        counting.evicts = True

    def __len__(self) -> int:
        return self._sections.length

    @property
    def scanner(self) -> Scanner:
        return self._scanner

    def counts(self, count_findings: CountFindings) -> bool:
        """Whether this is how it counts its findings."""
        return self._count_findings == count_findings

    @property
    def text(self) -> str:
        return "".join(piece.text for section in self._sections for piece in section.pieces)

    @property
    def sections(self) -> Sections:
        return self._sections

    @property
    def newlines(self) -> int:
        return self._sections.newlines

    @property
    def end_state(self) -> Any:
        """The scanner's state at the end of the text, which shows the constructs that are still open."""
        last = self._sections.at(len(self)).section
        return last.after

    def tokens(self) -> list[Token]:
        """All tokens in order, with split tokens joined."""
        return canonical([token for section in self._sections for token in section.tokens])

    def section_at(self, offset: int) -> Placed:
        """The section that holds `offset`, at its place."""
        return self._sections.at(offset)

    def placed(self) -> Iterator[Placed]:
        """All sections with their places."""
        return self._sections.all()

    def pieces(self) -> Iterator[Piece]:
        """All pieces in order."""
        return chain.from_iterable(section.pieces for section in self._sections)

    def onward(self, offset: int) -> Iterator[Placed]:
        """The section that holds a place, and those after it."""
        placed: Placed | None = self._sections.at(offset)
        while placed is not None:
            yield placed
            placed = self._sections.after(placed)

    def backward(self, offset: int) -> Iterator[Placed]:
        """The section that holds a place, and those before it, the nearest first."""
        placed: Placed | None = self._sections.at(offset)
        while placed is not None:
            yield placed
            placed = self._sections.before(placed)

    def lines_on(self, offset: int) -> Iterator[tuple[Piece, int]]:
        """The piece that holds a place, and those after it, each with its start."""
        place, start = self._piece_at(offset)
        for piece in self._sections.pieces_from(place):
            yield piece, start
            start += piece.length

    def lines_back(self, offset: int) -> Iterator[tuple[Piece, int]]:
        """The piece that holds a place, and those before it, the nearest first, each with its start."""
        place, start = self._piece_at(offset)
        yield next(self._sections.pieces_from(place)), start
        for piece in self._sections.pieces_before(place):
            start -= piece.length
            yield piece, start

    def _piece_at(self, offset: int) -> tuple[Address, int]:
        """The piece that holds a place, and its start."""
        placed = self._sections.at(offset)
        number, inside = placed.section.piece_at(max(offset - placed.start, 0))
        return Address(placed.number, number), offset - inside

    def with_findings(self, pieces: Iterable[Piece] = ()) -> Iterator[Placed]:
        """The sections with findings, and those of some pieces, at their places."""
        return self._sections.with_findings(pieces)

    def slice(self, start: int, end: int) -> str:
        """The text between two places."""
        start, end = max(start, 0), min(end, len(self))
        placed: Placed | None = self._sections.at(start)
        parts = []
        while placed is not None and placed.start < end:
            parts.append(placed.section.slice(max(start - placed.start, 0), end - placed.start))
            placed = self._sections.after(placed)
        return "".join(parts)

    def line_start(self, line: int) -> int:
        """The start of a line; the end of the text for a line after the last one."""
        if line <= 0:
            return 0
        section, start, before, *_ = self._sections.at_newline(line)
        if before + section.newlines < line:
            return len(self)
        number, others, piece = section.find(line - before - 1, newlines_of)
        text, at = piece.text, -1
        for _ in range(others + 1):
            at = text.find("\n", at + 1)
        return start + section.up_to(number).length + at + 1

    def offset(self, line: int, col: int) -> int:
        """The offset of a column on a line, clamped to the end of the line or the text."""
        if line < 0:
            return 0
        end = self.line_start(line + 1) - (line < self.newlines)
        return min(self.line_start(line) + max(col, 0), end)

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        offset = min(max(offset, 0), len(self))
        section, start, line, *_ = self._sections.at(offset)
        number, inside, piece = section.find(offset - start)
        line += section.up_to(number).newlines + piece.text.count("\n", 0, inside)
        col = inside - piece.text.rfind("\n", 0, inside) - 1
        # unless the line begins in this piece
        return line, col if col < inside else offset - self.line_start(line)

    def edit(self, start: int, end: int, text: str) -> Change:
        """Replace the text from `start` to `end`, which are clamped to the text, with `text`."""
        size = self._sections.length
        start = min(max(start, 0), size)
        end = min(max(end, start), size)
        return rescan(self._scanner, self._sections, self._empty, start, end, text)
