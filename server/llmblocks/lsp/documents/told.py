"""All diagnostics of one document as JSON text, kept so that a keystroke writes only what it has changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from llmblocks.core.finding import Severity
from llmblocks.lsp.documents.columns import Encoding, Places, SectionPlaces
from llmblocks.lsp.documents.diagnostics import Check, Drawn, as_text, draw, notice, touches_first_line, write

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.rescan import Change
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Placed

_MANY_SECTIONS = 32


class _Written:
    """What was last written for a section: most changes leave most sections where they were."""

    __slots__ = ("character", "drawn", "json", "line", "on_first_line")

    def __init__(self, drawn: list[Drawn]) -> None:
        self.drawn = drawn
        self.on_first_line = touches_first_line(drawn)
        self.line = self.character = -1
        self.json = b""


class _Drawing:
    """Draws the findings of a section.

    It is remembered on sections, and so must not lead back to their document: nothing would ever free the two, as large
    documents are hidden from the garbage collector.
    """

    __slots__ = ("_check", "_places")

    def __init__(self, check: Check, encoding: Encoding) -> None:
        self._check = check
        self._places = SectionPlaces(encoding)

    def __call__(self, section: Section) -> _Written:
        return _Written(draw(section, self._check(section), self._places))


class Board:
    """The diagnostics of one document.

    Shape: `check` gives the findings of a section; what is written of them is remembered on the section.
           `_lines`, `_sections` and `_parts` go together: the sections that have findings, in order, as far as shown.
    """

    def __init__(self, check: Check, document: Document, places: Places, uri: str, most: int) -> None:
        self._check = check
        self._document = document
        self._places = places
        self._drawing = _Drawing(check, places.encoding)
        self._uri = as_text(uri)
        self._most = most
        self._stale = True
        self._items: bytes | None = None
        self._lines: list[int] = []
        self._sections: list[Section] = []
        self._parts: list[bytes] = []
        self._tail = b""

    def note(self, change: Change) -> None:
        """Take in what an edit has done to the document."""
        if self._stale:
            return
        removed, added = change.removed, change.added
        if len(removed) + len(added) > _MANY_SECTIONS or self._document.sections.returns:
            self._stale = True
            return
        gone = [section for section in removed if self._check(section)]
        come = [section for section in added if self._check(section)]
        moved = _newlines(added) != _newlines(removed) or not self._ends_alike(change)
        if moved:
            # where there is nothing behind the change, nothing has moved
            self._stale = bool(gone or come) or not self._lines or self._lines[-1] >= change.line or bool(self._tail)
        elif gone or come:
            self._replace(change, gone, come)

    def items(self) -> bytes:
        """All diagnostics separated by commas, as many as may be shown, and one that says how many more there are."""
        if self._stale:
            self._write_all()
        if self._items is None:
            self._items = b",".join([*self._parts, self._tail] if self._tail else self._parts)
        return self._items

    def _ends_alike(self, change: Change) -> bool:
        """Whether what follows the change starts at the same column as before."""
        removed, added = change.removed, change.added
        if not removed or not added:
            return False
        if _ends_line(removed[-1]) and _ends_line(added[-1]):
            return True
        return change.start + sum(section.length for section in added) == len(self._document)

    def _replace(self, change: Change, gone: list[Section], come: list[Section]) -> None:
        """Put other sections with findings in the place of some, where nothing else is concerned."""
        self._stale = True
        if self._tail or self._document.sections.weight > self._most:
            # what is shown, and how many are not, may change far from here
            return
        lines, end = self._lines, change.line + _newlines(change.removed)
        first = bisect_left(lines, change.line)
        last = (
            bisect_left(lines, end + 1) if not _ends_line(change.removed[-1]) else max(bisect_left(lines, end), first)
        )
        old = self._sections[first:last]
        if len(old) != len(gone) or any(one is not other for one, other in zip(old, gone, strict=True)):
            # something else begins on the same line
            return
        fresh = []
        placed: Placed | None = self._document.section_at(change.start)
        for section in change.added:
            if placed is None or placed.section is not section:
                return
            if self._check(section):
                fresh.append((placed.line, section, self._written(placed).json))
            placed = self._document.sections.after(placed)
        self._lines[first:last] = [line for line, _, _ in fresh]
        self._sections[first:last] = [section for _, section, _ in fresh]
        self._parts[first:last] = [json for _, _, json in fresh]
        self._stale, self._items = False, None

    def _write_all(self) -> None:
        self._lines, self._sections, self._parts, self._tail = [], [], [], b""
        left = self._most
        for placed in self._document.flagged():
            written = self._written(placed)
            if left < len(written.drawn):
                line = placed.line + placed.returns
                if left:
                    self._parts.append(write(written.drawn[:left], line, written.character, self._uri))
                self._tail = notice(_more(self._document.sections.weight - self._most), Severity.INFORMATION, line)
                break
            left -= len(written.drawn)
            self._lines.append(placed.line)
            self._sections.append(placed.section)
            self._parts.append(written.json)
        self._stale, self._items = False, None

    def _written(self, placed: Placed) -> _Written:
        written = placed.section.remember(self._drawing)
        line, character = placed.line + placed.returns, 0
        if written.on_first_line and not self._starts_line(placed):
            character = self._places.position(placed.start)[1]
        if written.line != line or written.character != character:
            written.line, written.character = line, character
            written.json = write(written.drawn, line, character, self._uri)
        return written

    def _starts_line(self, placed: Placed) -> bool:
        return placed.start == 0 or self._document.slice(placed.start - 1, placed.start) == "\n"


def _newlines(sections: Sequence[Section]) -> int:
    return sum(section.newlines for section in sections)


def _ends_line(section: Section) -> bool:
    return section.pieces[-1].text.endswith("\n")


def _more(count: int) -> str:
    return f"{count} more findings are not shown — mend some, or raise llmblocks.diagnostics.maxPerDocument"
