"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.problem import Facts, Problem
from llmblocks.core.section import Piece
from llmblocks.stf.editor.comments import problems_across, stray_ends
from llmblocks.stf.editor.lines import problems_of_lines
from llmblocks.stf.syntax.catalogue import RULED


def _local(piece: Piece) -> Iterator[Problem]:
    yield from stray_ends(piece)
    yield from problems_of_lines(piece)


FACTS = Facts(RULED, _local, problems_across)
