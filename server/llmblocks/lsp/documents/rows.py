"""The findings in each piece of a document as JSON text, as long as they are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_
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


Known = tuple[tuple[object, ...], Written]
"""What is written of a piece, with what it was made of: the same objects as long as that is the same."""


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

    Shape: what is written of a row that a piece shows alone is remembered on it; all other is in `_known`. A piece may
           not reference the document: large documents are hidden from the garbage collector, and the cycle would leak.
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
        self._known: dict[Piece, Known] = {}
        self._local: Query[Piece, Written] = Query(
            "diagnostics of a piece",
            lambda piece: Written(findings_json(piece, check.local(piece), encoding)),
        )

    def keys(self, section: Section) -> Iterator[Key]:
        """The keys of the rows of a section."""
        return (key for key, _, _ in self._found(section, to_end=True))

    def of(self, placed: Placed) -> Iterator[Row]:
        """The rows of a section."""
        return self._rows(placed, self._known, to_end=True)

    def all(self) -> Iterator[tuple[Placed, Row]]:
        """The rows of all sections; those of pieces that no longer exist are dropped."""
        before, self._known = self._known, {}
        for placed in self._document.with_findings((*self._names.by_piece, *self._silences.own)):
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
        numbers = {*self._names.numbers(section), *self._silences.numbers(section)}
        if numbers or section.finding_count:
            check = self._check
            for found in check.walk(section, numbers) if numbers or not to_end else check.found(section):
                named = self._names.by_piece.get(found.piece, ())
                yield named or found.stated or found.piece, found, named

    def _rows(self, placed: Placed, known: dict[Piece, Known], *, to_end: bool) -> Iterator[Row]:
        section = placed.section
        for key, found, named in self._found(section, to_end=to_end):
            front, stated = found.before, found.stated
            start, at = placed.start + front.length, placed.line + front.newlines
            written = self._written(section, found, named, known)
            # what only the section shows counts from it
            number = 0 if stated else front.leaves
            begins_line = (
                section.pieces[number - 1].text.endswith("\n")
                if number
                else self._document.sections.begins_line(placed)
            )
            if stated:
                yield Row(key, at, placed.line + placed.returns, placed.start, written, begins_line)
            else:
                yield Row(key, at, at + placed.returns + front.returns, start, written, begins_line)

    def _written(
        self, section: Section, found: PieceFindings, named: tuple[NamedFinding, ...], known: dict[Piece, Known]
    ) -> Written:
        """What is written for a piece: kept where no other place is named."""
        piece, front, stated = found
        is_silenced = self._silences.concern(section, piece, front.length)
        if not (named or stated or is_silenced):
            return self._local(piece)
        made_of = (named, stated, *(self._silences.of(piece) if is_silenced else ()))
        before, written = known.get(piece, ((), None))
        if written is not None and len(before) == len(made_of) and all(map(is_, before, made_of)):
            self._known[piece] = made_of, written
            return written
        whole: Section = section if stated else piece
        offset = front.length if stated else 0
        findings, shown = self._check.in_piece(found, offset), named
        if is_silenced:
            findings, shown = self._silences.left(section, piece, front.length, offset, findings, named)
        converted = findings_json(whole, findings, self._positions.encoding)
        written = Written(self._names.join(whole, offset, shown, findings, converted) if shown else converted)
        if not any(each.related for each in named):
            self._known[piece] = made_of, written
        return written

    def _character(self, row: Row) -> int:
        """The client's character at which the findings of a row begin to count, where that matters."""
        if not row.written.on_first_line or row.begins_line:
            return 0
        return self._positions.position(row.start)[1]
