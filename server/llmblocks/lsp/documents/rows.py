"""The findings in each piece of a document as JSON text, as long as they are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.lsp.documents.columns import ClientPositions
from llmblocks.lsp.documents.diagnostics import FindingJson, findings_json, touches_first_line, write
from llmblocks.lsp.documents.name_diagnostics import NameDiagnostics
from llmblocks.lsp.documents.silenced_diagnostics import SilencedDiagnostics

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.sequence import Placed
    from llmblocks.facts.problem import Stated
    from llmblocks.rules.checker import Checker, PieceFindings
    from llmblocks.rules.name_findings import NamedFinding

    Key = Piece | tuple[NamedFinding, ...] | Sequence[Stated]


class Written:
    """The last JSON of some findings: most changes leave most of them unmoved."""

    __slots__ = ("character", "converted", "json", "line", "on_first_line")

    def __init__(self, converted: list[FindingJson]) -> None:
        self.converted = converted
        self.on_first_line = touches_first_line(converted)
        self.line = self.character = -1
        self.json = b""


class Row(NamedTuple):
    """The findings in one piece.

    Shape: `key` is the same object for as long as they are the same findings; `at` is the engine's line that the piece
           begins on; `line` and `start` are the client's line and the place that the findings count from.
    """

    key: Key
    at: int
    line: int
    start: int
    written: Written
    begins_line: bool


class Rows:
    """The rows of a document.

    Shape: what is written of a row is remembered on its piece or, where it takes several pieces to see it, on its
           section. Neither may reference the document: large documents are hidden from the garbage collector, and the
           cycle would leak.
    """

    def __init__(
        self,
        check: Checker,
        document: Document,
        positions: ClientPositions,
        uri: str,
        names: NameDiagnostics,
        silences: SilencedDiagnostics,
    ) -> None:
        encoding = positions.encoding
        self._check = check
        self._document = document
        self._positions = positions
        self._uri = uri
        self._names = names
        self._silences = silences
        self._named: dict[Piece, tuple[Key, Written]] = {}
        self._local: Query[Piece, Written] = Query(
            "diagnostics of a piece",
            lambda piece: Written(findings_json(piece, check.local(piece), encoding)),
        )
        self._across: Query[Section, dict[int, Written]] = Query("diagnostics across pieces", lambda _: {})

    def keys(self, section: Section) -> Iterator[Key]:
        """The keys of the rows of a section."""
        return (key for key, _, _ in self._found(section, to_end=True))

    def of(self, placed: Placed) -> Iterator[Row]:
        """The rows of a section."""
        return self._rows(placed, self._named, to_end=True)

    def all(self) -> Iterator[tuple[Placed, Row]]:
        """The rows of all sections; those of pieces that no longer exist are dropped."""
        before, self._named = self._named, {}
        for placed in self._document.with_findings((*self._names.pieces, *self._silences.pieces)):
            for row in self._rows(placed, before, to_end=False):
                yield placed, row

    def json(self, row: Row) -> bytes:
        """The findings of a row, separated by commas."""
        written, character = row.written, self._character(row)
        if written.line != row.line or written.character != character:
            written.line, written.character = row.line, character
            written.json = write(written.converted, row.line, character, self._uri)
        return written.json

    def beginning(self, row: Row, count: int) -> bytes:
        """The first findings of a row."""
        return write(row.written.converted[:count], row.line, self._character(row), self._uri)

    def _found(
        self, section: Section, *, to_end: bool
    ) -> Iterator[tuple[Key, PieceFindings, tuple[NamedFinding, ...]]]:
        """The pieces of a section with findings, each with its key and the findings about names.

        Shape: not `to_end` if most are not asked for, of a text with more findings than are shown.
        """
        numbers: set[int] = set()
        if self._names.are_in(section) or self._silences.are_in(section):
            numbers = {*self._names.numbers(section), *self._silences.numbers(section)}
        if numbers or section.finding_count:
            check = self._check
            for found in check.walk(section, numbers) if numbers or not to_end else check.found(section):
                named = self._names.of(found.piece)
                yield named or found.stated or found.piece, found, named

    def _rows(self, placed: Placed, known: dict[Piece, tuple[Key, Written]], *, to_end: bool) -> Iterator[Row]:
        section = placed.section
        for key, found, named in self._found(section, to_end=to_end):
            piece, front, stated = found
            number = front.leaves
            start, at = placed.start + front.length, placed.line + front.newlines
            if self._silences.concern(section, piece, front.length):
                whole: Section
                whole, base, line = piece, start, at + placed.returns + front.returns
                if stated:
                    whole, base, line = section, placed.start, placed.line + placed.returns
                converted = self._silences.findings_json(
                    section, piece, whole, base - placed.start, start - base, found, named
                )
                begins_line = not base or self._document.slice(base - 1, base) == "\n"
                yield Row(key, at, line, base, Written(converted), begins_line)
                continue
            if stated:
                # these count from the section, not from the piece
                written = self._across(section).get(number)
                if written is None:
                    findings = self._check.in_piece(found, front.length)
                    written = self._across(section)[number] = Written(
                        findings_json(section, findings, self._positions.encoding)
                    )
                if named:
                    findings = self._check.in_piece(found, front.length)
                    converted = self._names.join(section, start - placed.start, named, findings, written.converted)
                    written = Written(converted)
                begins_line = self._document.sections.begins_line(placed)
                yield Row(key, at, placed.line + placed.returns, placed.start, written, begins_line)
                continue
            written = self._with_names(piece, named, known) if named else self._local(piece)
            begins_line = (
                section.pieces[number - 1].text.endswith("\n")
                if number
                else self._document.sections.begins_line(placed)
            )
            yield Row(key, at, at + placed.returns + front.returns, start, written, begins_line)

    def _with_names(
        self,
        piece: Piece,
        named: tuple[NamedFinding, ...],
        known: dict[Piece, tuple[Key, Written]],
    ) -> Written:
        """What is written for a piece in which findings about names are: kept where no other place is named."""
        key, written = known.get(piece, (None, None))
        if written is None or key is not named:
            findings, own = self._check.local(piece), self._local(piece).converted
            written = Written(self._names.join(piece, 0, named, findings, own))
        if not any(each.related for each in named):
            self._named[piece] = named, written
        return written

    def _character(self, row: Row) -> int:
        """The client's character at which the findings of a row begin to count, where that matters."""
        if not row.written.on_first_line or row.begins_line:
            return 0
        return self._positions.position(row.start)[1]
