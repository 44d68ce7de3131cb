"""Code lenses: the fates of calls and their parameters, above the lines on which they begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from llmblocks.contract.lens import Lenses, LensKind, Reply, Standing
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.core.sequence import Block, Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_T = TypeVar("_T")
_TellsAt: TypeAlias = Callable[[Section, int, Any, Callable[[], Index]], _T | None]


class LensRows(NamedTuple):
    """The lines that have lenses, counted from one line as editors count them. Shape: `lines` depend on `of` alone."""

    line: int
    lines: tuple[int, ...]
    of: Block | Piece


class _BlockRows(NamedTuple):
    """The lines of a block. Shape: `long` are the pieces of long sections with lenses, each with its first line."""

    lines: tuple[int, ...]
    long: tuple[tuple[int, Piece], ...]


def wanted(ask: Ask) -> frozenset[LensKind]:
    """The kinds of lenses that the settings do not switch off."""
    found: list[tuple[LensKind, bool]] = [
        ("order", ask.settings.lens_order),
        ("result", ask.settings.lens_results and ask.other_files.answer("", 0) is not None),
        ("parameters", ask.settings.lens_parameters),
    ]
    return frozenset(kind for kind, is_wanted in found if is_wanted)


def lens_rows(ask: Ask) -> Iterator[LensRows]:
    """All that has lenses, in runs of which an edit changes few."""
    of_block, of_piece = _of_block(ask.language), _of_piece(ask.language)
    for block, line in ask.document.sections.blocks():
        if of_block.known(block) is None:
            ask.pause()
        found = of_block(block)
        yield LensRows(line, found.lines, block)
        for first, piece in found.long:
            yield LensRows(line + first, of_piece(piece), piece)


def standing(ask: Ask) -> Standing | None:
    """The standing of what begins on the line that ends at a position."""
    return _told(ask, lambda lenses: lenses.standing)


def reply(ask: Ask) -> Reply | None:
    """The result of what begins on the line that ends at a position."""
    return _told(ask, lambda lenses: lenses.reply)


def _told(ask: Ask, of: Callable[[Lenses[Any]], _TellsAt[_T]]) -> _T | None:
    """What the first layer that knows what begins there tells of it."""
    placed: Placed = ask.document.sections.at(ask.position)
    for layer in ask.language.loaded:
        if layer.lenses is not None:
            found = of(layer.lenses())(placed.section, ask.position - placed.start, ask.settings, ask.index)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=16)
def _of_piece(language: Language) -> Query[Piece, tuple[int, ...]]:
    """The lines of a piece of a long section."""
    read = _reader(language)
    return Query("lenses of a piece", lambda piece: tuple(read(piece, 0)))


@lru_cache(maxsize=16)
def _of_block(language: Language) -> Query[Block, _BlockRows]:
    """The lines of some neighbouring sections together."""
    read, of_piece = _reader(language), _of_piece(language)

    def of_block(block: Block) -> _BlockRows:
        lines: list[int] = []
        long: list[tuple[int, Piece]] = []
        line = 0
        for section in block:
            for piece in section.pieces:
                if not section.is_long:
                    lines += read(piece, line)
                elif of_piece(piece):
                    long.append((line, piece))
                line += piece.newlines + piece.returns
        return _BlockRows((*lines,), (*long,))

    return Query("lenses of a block", of_block)


def _reader(language: Language) -> Callable[[Piece, int], Iterator[int]]:
    """Reads the lines of a piece that begins on a line."""
    stated = [layer.lenses().places for layer in language.loaded if layer.lenses is not None]

    def read(piece: Piece, line: int) -> Iterator[int]:
        at = 0
        for offset in sorted([place for places in stated for place in places(piece)]):
            line += _breaks(piece, at, offset)
            yield line
            at = offset

    return read


def _breaks(piece: Piece, start: int, end: int) -> int:
    """The number of line breaks between two places, as editors count them."""
    text = piece.text
    found = text.count("\n", start, end)
    return found + (text.count("\r", start, end) - text.count("\r\n", start, end) if piece.returns else 0)
