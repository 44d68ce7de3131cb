"""The comments of a document that silence findings, and the rows of the findings around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.core.places import order
from llmblocks.core.section import Section
from llmblocks.lsp.documents.diagnostics import FindingJson, findings_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from llmblocks.core.document import Document
    from llmblocks.core.rescan import Change
    from llmblocks.core.section import Piece
    from llmblocks.lsp.documents.columns import Encoding
    from llmblocks.lsp.documents.name_diagnostics import NameDiagnostics
    from llmblocks.rules.checker import Checker, PieceFindings
    from llmblocks.rules.name_findings import NamedFinding, NameFindings
    from llmblocks.rules.silences import Silences


class SilencedDiagnostics:
    """The silenced parts of one document. A document without such comments costs one search for each new piece.

    Shape: `_lost` says that all must be looked at again; until somebody has, the answers are about an earlier text.
    """

    def __init__(
        self,
        check: Checker,
        document: Document,
        names: NameFindings | None,
        name_diagnostics: NameDiagnostics,
        encoding: Encoding,
    ) -> None:
        self._check = check
        self._document = document
        self._names = names
        self._name_diagnostics = name_diagnostics
        self._encoding = encoding
        self._signed = dict.fromkeys(check.signed(document.pieces()))
        self._silences: Silences | None = None
        self._lost = True

    def note(self, change: Change, *, named: bool) -> bool:
        """Register an edit; False if diagnostics far from it may change.

        Shape: `named` says that it has changed findings about names.
        """
        come = self._check.signed(change.come)
        gone = [piece for piece in change.gone if piece in self._signed] if self._signed else ()
        for piece in gone:
            del self._signed[piece]
        self._signed.update(dict.fromkeys(come))
        if come or gone:
            # a comment that comes or goes may silence what is far from it
            self._lost = True
        if named or self._lost or self._silences is None:
            self.lose()
            return not (come or gone or self._signed)
        followed = self._silences.follow(change)
        self._lost = followed == "lost"
        return followed == "same"

    def lose(self) -> None:
        """Findings about names have changed: look at the comments again, if there are some."""
        self._lost = self._lost or bool(self._signed)

    def refresh(self) -> Silences | None:
        """The silenced parts now; None if there are no comments."""
        if self._lost:
            self._silences = self._check.silences(self._document, self._signed, self._names)
            self._lost = False
        return self._silences

    @property
    def count(self) -> int:
        """How many more findings there are because of comments: those about them, without the silenced ones."""
        return self._silences.count - self._silences.hidden if self._silences else 0

    @property
    def pieces(self) -> Collection[Piece]:
        """The pieces with findings about comments."""
        return self._silences.own if self._silences else ()

    def are_in(self, section: Section) -> bool:
        """Whether a section has findings about comments."""
        return bool(self._silences and not self._silences.own.keys().isdisjoint(section.pieces))

    def numbers(self, section: Section) -> list[int]:
        """The numbers of the pieces of a section that have findings about comments."""
        own = self._silences.own if self._silences else {}
        return [number for number, piece in enumerate(section.pieces) if piece in own] if own else []

    def concern(self, section: Section, piece: Piece, start: int) -> bool:
        """Whether comments add or silence something in a piece that begins at an offset of its section."""
        silences = self._silences
        return silences is not None and (
            piece in silences.own or silences.touches(section, start, start + piece.length)
        )

    def findings_json(
        self,
        section: Section,
        piece: Piece,
        whole: Section,
        front: int,
        offset: int,
        local: PieceFindings,
        named: Iterable[NamedFinding],
    ) -> list[FindingJson]:
        """The rows of a piece of a section.

        Shape: the piece is at an offset of `whole`, which is the section or begins at the offset `front` of it.
        """
        silences = self._silences
        assert silences is not None, "something is silenced"
        found = self._check.in_piece(local, offset)
        left = [each for each in found if not silences.hides_in(section, each.code, front + each.start)]
        left += [each.moved(offset) for each in silences.own.get(piece, ())]
        left.sort(key=order)
        at = front + offset
        names = [each for each in named if not silences.hides_in(section, each.finding.code, at + each.finding.start)]
        converted = findings_json(whole, left, self._encoding)
        return self._name_diagnostics.join(whole, offset, (*names,), left, converted) if names else converted
