"""The colours of completions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from llmblocks.completions import scanner
from llmblocks.completions.content import tags_in
from llmblocks.completions.scanner import regions_by
from llmblocks.completions.shipped import template_called
from llmblocks.completions.template import Template
from llmblocks.contract.paint import Paint, Painted, as_whole
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5

PAINT: Final[dict[Kind, Paint]] = dict.fromkeys(scanner.MARKERS, as_whole("keyword"))


def paint_over(template: str, _: str) -> dict[Kind, Paint]:
    """Return the colours of the contents of regions, and of delimiters over several lines."""
    read = template_called(template)
    painted = _painted_by(read)

    def paint(section: Section, span: Span) -> Iterator[Painted]:
        return iter(painted(section).get(span.start, ()))

    return {scanner.CONTENT: paint, scanner.PENDING: paint}


def _painted_by(template: Template) -> Query[Section, Mapping[int, list[Painted]]]:
    regions_in = regions_by(template)

    def compute(section: Section) -> Mapping[int, list[Painted]]:
        found: dict[int, list[Painted]] = {}
        spans = [span for span in section.spans() if span.kind in (scanner.CONTENT, scanner.PENDING)]
        for region in regions_in(section):
            field = region.field
            if field is None or field.open is None:
                continue
            text = section.text[region.content : region.content_end]
            parts = [
                Painted(region.start, region.content, "keyword"),
                Painted(region.content_end, region.end, "keyword"),
            ]
            if field.content == "json":
                parts += json5(text, region.content)
            elif field.content == "xml-inline":
                for tag in tags_in(text, field.args):
                    start, end = (region.content + at for at in tag.span("key"))
                    parts.append(Painted(start, end, "property"))
            elif field.name != "content":
                parts.append(Painted(region.content, region.content_end, "comment"))
            for span in spans:
                cut = [
                    part._replace(start=max(part.start, span.start), end=min(part.end, span.end))
                    for part in parts
                    if part.start < span.end and part.end > span.start
                ]
                if cut:
                    found.setdefault(span.start, []).extend(sorted(cut))
        return found

    return Query("painted", compute)
