"""Code lenses: the fates of calls and their parameters, above the lines on which they begin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from llmblocks.contract.lens import Lenses, LensKind, Reply, Standing
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.sequence import Block, Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_T = TypeVar("_T")
_TellsAt: TypeAlias = Callable[[Section, int, Any, Callable[[], Index]], _T | None]


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
    return _told(ask, lambda lenses: lenses.standing)


def reply(ask: Ask) -> Reply | None:
    """Return the result of the construct that begins on the line that ends at a position."""
    return _told(ask, lambda lenses: lenses.reply)


def _told(ask: Ask, of: Callable[[Lenses[Any]], _TellsAt[_T]]) -> _T | None:
    """Return the answer of the first layer with a construct there."""
    placed: Placed = ask.document.sections.at(ask.position)
    for layer in ask.language.loaded:
        if layer.lenses is not None:
            found = of(layer.lenses())(placed.section, ask.position - placed.start, ask.settings, ask.index)
            if found is not None:
                return found
    return None


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
        return LensLines((*lines,), section.newlines + section.returns)

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
    found = text.count("\n", start, end)
    return found + (text.count("\r", start, end) - text.count("\r\n", start, end) if section.returns else 0)
