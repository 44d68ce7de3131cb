"""The colours of custom blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.paint import PLAIN, Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.tags.editor import kinds

PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys(
        (kinds.OPENING, kinds.OPENED, kinds.SELF_CLOSED, kinds.CLOSING, kinds.CLOSED, kinds.EQUALS),
        as_whole("operator"),
    ),
    kinds.NAME: as_whole("type"),
    kinds.ATTRIBUTE: as_whole("property"),
    kinds.QUOTE: as_whole("string"),
    kinds.VALUE: as_whole("string"),
}


def paint_over(names: tuple[str, ...], default: tuple[str, ...]) -> dict[Kind, Paint]:
    """The colours of what looks like a tag, but for settings that register other names than the default ones."""
    gone = [each for each in default if each not in names]
    if not gone:
        return {}
    tag = re.compile(rf"</?(?:{'|'.join(map(re.escape, gone))})(?![\w-])[^<>\n]*>?")

    def paint(section: Section, span: Span) -> Iterator[Painted]:
        for found in tag.finditer(section.slice(span.start, span.end)):
            yield Painted(span.start + found.start(), span.start + found.end(), PLAIN)

    return dict.fromkeys((kinds.TEXT, kinds.CONTENT), paint)
