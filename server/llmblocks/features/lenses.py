"""Code lenses: run order, problems and parameters, above the lines that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.lens import LensKind, LensPlace
from llmblocks.core.query import Query
from llmblocks.core.section import Piece
from llmblocks.core.sequence import Block, Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_SHORT = 8
"""The most pieces of a section that are read together with its neighbours."""


class LensRow(NamedTuple):
    """Something that has lenses, by its line. Shape: lines count from 0, as editors count them."""

    line: int
    ordered: bool


class LensRows(NamedTuple):
    """Rows whose lines count from one line. Shape: they depend on `of` alone."""

    line: int
    rows: tuple[LensRow, ...]
    of: Block | Piece


class _BlockRows(NamedTuple):
    """The rows of a block. Shape: `long` are the pieces of long sections with rows, each with its first line."""

    rows: tuple[LensRow, ...]
    long: tuple[tuple[int, Piece], ...]


def wanted(ask: Ask) -> frozenset[LensKind]:
    """The kinds of lenses that the settings do not switch off."""
    settings = ask.settings
    found: list[tuple[LensKind, bool]] = [
        ("order", settings.lens_order),
        ("problems", settings.lens_problems),
        ("parameters", settings.lens_parameters),
    ]
    return frozenset(kind for kind, is_wanted in found if is_wanted)


def lens_rows(ask: Ask) -> Iterator[LensRows]:
    """All that has lenses, in runs of which an edit changes few."""
    of_block, of_piece = _of_block(ask.language), _of_piece(ask.language)
    for block, line in ask.document.sections.blocks():
        if of_block.known(block) is None:
            ask.pause()
        found = of_block(block)
        yield LensRows(line, found.rows, block)
        for first, piece in found.long:
            yield LensRows(line + first, of_piece(piece), piece)


def problem_lenses(ask: Ask) -> list[tuple[int, str]]:
    """The lines and titles of the lenses of problems, for as many findings as are shown, where findings are known."""
    sources = [layer.lenses().problems for layer in ask.language.loaded if layer.lenses is not None]
    found: list[tuple[int, str]] = []
    left = ask.settings.max_diagnostics
    for placed, findings in ask.all_findings() if sources and ask.all_findings is not None else ():
        if left <= 0:
            break
        left -= len(findings)
        section = placed.section
        for problems in sources:
            for offset, title in problems(section, placed.start, findings, ask.index):
                number, inside = section.piece_at(offset)
                before, piece = section.up_to(number), section.pieces[number]
                line = placed.line + placed.returns + before.newlines + before.returns
                found.append((line + _breaks(piece, 0, inside), title))
    return found


def order_title(ask: Ask) -> str | None:
    """The title of the lens of order of what begins on the line that ends at a position."""
    placed: Placed = ask.document.sections.at(ask.position)
    for layer in ask.language.loaded:
        if layer.lenses is not None:
            title = layer.lenses().order(placed.section, ask.position - placed.start, ask.index)
            if title is not None:
                return title
    return None


@lru_cache(maxsize=16)
def _of_piece(language: Language) -> Query[Piece, tuple[LensRow, ...]]:
    """The rows of a piece of a long section."""
    read = _reader(language)
    return Query("lenses of a piece", lambda piece: tuple(read(piece, 0)))


@lru_cache(maxsize=16)
def _of_block(language: Language) -> Query[Block, _BlockRows]:
    """The rows of some neighbouring sections together."""
    read, of_piece = _reader(language), _of_piece(language)

    def of_block(block: Block) -> _BlockRows:
        rows: list[LensRow] = []
        long: list[tuple[int, Piece]] = []
        line = 0
        for section in block.sections:
            is_long = len(section.pieces) > _SHORT
            for piece in section.pieces:
                if not is_long:
                    rows += read(piece, line)
                elif of_piece(piece):
                    long.append((line, piece))
                line += piece.newlines + piece.returns
        return _BlockRows((*rows,), (*long,))

    return Query("lenses of a block", of_block)


def _reader(language: Language) -> Callable[[Piece, int], Iterator[LensRow]]:
    """Reads the rows of a piece that begins on a line."""
    stated = [layer.lenses().places for layer in language.loaded if layer.lenses is not None]

    def read(piece: Piece, line: int) -> Iterator[LensRow]:
        places: list[LensPlace] = [place for places in stated for place in places(piece)]
        at = 0
        for offset, ordered in sorted(places):
            line += _breaks(piece, at, offset)
            yield LensRow(line, ordered)
            at = offset

    return read


def _breaks(piece: Piece, start: int, end: int) -> int:
    """The number of line breaks between two places, as editors count them."""
    text = piece.text
    found = text.count("\n", start, end)
    return found + (text.count("\r", start, end) - text.count("\r\n", start, end) if piece.returns else 0)
