"""Findings about names as JSON: their related places can be anywhere in the document, and move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.core.places import order
from llmblocks.core.section import Joined, Section
from llmblocks.lsp.documents.diagnostics import FindingJson, as_text, findings_json
from llmblocks.lsp.documents.locations import located
from llmblocks.lsp.wire.rpc import Json, encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from llmblocks.core.places import Elsewhere
    from llmblocks.core.section import Joined, Piece
    from llmblocks.facts.finding import Finding
    from llmblocks.lsp.documents.columns import ClientPositions
    from llmblocks.rules.name_findings import NamedFinding, NameFindings, Target


class NameDiagnostics:
    """The findings about names in one document.

    Shape: `names` is None where no rule asks for any; `uri` is JSON. `by_piece` are the findings in each piece that has
           some: the same object for as long as they are the same.
    """

    def __init__(self, names: NameFindings | None, positions: ClientPositions, uri: str) -> None:
        self.by_piece: Mapping[Piece, tuple[NamedFinding, ...]] = names.by_piece if names else {}
        self._names = names
        self._positions = positions
        self._uri = uri

    @property
    def count(self) -> int:
        """The number of findings."""
        return self._names.count if self._names else 0

    def are_in(self, section: Section) -> bool:
        """Whether a section has some."""
        return self._names is not None and self._names.are_in(section)

    def numbers(self, section: Section) -> list[int]:
        """The numbers of the pieces of a section that have some."""
        return self._names.numbers(section) if self._names else []

    def join(
        self,
        section: Section,
        offset: int,
        named: tuple[NamedFinding, ...],
        findings: Sequence[Finding],
        converted: Sequence[FindingJson],
    ) -> list[FindingJson]:
        """Some of them with other findings, in order.

        Shape: all count from the start of `section`, in which the piece of `named` starts at `offset`.
        """
        moved = sorted([(each.finding.moved(offset), each) for each in named], key=lambda pair: order(pair[0]))
        last = max([finding.end for finding, _ in moved], default=0)
        texts = findings_json(self._up_to(section, last), [finding for finding, _ in moved], self._positions.encoding)
        both = [*zip(findings, converted, strict=True)]
        for (finding, each), text in zip(moved, texts, strict=True):
            both.append((finding, text._replace(rest=self._related(each) + text.rest)))
        both.sort(key=lambda pair: order(pair[0]))
        return [text for _, text in both]

    def _up_to(self, section: Section, end: int) -> Section:
        """A section with as much after it as findings in it reach over."""
        if end <= section.length or self._names is None:
            return section
        pieces, length = [*section.pieces], section.length
        for piece in self._names.index.after(pieces[-1]):
            pieces.append(piece)
            length += piece.length
            if length >= end:
                break
        return Joined((*pieces,))

    def _related(self, found: NamedFinding) -> str:
        items = [self._location(target, message) for target, message in found.related]
        items += [self._elsewhere(place, message) for place, message in found.elsewhere]
        return f'"relatedInformation":[{",".join(items)}],' if items else ""

    def _location(self, target: Target, message: str) -> str:
        assert self._names is not None, "a target is one of its names"
        start, end = [
            dict(zip(("line", "character"), self._positions.position(offset), strict=True))
            for offset in self._names.span(target)
        ]
        return _information(self._uri, {"start": start, "end": end}, message)

    def _elsewhere(self, place: Elsewhere, message: str) -> str:
        there = located(place, self._positions.encoding)
        return _information(as_text(there["uri"]), there["range"], message)


def _information(uri: str, span: Json, message: str) -> str:
    """A place as JSON. Shape: `uri` is JSON already."""
    return f'{{"location":{{"uri":{uri},"range":{encode(span).decode("ascii")}}},"message":{as_text(message)}}}'
