"""The comments of a document that silence findings: a filter over its other findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.core.places import order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from llmblocks.core.document import Document
    from llmblocks.core.rescan import Change
    from llmblocks.core.section import Piece, Section
    from llmblocks.facts.finding import Finding
    from llmblocks.rules.checker import Checker
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
    ) -> None:
        self._check = check
        self._document = document
        self._names = names
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
    def own(self) -> Mapping[Piece, tuple[Finding, ...]]:
        """The findings about comments in each piece that has some."""
        return self._silences.own if self._silences else {}

    def numbers(self, section: Section) -> list[int]:
        """The numbers of the pieces of a section that have findings about comments."""
        own = self.own
        return [number for number, piece in enumerate(section.pieces) if piece in own] if own else []

    def concern(self, section: Section, piece: Piece, start: int) -> bool:
        """Whether comments add or silence something in a piece that begins at an offset of its section."""
        silences = self._silences
        return silences is not None and (
            piece in silences.own or silences.touches(section, start, start + piece.length)
        )

    def left(
        self,
        section: Section,
        piece: Piece,
        start: int,
        offset: int,
        findings: Iterable[Finding],
        named: Iterable[NamedFinding],
    ) -> tuple[list[Finding], tuple[NamedFinding, ...]]:
        """The findings in a piece that no comment silences, with those about comments.

        Shape: the piece begins at `start` of its section; the places of its findings count from where it is at
               `offset`, but for those about names.
        """
        silences = self._silences
        assert silences is not None, "something is silenced"
        left = [each for each in findings if not silences.hides_in(section, each.code, start - offset + each.start)]
        left += [each.moved(offset) for each in silences.own.get(piece, ())]
        names = [
            each for each in named if not silences.hides_in(section, each.finding.code, start + each.finding.start)
        ]
        return sorted(left, key=order), (*names,)
