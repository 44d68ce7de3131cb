"""Marks of editors in a text: lenses, hints, links and colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from llmblocks.contract.answers import Hint, LensKind, Link, Standing
from llmblocks.contract.paint import Paint, Painted
from llmblocks.core.lines import Lines
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.core.sequence import Block, Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language


def wanted(ask: Ask) -> list[LensKind]:
    """Return the enabled kinds of lenses. The order is shown only if some calls wait for others."""
    found: list[tuple[LensKind, bool]] = [
        ("order", ask.shows_order()),
        ("result", ask.settings.lens_results and ask.other_files.answer("", 0) is not None),
        ("parameters", ask.settings.lens_parameters),
    ]
    return [kind for kind, is_wanted in found if is_wanted]


def lens_lines(ask: Ask) -> list[int]:
    """Return all lines that have lenses, in order."""
    find = _lens_lines(ask.language)
    return [placed.breaks + line for placed in ask.placed() for line in find(placed.section)]


@lru_cache(maxsize=16)
def _lens_lines(language: Language) -> Query[Section, list[int]]:
    """Return the query for the lines with lenses of a section, counted from its start as editors count them."""
    stated = [layer.lenses().places for layer in language.loaded if layer.lenses is not None]

    def of_section(section: Section) -> list[int]:
        lines = Lines(section.text)
        return [lines.of(offset)[0] - 1 for offset in sorted([place for places in stated for place in places(section)])]

    return Query("lenses", of_section)


def standing(ask: Ask) -> Standing | None:
    """Return the standing of the construct that begins on the line that ends at a position."""
    placed: Placed = ask.document.sections.at(ask.position)
    offset = ask.position - placed.start
    stated = [layer.lenses() for layer in ask.language.loaded if layer.lenses is not None]
    found = (lenses.standing(placed.section, offset, ask.settings, ask.index) for lenses in stated)
    return next((each for each in found if each is not None), None)


def hints(ask: Ask, *, shows_lenses: bool = False) -> list[Hint]:
    """Return the enabled hints in a range, in order; none repeats a code lens, if the editor shows these."""
    wanted = {
        "types": ask.settings.hint_types,
        "waves": ask.settings.hint_waves and not (shows_lenses and ask.shows_order()),
        "ends": ask.settings.hint_ends,
    }
    sources = [layer.hints() for layer in ask.language.loaded if layer.hints is not None and any(wanted.values())]
    found: list[Hint] = []
    for placed in ask.document.onward(ask.start) if sources else ():
        if placed.start > ask.end:
            break
        ask.pause()
        section, start = placed.section, placed.start
        first, last = max(ask.start - start, 0), min(ask.end - start, section.length)
        for hints_of in sources:
            found += [
                each._replace(offset=each.offset + start)
                for each in hints_of(section, first, last, ask.settings, ask.index)
                if wanted[each.kind]
            ]
    return sorted(found)


def links(ask: Ask) -> list[Link]:
    """Return all links, with their places in the document, in order."""
    found: list[Link] = []
    for layer in ask.language.loaded:
        of_section = layer.links(ask.settings) if layer.links is not None else None
        if of_section is None:
            continue
        of_block, by = _links_in_block(of_section), 0
        for block in ask.document.sections.blocks:
            ask.pause()
            found += [Link(start + by, end + by, to) for start, end, to in of_block(block)]
            by += block.before["length"][-1]
    return sorted(found)


@lru_cache(maxsize=16)
def _links_in_block(of_section: Query[Section, tuple[Link, ...]]) -> Query[Block, list[Link]]:
    def of_block(block: Block) -> list[Link]:
        found: list[Link] = []
        for section, by in zip(block, block.before["length"], strict=False):
            found += [Link(start + by, end + by, to) for start, end, to in of_section(section)]
        return found

    return Query("links of a block", of_block)


def paint(section: Section, colours: Mapping[Kind, Paint]) -> Iterator[Painted]:
    """Yield the coloured spans of a section, in order, none longer than a line, in the language's `colours`."""
    for span in section.spans():
        painter = colours.get(span.kind)
        if painter is not None:
            for painted in painter(section, span):
                yield from _rows(section, painted)


def _rows(section: Section, painted: Painted) -> Iterator[Painted]:
    text = section.text[painted.start : painted.end]
    if "\n" not in text and "\r" not in text:
        yield painted
        return
    at = painted.start
    for line in text.replace("\r", "\n").split("\n"):
        if line:
            yield painted._replace(start=at, end=at + len(line))
        at += len(line) + 1
