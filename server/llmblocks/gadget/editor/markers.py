"""The problems of markers."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.problem import Problem
from llmblocks.core.section import Piece
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.catalogue import ARGUMENT_OUTSIDE_CALL, END_OUTSIDE_CALL, UNTERMINATED_HEADER
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers


def problems_of_markers(piece: Piece, markers: Markers) -> Iterator[Problem]:
    """Markers outside of calls, and a header that no newline ends."""
    text, at = piece.text, 0
    header = header_end = -1
    for kind, width in piece.tokens:
        end = at + width
        if kind is kinds.START:
            header, header_end = at, end
        elif kind is kinds.HEADER:
            header_end = end
        elif kind is kinds.HEADER_END:
            header = -1
        elif kind is kinds.STRAY:
            marker = text[at:end]
            outside = END_OUTSIDE_CALL if marker == markers.end else ARGUMENT_OUTSIDE_CALL
            yield Problem(outside, at, end, {"marker": marker})
        at = end
    if header >= 0:
        yield Problem(UNTERMINATED_HEADER, header, header + len(text[header:header_end].rstrip(SPACE)))
