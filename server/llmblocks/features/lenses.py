"""Code lenses: the fates of calls and their parameters, above the lines on which they begin."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from llmblocks.contract.answers import LensKind, Reply, Standing
from llmblocks.core.lines import Lines
from llmblocks.core.query import Query
from llmblocks.core.sequence import Block, Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language


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
    sections = ask.document.sections
    for block in sections.blocks:
        if find.known(block) is None:
            ask.pause()
        before = sections.first_of(block).breaks
        yield from [before + each for each in find(block)]


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
def _lines(language: Language) -> Query[Block, list[int]]:
    """Return the query for the lines with lenses of a block, counted from its start as editors count them."""
    stated = [layer.lenses().places for layer in language.loaded if layer.lenses is not None]

    def of_block(block: Block) -> list[int]:
        found: list[int] = []
        for section, before in zip(block, block.before["breaks"], strict=False):
            if offsets := sorted([place for places in stated for place in places(section)]):
                lines = Lines(section.text)
                found += [before + lines.of(offset)[0] - 1 for offset in offsets]
        return found

    return Query("lenses", of_block)
