"""Colours by meaning: configured markers, names, pointers, comments, registered tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from llmblocks.contract.paint import Paint, Painted
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section


def paint(section: Section, colours: Mapping[Kind, Paint]) -> Iterator[Painted]:
    """Yield the coloured spans of a section, in order, none longer than a line, in the language's `colours`."""
    for span in section.spans():
        painter = colours.get(span.kind)
        if painter is not None:
            for painted in painter(section, span):
                yield from _lines(section, painted)


def _lines(section: Section, painted: Painted) -> Iterator[Painted]:
    text = section.text[painted.start : painted.end]
    if "\n" not in text and "\r" not in text:
        yield painted
        return
    at = painted.start
    for line in text.replace("\r", "\n").split("\n"):
        if line:
            yield painted._replace(start=at, end=at + len(line))
        at += len(line) + 1
