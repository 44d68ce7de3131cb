"""Findings about names as JSON: their related places can be anywhere in the document, and move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llmblocks.core.places import order
from llmblocks.core.section import Joined, Section
from llmblocks.core.tree import Node
from llmblocks.lsp.documents.diagnostics import FindingJson, as_text, findings_json, information
from llmblocks.lsp.documents.locations import located
from llmblocks.lsp.wire.rpc import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from llmblocks.core.places import Elsewhere
    from llmblocks.core.section import Piece
    from llmblocks.facts.finding import Finding
    from llmblocks.lsp.documents.columns import ClientPositions
    from llmblocks.rules.name_findings import NamedFinding, NameFindings, Target


class PlacedTarget:
    """A related place. Shape: `inside` is where it was in `piece` after some shifts, on lines counted from its own."""

    __slots__ = ("inside", "piece", "shifts", "target")

    def __init__(self, target: Target) -> None:
        self.target = target
        self.piece: Piece | None = None
        self.shifts = 0
        self.inside = (0, 0, 0, 0)


class NameDiagnostics:
    """The findings about names in one document.

    Shape: `names` is None where no rule asks for any. `by_piece` are the findings in each piece that has some: the same
           object for as long as they are the same. `_lines` are the client's lines at which parts of the document
           begin, as far as somebody has asked since the last `forget_lines`.
    """

    def __init__(self, names: NameFindings | None, positions: ClientPositions) -> None:
        self.by_piece: Mapping[Piece, tuple[NamedFinding, ...]] = names.by_piece if names else {}
        self._names = names
        self._positions = positions
        self._lines: dict[Any, int] = {}
        self._shifts = 0

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
            targets = tuple([(PlacedTarget(target), as_text(target.message)) for target in each.related])
            elsewhere = tuple([self._elsewhere(place, message) for place, message in each.elsewhere])
            both.append((finding, text._replace(targets=targets, elsewhere=elsewhere)))
        both.sort(key=lambda pair: order(pair[0]))
        return [text for _, text in both]

    def forget_lines(self) -> None:
        """The text may be another one: look for its lines again."""
        self._lines = {}

    def shift(self, piece: Piece) -> None:
        """A piece starts at another column."""
        self._shifts += self._names is not None and self._names.is_mentioned(piece)

    def place(self, placed: PlacedTarget) -> tuple[int, int, int, int]:
        """Line and character of the start of a target, and of its end."""
        piece = placed.target.anchor.piece
        if placed.piece is not piece or placed.shifts != self._shifts:
            placed.piece, placed.shifts, placed.inside = piece, self._shifts, self._inside(piece, placed.target)
        line = self._line_of(piece)
        first, start, last, end = placed.inside
        return line + first, start, line + last, end

    def _inside(self, piece: Piece, target: Target) -> tuple[int, int, int, int]:
        """The same, lines counted from that on which its piece begins."""
        assert self._names is not None, "a target is one of its names"
        line = self._line_of(piece)
        (first, start), (last, end) = map(self._positions.position, self._names.span(target))
        return first - line, start, last - line, end

    def _line_of(self, part: Any) -> int:
        """The client's line on which a part of the document begins."""
        line = self._lines.get(part)
        if line is None:
            line, around = 0, part.around and part.around()
            if around is not None:
                line = self._line_of(around)
                if isinstance(around, Node):
                    for each in around.children:
                        if each is part:
                            break
                        line += each.newlines + each.returns
            self._lines[part] = line
        return line

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

    def _elsewhere(self, place: Elsewhere, message: str) -> str:
        there = located(place, self._positions.encoding)
        return information(as_text(there["uri"]), encode(there["range"]).decode("ascii"), as_text(message))
