"""The stretches of a document in which comments silence findings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.section import Piece
from llmblocks.core.silence import Silence, Silencing

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.sequence import Placed


class Reach(NamedTuple):
    """A comment in a document.

    Shape: it silences what begins from `start` up to `end`; `base` is where its piece starts.
    """

    start: int
    end: int
    base: int
    piece: Piece
    silence: Silence


def reaches(document: Document, silencing: Silencing, signed: Iterable[Piece]) -> Iterator[Reach]:
    """The comments in some pieces of a document."""
    for piece in signed:
        silences = silencing.find(piece)
        address = document.sections.find(piece) if silences else None
        if address is None:
            continue
        placed = document.sections.placed(address.block, address.slot)
        base = placed.start + sum([each.length for each in placed.section.pieces[: address.piece]])
        for silence in silences:
            length = None if silence.of_file else silencing.reach(_pieces(document, placed, address.piece), silence.end)
            yield Reach(
                base + silence.end, len(document) + 1 if length is None else base + length, base, piece, silence
            )


def _pieces(document: Document, placed: Placed | None, number: int) -> Iterator[Piece]:
    while placed is not None:
        yield from placed.section.pieces[number:]
        placed, number = document.sections.after(placed), 0


def joined(reaches: Collection[Reach]) -> list[tuple[int, int]]:
    """The stretches of text in which something is silenced, in order."""
    found: list[tuple[int, int]] = []
    for reach in reaches:
        if reach.silence.of_file or reach.silence.unread:
            continue
        if found and reach.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], reach.end))
        else:
            found.append((reach.start, reach.end))
    return found
