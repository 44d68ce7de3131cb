"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.facts.problem import Facts, Problem, Stated
from llmblocks.stf.editor import comments
from llmblocks.stf.editor.blocks import BlocksInPieces
from llmblocks.stf.editor.context import BLOCKS, LINES
from llmblocks.stf.editor.dialects import problems_of_dialect
from llmblocks.stf.editor.kinds import STRAY_CLOSE
from llmblocks.stf.editor.lines import PieceLines, lines_by_default, lines_of_piece
from llmblocks.stf.editor.state import state_of
from llmblocks.stf.rules import RULES


@cache
def facts(has_default: bool) -> Facts:
    """The facts. Shape: `has_default` if text outside of messages is a message of a default role."""
    lines = lines_by_default if has_default else lines_of_piece
    return Facts(RULES, _Local(lines), _Across(lines))


class _Local:
    def __init__(self, lines: Query[Piece, PieceLines]) -> None:
        self.lines: Final = lines

    def __call__(self, piece: Piece) -> list[Problem]:
        found = [*self.lines(piece).problems, *problems_of_dialect(piece)]
        return [*comments.stray_ends(piece), *found] if STRAY_CLOSE in piece.kinds else found


class _Across:
    def __init__(self, lines: Query[Piece, PieceLines]) -> None:
        self.blocks: Final = BlocksInPieces(lines)

    def __call__(self, section: Section) -> Iterable[Stated]:
        if not section.is_long and not comments.opens(section.pieces[0]):
            context = state_of(section.pieces[0].after).context
            if context not in BLOCKS and context not in LINES:
                return ()
        return self._of_section(section)

    def _of_section(self, section: Section) -> Iterator[Stated]:
        yield from comments.unterminated(section)
        yield from self.blocks.in_section(section)
