"""The colours of gadget calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.contract.paint import PLAIN, Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.gadget import kinds
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.syntax.header import HeaderPart


def _start(section: Section, span: Span) -> Iterator[Painted]:
    if call_in(section) is not None:
        yield Painted(span.start, span.end, "keyword")


def _header(section: Section, span: Span) -> Iterator[Painted]:
    call = call_in(section)
    if call is None:
        return
    parts = call.names
    names: list[tuple[HeaderPart, str, tuple[str, ...]]] = [(parts.name, "function", ())]
    if parts.invocation_id is not None:
        names.append((parts.invocation_id, "variable", ("declaration", "readonly")))
    names += [(each, "variable", ()) for each in parts.dependencies]
    for part, role, modifiers in names:
        if part.start < part.end:
            yield Painted(*part, role, modifiers)


def _pointer(section: Section, span: Span) -> Iterator[Painted]:
    at = span.start
    for segment in section.text[span.start : span.end].split("/"):
        name = segment.strip()
        if name:
            start = at + segment.index(name)
            yield Painted(start, start + len(name), "number" if name.isascii() and name.isdigit() else "property")
        at += len(segment) + 1


PAINT: Final[dict[Kind, Paint]] = {
    kinds.START: _start,
    kinds.HEADER: _header,
    kinds.IGNORED: as_whole("comment"),
    kinds.ARG: as_whole("keyword"),
    kinds.POINTER: _pointer,
    kinds.END: as_whole("keyword"),
}

PAINT_OVER: Final[dict[Kind, Paint]] = {
    **dict.fromkeys((kinds.TEXT, kinds.STRAY), as_whole(PLAIN)),
    kinds.VALUE: as_whole("string"),
}
"""Additional colours if the markers are not the ones in the grammars of editors."""
