"""What is coloured, by meaning: markers as the settings have them, names, pointers, comments, registered tags."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.document import Document
from llmblocks.core.paint import Paint, Painted
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.core.sequence import Placed
from llmblocks.gadget.editor.colours import PAINT as GADGET
from llmblocks.stf.editor.colours import PAINT as STF
from llmblocks.tags.editor.colours import PAINT as TAGS

_PAINT: dict[Kind, Paint] = {**GADGET, **STF, **TAGS}


def painted(document: Document, start: int = 0, end: int | None = None) -> Iterator[Placed]:
    """The sections that have something between two places of a document, for `paint`."""
    if end is None:
        yield from document.placed()
        return
    placed: Placed | None = document.section_at(start)
    while placed is not None and placed.start < end:
        yield placed
        placed = document.sections.after(placed)


def paint(section: Section) -> Iterator[Painted]:
    """What is coloured in a section, in order, no stretch longer than its line."""
    for span in section.spans():
        painter = _PAINT.get(span.kind)
        if painter is not None:
            for painted in painter(section, span):
                yield from _lines(section, painted)


def _lines(section: Section, painted: Painted) -> Iterator[Painted]:
    text = section.slice(painted.start, painted.end)
    if "\n" not in text and "\r" not in text:
        yield painted
        return
    at = painted.start
    for line in text.replace("\r", "\n").split("\n"):
        if line:
            yield Painted(at, at + len(line), painted.role)
        at += len(line) + 1
