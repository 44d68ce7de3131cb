"""The opening and the closing tag of a block: edited together, and highlighted together."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.nest import nest
from llmblocks.core.scan import Kind
from llmblocks.core.section import Span
from llmblocks.features.selection import DocumentRange
from llmblocks.languages.ask import Ask
from llmblocks.rules.surroundings import resets_of

_LONGEST = 1 << 16


def linked(ask: Ask) -> list[DocumentRange]:
    """Return both names of the block whose tag is at a position; empty elsewhere, and for an unclosed block."""
    placed = ask.document.sections.at(ask.position)
    section, offset = placed.section, ask.position - placed.start
    twins = ask.language.twins
    here = [
        (node, span)
        for node, name in twins.items()
        for span in section.spans()
        if span.kind is name and span.start <= offset <= span.end
    ]
    if not here:
        return []
    for found in nest(section, ask.language.nesting):
        kind = twins.get(found.kind)
        if kind is None or not found.closed or not found.start <= offset <= found.end:
            continue
        names = [span for span in section.spans() if span.kind is kind and found.start <= span.start < found.end]
        ends = names[:1] + names[1:][-1:]
        if len(ends) == 2 and any(start <= offset <= end for _, start, end in ends):
            return [DocumentRange(placed.start + start, placed.start + end) for _, start, end in ends]
    node, span = here[0]
    own = DocumentRange(placed.start + span.start, placed.start + span.end)
    return _across(ask, node, twins[node], own)


def _across(ask: Ask, node: str, name: Kind, own: DocumentRange) -> list[DocumentRange]:
    """Return both names of a block that contains other sections."""
    nesting = ask.language.nesting
    before = next((kind for kind, _, end in _tokens(ask, own.start, ahead=False) if end <= own.start), None)
    opens = before is not None and nesting.opens.get(before) == node
    same, other = (nesting.opens, nesting.closes) if opens else (nesting.closes, nesting.opens)
    last = None
    for kind, start, end in _tokens(ask, own.end if opens else own.start, ahead=opens):
        if same.get(kind) == node:
            break
        if other.get(kind) == node:
            return sorted((own, last)) if last is not None else []
        if kind is name:
            last = DocumentRange(start, end)
    return []


def _tokens(ask: Ask, offset: int, *, ahead: bool) -> Iterator[Span]:
    """Yield the tokens after a place, or those before it, nearest first, until nothing is open."""
    resets = resets_of(ask.document)
    for placed in ask.document.onward(offset) if ahead else ask.document.backward(offset):
        if max(placed.start - offset, offset - placed.end) > _LONGEST:
            return
        spans = [Span(kind, placed.start + start, placed.start + end) for kind, start, end in placed.section.spans()]
        for span in spans if ahead else spans[::-1]:
            if (span.start >= offset) is ahead:
                if span.kind in resets:
                    return
                yield span
