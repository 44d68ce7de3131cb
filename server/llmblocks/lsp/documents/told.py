"""All diagnostics of a document as JSON text, of which a keystroke rewrites only the changed ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.finding import Finding
from llmblocks.core.places import order
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.core.severity import Severity
from llmblocks.languages.ask import SectionFindings
from llmblocks.lsp.documents.columns import ClientPositions
from llmblocks.lsp.documents.diagnostics import Drawn, as_text, draw, notice, touches_first_line, write
from llmblocks.lsp.documents.named import DrawnNames
from llmblocks.lsp.documents.silenced import DrawnSilences

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.index import Index
    from llmblocks.core.rescan import Change
    from llmblocks.core.sequence import Placed
    from llmblocks.rules.check import Checker, PieceFindings
    from llmblocks.rules.named import NamedFinding, Names
    from llmblocks.rules.silences import Silences

    _Key = Piece | PieceFindings | tuple[NamedFinding, ...]

_MANY_SECTIONS = 32


class _Written:
    """The last JSON of some findings: most changes leave most of them unmoved."""

    __slots__ = ("character", "drawn", "json", "line", "on_first_line")

    def __init__(self, drawn: list[Drawn]) -> None:
        self.drawn = drawn
        self.on_first_line = touches_first_line(drawn)
        self.line = self.character = -1
        self.json = b""


class _Row(NamedTuple):
    """The findings in one piece.

    Shape: `key` is the same object for as long as they are the same findings; `at` is the engine's line that the piece
           begins on; `line` and `start` are the client's line and the place that the findings count from.
    """

    key: _Key
    at: int
    line: int
    start: int
    written: _Written
    begins_line: bool


class _Cell(NamedTuple):
    """What is found in one piece of a section. Shape: `named` are findings about names, `found` all others."""

    key: _Key
    number: int
    found: PieceFindings | None
    named: tuple[NamedFinding, ...]


class ToldDiagnostics:
    """The diagnostics of one document.

    Shape: `_lines`, `_keys` and `_parts` go together: the rows of findings, in order, as far as shown. The part of a
           row is empty where all of it is silenced. What is written of a row is remembered on its piece or, where it
           takes several pieces to see it, on its section. Neither may reference the document: large documents are
           hidden from the garbage collector, and the cycle would leak.
    """

    def __init__(
        self,
        check: Checker,
        names: Names | None,
        document: Document,
        positions: ClientPositions,
        uri: str,
        most: int,
    ) -> None:
        self._check = check
        self._named: dict[Piece, tuple[_Key, _Written]] = {}
        self._document = document
        self._positions = positions
        encoding = positions.encoding
        self._local: Query[Piece, _Written] = Query(
            "diagnostics of a piece", lambda piece: _Written(draw(Section((piece,)), check.local(piece), encoding))
        )
        self._across: Query[Section, dict[int, _Written]] = Query("diagnostics across pieces", lambda _: {})
        self._uri = as_text(uri)
        self._names = names
        self._drawn_names = DrawnNames(self._names, positions, self._uri)
        self._silences = DrawnSilences(check, document, self._names, self._drawn_names, encoding)
        self._most = most
        self._stale = True
        self._items: bytes | None = None
        self._lines: list[int] = []
        self._keys: list[_Key] = []
        self._parts: list[bytes] = []
        self._tail = b""
        self._cut = 0

    @property
    def index(self) -> Index | None:
        """The names of the document, if a rule needs them."""
        return self._names.index if self._names else None

    def note(self, change: Change) -> None:
        """Take in what an edit has done to the document."""
        removed, added = change.removed, change.added
        concerned = not self._stale and self._are_found_in(removed)
        gone = (
            [cell.key for section in removed for cell in self._found(section)] if concerned and not self._tail else []
        )
        named = self._names is not None and self._names.note(change)
        count = self._silences.count
        if not self._silences.note(change, named=named):
            self._stale = True
        if self._stale:
            return
        returns = self._document.sections.returns or any(section.returns for section in removed)
        if named or len(removed) + len(added) > _MANY_SECTIONS or returns:
            self._stale = True
            return
        concerned = concerned or self._are_found_in(added)
        moved = _newlines(added) != _newlines(removed) or not self._ends_alike(change)
        if moved:
            # where there is nothing behind the change, nothing has moved; a related place may be anywhere
            self._stale = (
                concerned
                or not self._lines
                or self._lines[-1] >= change.line
                or bool(self._tail)
                or self._drawn_names.count > 0
            )
        elif concerned:
            self._replace(change, gone, more=self._silences.count - count)

    def around_changed(self, names: Mapping[str, set[str]] | None) -> bool:
        """Judge names anew because of other files: see `Names`; says whether anything is told differently."""
        told = self._names is not None and self._names.around_changed(names)
        if told:
            self._silences.lose()
        self._stale = self._stale or told
        return told

    def places_moved(self, files: Collection[str]) -> bool:
        """Look again for the places in some other files; says whether one is told differently."""
        told = self._names is not None and self._names.places_moved(files)
        self._stale = self._stale or told
        return told

    def items(self) -> bytes:
        """All diagnostics separated by commas, as many as may be shown, and one that says how many more there are."""
        if self._stale:
            self._write_all()
        if self._items is None:
            self._items = b",".join(filter(None, (*self._parts, self._tail)))
        return self._items

    def findings(self, start: int, end: int) -> list[Finding]:
        """The findings that touch a stretch of text, in order, places counted from the start of the document."""
        found: list[Finding] = []
        silences = self._silences.refresh()
        placed: Placed | None = self._document.section_at(max(start - 1, 0))
        while placed is not None and placed.start <= end:
            found += self._findings_in(placed, silences)
            if silences is not None and self._silences.are_in(placed.section):
                at = placed.start
                for piece in placed.section.pieces:
                    found += [each.moved(at) for each in silences.own.get(piece, ())]
                    at += piece.length
            placed = self._document.sections.after(placed)
        return sorted([each for each in found if each.start <= end and each.end >= start], key=order)

    def all_findings(self) -> Iterator[SectionFindings]:
        """The findings of each section that has some, but for those of comments."""
        silences = self._silences.refresh()
        for placed in self._document.with_findings(self._drawn_names.pieces):
            if found := self._findings_in(placed, silences):
                yield SectionFindings(placed, found)

    def _findings_in(self, placed: Placed, silences: Silences | None) -> list[Finding]:
        """The findings in a section that no comment silences; the places count from the start of the document."""
        section = placed.section
        found = [*self._check(section)] if section.finding_count else []
        if self._drawn_names.are_in(section):
            at = 0
            for piece in section.pieces:
                found += [each.finding.moved(at) for each in self._drawn_names.of(piece)]
                at += piece.length
        if silences is not None:
            found = [each for each in found if not silences.hides_in(section, each.code, each.start)]
        return [each.moved(placed.start) for each in found]

    def _ends_alike(self, change: Change) -> bool:
        """Whether what follows the change starts at the same column as before."""
        removed, added = change.removed, change.added
        if not removed or not added:
            return False
        if _ends_line(removed[-1]) and _ends_line(added[-1]):
            return True
        return change.start + sum(section.length for section in added) == len(self._document)

    def _replace(self, change: Change, gone: list[_Key], more: int) -> None:
        """Put other rows in the place of some, where nothing else is concerned.

        Shape: `more` is the change of the number of findings that comments have made.
        """
        self._stale = True
        if self._tail or self._count() > self._most:
            # nothing behind the cut is shown; elsewhere, what is shown and how many are not may change far from here
            self._stale = not (
                self._tail
                and change.line > self._cut
                and _finding_count(change.removed) == _finding_count(change.added) + more
            )
            return
        lines, end = self._lines, change.line + _newlines(change.removed)
        first = bisect_left(lines, change.line)
        last = (
            bisect_left(lines, end + 1) if not _ends_line(change.removed[-1]) else max(bisect_left(lines, end), first)
        )
        old = self._keys[first:last]
        if len(old) != len(gone) or any(one is not other for one, other in zip(old, gone, strict=True)):
            # something else begins on the same line
            return
        rows: list[_Row] = []
        placed: Placed | None = self._document.section_at(change.start)
        for section in change.added:
            if placed is None or placed.section is not section:
                return
            rows += self._rows(placed, self._named)
            placed = self._document.sections.after(placed)
        self._lines[first:last] = [row.at for row in rows]
        self._keys[first:last] = [row.key for row in rows]
        parts = [self._json(row) for row in rows]
        if parts != self._parts[first:last]:
            self._parts[first:last], self._items = parts, None
        self._stale = False

    def _write_all(self) -> None:
        self._lines, self._keys, self._parts, self._tail = [], [], [], b""
        left = self._most
        before, self._named = self._named, {}
        self._silences.refresh()
        for placed in self._document.with_findings((*self._drawn_names.pieces, *self._silences.pieces)):
            for row in self._rows(placed, before):
                drawn = row.written.drawn
                if left < len(drawn):
                    if left:
                        self._parts.append(write(drawn[:left], row.line, self._character(row), self._uri))
                    more = _more(self._count() - self._most)
                    self._tail = notice(more, Severity.INFORMATION, placed.line + placed.returns)
                    self._cut = row.at
                    self._stale, self._items = False, None
                    return
                left -= len(drawn)
                self._lines.append(row.at)
                self._keys.append(row.key)
                self._parts.append(self._json(row))
        self._stale, self._items = False, None

    def _are_found_in(self, sections: Sequence[Section]) -> bool:
        """Whether anything is found in one of the sections."""
        return any(
            section.finding_count or self._drawn_names.are_in(section) or self._silences.are_in(section)
            for section in sections
        )

    def _count(self) -> int:
        """The number of findings."""
        return self._document.sections.finding_count + self._drawn_names.count + self._silences.count

    def _found(self, section: Section) -> Iterator[_Cell]:
        """The findings in the pieces of a section."""
        local = self._check.found(section) if section.finding_count else ()
        if not self._drawn_names.are_in(section) and not self._silences.are_in(section):
            for found in local:
                yield _Cell(found if found.across else section.pieces[found.piece], found.piece, found, ())
            return
        by_number = {found.piece: found for found in local}
        numbers = {*by_number, *self._drawn_names.numbers(section), *self._silences.numbers(section)}
        for number in sorted(numbers):
            piece, here = section.pieces[number], by_number.get(number)
            named = self._drawn_names.of(piece)
            key = named or (here if here and here.across else piece)
            yield _Cell(key, number, here, named)

    def _rows(self, placed: Placed, known: dict[Piece, tuple[_Key, _Written]]) -> Iterator[_Row]:
        section = placed.section
        cells = [*self._found(section)]
        fronts = section.up_to_each(cell.number for cell in cells)
        for (key, number, found, named), front in zip(cells, fronts, strict=True):
            piece, start, at = section.pieces[number], placed.start + front.length, placed.line + front.newlines
            if self._silences.concern(section, piece, front.length):
                whole, base, line = Section((piece,)), start, at + placed.returns + front.returns
                if found is not None and found.across:
                    whole, base, line = section, placed.start, placed.line + placed.returns
                drawn = self._silences.draw(section, piece, whole, base - placed.start, start - base, found, named)
                begins_line = not base or self._document.slice(base - 1, base) == "\n"
                yield _Row(key, at, line, base, _Written(drawn), begins_line)
                continue
            if found is not None and found.across:
                # these count from the section, not from the piece
                written = self._across(section).get(number)
                if written is None:
                    findings = found.findings(start - placed.start)
                    written = self._across(section)[number] = _Written(
                        draw(section, findings, self._positions.encoding)
                    )
                if named:
                    findings = found.findings(start - placed.start)
                    drawn = self._drawn_names.join(section, start - placed.start, named, findings, written.drawn)
                    written = _Written(drawn)
                begins_line = self._document.sections.begins_line(placed)
                yield _Row(key, at, placed.line + placed.returns, placed.start, written, begins_line)
                continue
            written = self._with_names(piece, found, named, known) if named else self._local(piece)
            begins_line = (
                section.pieces[number - 1].text.endswith("\n")
                if number
                else self._document.sections.begins_line(placed)
            )
            yield _Row(key, at, at + placed.returns + front.returns, start, written, begins_line)

    def _with_names(
        self,
        piece: Piece,
        found: PieceFindings | None,
        named: tuple[NamedFinding, ...],
        known: dict[Piece, tuple[_Key, _Written]],
    ) -> _Written:
        """What is written for a piece in which findings about names are: kept where no other place is named."""
        key, written = known.get(piece, (None, None))
        if written is None or key is not named:
            own = self._local(piece).drawn if found else []
            findings = self._check.local(piece) if found else ()
            written = _Written(self._drawn_names.join(Section((piece,)), 0, named, findings, own))
        if not any(each.related for each in named):
            self._named[piece] = named, written
        return written

    def _json(self, row: _Row) -> bytes:
        written, character = row.written, self._character(row)
        if written.line != row.line or written.character != character:
            written.line, written.character = row.line, character
            written.json = write(written.drawn, row.line, character, self._uri)
        return written.json

    def _character(self, row: _Row) -> int:
        """The client's character at which the findings of a row begin to count, where that matters."""
        if not row.written.on_first_line or row.begins_line:
            return 0
        return self._positions.position(row.start)[1]


def _finding_count(sections: Sequence[Section]) -> int:
    return sum(section.finding_count for section in sections)


def _newlines(sections: Sequence[Section]) -> int:
    return sum(section.newlines for section in sections)


def _ends_line(section: Section) -> bool:
    return section.pieces[-1].text.endswith("\n")


def _more(count: int) -> str:
    return f"{count} more findings are not shown — fix some, or raise llmblocks.diagnostics.maxPerDocument"
