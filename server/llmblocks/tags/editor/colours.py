"""The colours of custom blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.contract.paint import PLAIN, Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5
from llmblocks.tags import kinds
from llmblocks.tags.declared import LANGUAGES
from llmblocks.tags.editor.blocks import open_tag, tag_near
from llmblocks.tags.syntax import NAME

_NAMED = re.compile(r"<(?:function|parameter)=([^<>\n]+)>")
_TAG = re.compile(rf"</?({NAME})[^<>\n]*>?")
PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys((*kinds.BRACKETS, kinds.EQUALS), as_whole("operator")),
    kinds.NAME: as_whole("type"),
    kinds.ATTRIBUTE: as_whole("property"),
    **dict.fromkeys((kinds.QUOTE, kinds.VALUE), as_whole("string")),
}


Marks = tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]
"""The names of tags, and those with declared content, each with its kind."""


def paint_over(marks: Marks) -> dict[Kind, Paint]:
    """Return the colours of unregistered tags, which editors' grammars colour like tags, and of declared contents."""
    typed = dict(marks[1])

    def paint(section: Section, span: Span) -> Iterator[Painted]:
        for found in _TAG.finditer(section.text, span.start, span.end):
            if found[1] not in marks[0]:
                yield Painted(found.start(), found.end(), PLAIN)

    def paint_content(section: Section, span: Span) -> Iterator[Painted]:
        block = tag_near(section, span.start)
        known = typed.get(block.tag if block else open_tag(section.before), ())
        if not known:
            yield from paint(section, span)
            return
        text = section.text[span.start : span.end]
        is_xml = text.lstrip().startswith("<")
        kind = next((each for each in known if is_xml == (each == "qwen-xml")), known[0])
        if kind == "qwen-xml":
            yield from [Painted(*each.span(1), "property") for each in _NAMED.finditer(section.text, *span[1:])]
        elif kind in ("json", "json5"):
            yield from json5(text, span.start)
        elif kind not in LANGUAGES and (word := text.strip()):
            start = span.start + text.index(word)
            yield Painted(start, start + len(word), "number" if kind == "number" else "string")

    return {kinds.TEXT: paint, kinds.CONTENT: paint_content if typed else paint}
