"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from llmblocks.core.section import Piece, Section
from llmblocks.facts.problem import Facts, Problem, Stated
from llmblocks.stf.editor import comments
from llmblocks.stf.editor.blocks import BlocksInPieces
from llmblocks.stf.editor.context import BLOCKS, LINES
from llmblocks.stf.editor.dialects import problems_of_dialect
from llmblocks.stf.editor.kinds import COMMENT_OPEN, STRAY_CLOSE
from llmblocks.stf.editor.lines import lines_by_default, lines_of_piece
from llmblocks.stf.editor.state import state_of
from llmblocks.stf.rules import RULES


@cache
def facts(has_default: bool) -> Facts:
    """The facts. Shape: `has_default` if text outside of messages is a message of a default role."""
    lines = lines_by_default if has_default else lines_of_piece
    blocks = BlocksInPieces(lines)

    def in_piece(piece: Piece) -> Iterable[Problem]:
        found = chain(lines(piece).problems, problems_of_dialect(piece))
        return chain(comments.stray_ends(comments.comments_in(piece)), found) if STRAY_CLOSE in piece.kinds else found

    def in_section(section: Section) -> Iterable[Stated]:
        if not section.is_long:
            piece = section.pieces[0]
            context = state_of(piece.after).context
            is_commented = COMMENT_OPEN in piece.kinds and comments.comments_in(piece).opens
            if not is_commented and context not in BLOCKS and context not in LINES:
                return ()
        return chain(comments.OPEN_COMMENTS.in_section(section), blocks.in_section(section))

    return Facts(RULES, in_piece, in_section)
