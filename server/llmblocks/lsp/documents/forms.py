"""What is found in the pieces of a document as JSON, apart from its lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.core.section import Joined, Piece, Section
from llmblocks.core.tree import NOTHING
from llmblocks.lsp.documents.diagnostics import FindingJson, Form, findings_json, form_of, join, touches_first_line
from llmblocks.rules.checker import PieceFindings

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.facts.problem import Stated
    from llmblocks.lsp.documents.columns import ClientPositions
    from llmblocks.lsp.documents.name_diagnostics import NameDiagnostics
    from llmblocks.lsp.documents.silenced_diagnostics import SilencedDiagnostics
    from llmblocks.rules.checker import Checker

_NEVER: Final = -1


class Inside(NamedTuple):
    """A section of several pieces at its place.

    Shape: `line` is the client's. `stated` is what only the section shows, by the number of a piece; `numbers` are
           these, in order.
    """

    section: Joined
    start: int
    line: int
    stated: dict[int, list[Stated]]
    numbers: list[int]

    def states(self, number: int, count: int) -> bool:
        """Whether anything is stated of so many pieces from one on."""
        return bisect_left(self.numbers, number) < bisect_left(self.numbers, number + count)


class _Known(NamedTuple):
    """What is found in a piece. Shape: it holds for the same `silenced`, and the same object as `stated`."""

    silenced: int
    stated: object
    form: Form


class Forms:
    """What is found in each piece of a document, as long as somebody shows it.

    Shape: `silenced` is another number once comments silence something else; `known` are the pieces that have not
           changed since they were shown. What depends on other pieces is not remembered on a piece: large documents
           are hidden from the garbage collector, and the cycle would leak.
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
        self.silenced = 0
        self._check = check
        self._document = document
        self._positions = positions
        self._uri = uri.replace("%", "%%")
        self._names = names
        self._silences = silences
        self.known: dict[Piece, _Known] = {}

    def inside(self, section: Joined, start: int, line: int) -> Inside:
        """A section of several pieces that begins at a place."""
        stated = self._check.in_section(section)
        return Inside(section, start, line, stated, sorted(stated))

    def of(
        self, pieces: Sequence[Piece], start: int, line: int, inside: Inside | None, number: int, most: int, stop: int
    ) -> tuple[Form, int | None]:
        """The first findings in neighbouring pieces that begin at a place, up to `stop`, lines counted from `line`.

        Shape: where there are more, it has the client's line of the first piece of which some are missing. The pieces
               are sections, or those from a number on of one that they are `inside`.
        """
        forms: list[tuple[Form, int]] = []
        first, cut = line, None
        for piece in pieces:
            if start >= stop or cut is not None:
                break
            stated: Sequence[Stated]
            if inside is None:
                has_some = bool(piece.finding_count)
                stated = self._check.in_section(piece).get(0, ()) if has_some else ()
            else:
                stated = inside.stated.get(number, ())
                has_some = bool(stated) or self._check.counted(piece) > 0
            if has_some or piece in self._names.by_piece or piece in self._silences.own:
                section, front = (inside.section, inside.section.up_to(number)) if inside else (piece, NOTHING)
                base, base_line = (inside.start, inside.line) if inside and stated else (start, line)
                form, is_all = self._of_piece(section, PieceFindings(piece, front, stated), base, most)
                forms.append((form, base_line - first))
                most -= form.amount
                cut = None if is_all else line
            start += piece.length
            line += piece.newlines + piece.returns
            number += 1
        return join(forms), cut

    def _of_piece(self, section: Section, found: PieceFindings, start: int, most: int) -> tuple[Form, bool]:
        """The first findings in a piece, and whether they are all.

        Shape: places count from `start`, that of the section if this states some, otherwise that of the piece.
        """
        piece, front, stated = found
        is_silenced = self._silences.concern(section, piece, front.length)
        silenced = self.silenced if is_silenced else _NEVER
        known = self.known.get(piece)
        if known and known.silenced == silenced and known.stated is stated and known.form.amount <= most:
            return known.form, True
        named = self._names.by_piece.get(piece, ())
        whole: Section = section if stated else piece
        offset = front.length if stated else 0
        findings = self._check.in_piece(found, offset)
        if is_silenced:
            findings, named = self._silences.left(section, piece, front.length, offset, findings, named)
        converted = findings_json(whole, findings, self._positions.encoding)
        if named:
            converted = self._names.join(whole, offset, named, findings, converted)
        form = form_of(converted[:most], self._character(converted, start), self._uri)
        if len(converted) > most:
            return form, False
        self.known[piece] = _Known(silenced, stated, form)
        return form, True

    def _character(self, converted: Sequence[FindingJson], start: int) -> int:
        """The client's character at which places begin to count, where that matters."""
        if not touches_first_line(converted) or self._document.slice(start - 1, start) in ("", "\n"):
            return 0
        return self._positions.position(start)[1]
