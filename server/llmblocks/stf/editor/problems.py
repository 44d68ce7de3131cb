"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache

from llmblocks.core.problem import Facts, Problem, ProblemKind, Spread
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.stf.editor import blocks, comments
from llmblocks.stf.editor.dialects import problems_of_dialect
from llmblocks.stf.editor.lines import Lines, lines_by_default, lines_of_piece
from llmblocks.stf.syntax.catalogue import RULED


@cache
def facts(has_default: bool) -> Facts:
    """The facts. Shape: `has_default` if text outside of messages is a message of a default role."""
    lines = lines_by_default if has_default else lines_of_piece
    return Facts(RULED, _Local(lines), _Across(lines))


@dataclass(frozen=True, slots=True)
class _Local:
    lines: Query[Piece, Lines]

    def __call__(self, piece: Piece) -> Iterator[Problem]:
        yield from comments.stray_ends(piece)
        yield from self.lines(piece).problems
        yield from problems_of_dialect(piece)


@dataclass(frozen=True, slots=True)
class _Across:
    lines: Query[Piece, Lines]

    def __call__(self, section: Section, wanted: Container[ProblemKind]) -> Iterator[Spread]:
        yield from comments.problems_across(section, wanted)
        yield from blocks.problems_across(section, wanted, self.lines)
