"""Code lenses: the fates of calls and their parameters, above the lines on which they begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.contract.lens import LensKind, Reply, Standing
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.sequence import Block, Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language


class LensLines(NamedTuple):
    """The lines with lenses of a stretch of text, counted from its start as editors count them."""

    lines: tuple[int, ...]
    ends: int
    """The number of line ends in it."""


def wanted(ask: Ask) -> frozenset[LensKind]:
    """Return the enabled kinds of lenses. The order is shown only if some calls wait for others."""
    found: list[tuple[LensKind, bool]] = [
        ("order", ask.shows_order()),
        ("result", ask.settings.lens_results and ask.other_files.answer("", 0) is not None),
        ("parameters", ask.settings.lens_parameters),
    ]
    return frozenset(kind for kind, is_wanted in found if is_wanted)


def lens_lines(ask: Ask) -> Iterator[int]:
    """Yield all lines that have lenses, in order."""
    find = _lines(ask.language)
    for block, line in ask.document.sections.blocks():
        if find.known(block) is None:
            ask.pause()
        yield from [line + each for each in find(block).lines]


def standing(ask: Ask) -> Standing | None:
    """Return the standing of the construct that begins on the line that ends at a position."""
    placed: Placed = ask.document.sections.at(ask.position)
    offset = ask.position - placed.start
    stated = [layer.lenses() for layer in ask.language.loaded if layer.lenses is not None]
    found = (lenses.standing(placed.section, offset, ask.settings, ask.index) for lenses in stated)
    return next((each for each in found if each is not None), None)


def reply(ask: Ask) -> Reply | None:
    """Return the result of the construct that begins on the line that ends at a position."""
    found = standing(ask)
    return found.reply if found is not None else None


@lru_cache(maxsize=16)
def _lines(language: Language) -> Query[Block, LensLines]:
    """Merge the lines of neighbouring sections."""
    stated = [layer.lenses().places for layer in language.loaded if layer.lenses is not None]

    def of_section(section: Section) -> LensLines:
        line = at = 0
        lines: list[int] = []
        for offset in sorted([place for places in stated for place in places(section)]):
            line += _breaks(section, at, offset)
            lines.append(line)
            at = offset
        return LensLines((*lines,), section.breaks)

    return Query("lenses", lambda block: _joined(map(of_section, block)))


def _joined(parts: Iterable[LensLines]) -> LensLines:
    found: list[int] = []
    ends = 0
    for lines, inside in parts:
        if lines:
            found += [line + ends for line in lines]
        ends += inside
    return LensLines((*found,), ends)


def _breaks(section: Section, start: int, end: int) -> int:
    """Return the number of line breaks between two places, as editors count them."""
    text = section.text
    # most texts have no returns
    lone = text.count("\r", start, end) - text.count("\r\n", start, end) if section.breaks > section.newlines else 0
    return text.count("\n", start, end) + lone
