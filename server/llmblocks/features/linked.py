"""The opening and the closing tag of a block: edited together, and highlighted together."""

from __future__ import annotations

from llmblocks.core.nest import nest
from llmblocks.features.selection import Stretch
from llmblocks.languages.ask import Ask


def linked(ask: Ask) -> list[Stretch]:
    """The two names of the block whose tag is at a position; empty elsewhere, and for a block that is not closed."""
    placed = ask.document.sections.at(ask.position)
    section, offset = placed.section, ask.position - placed.start
    twins = ask.language.twins
    for node in nest(section, ask.language.nesting):
        kind = twins.get(node.kind)
        if kind is None or not node.closed or not node.start <= offset <= node.end:
            continue
        names = [span for span in section.spans() if span.kind is kind and node.start <= span.start < node.end]
        ends = names[:1] + names[1:][-1:]
        if len(ends) == 2 and any(start <= offset <= end for _, start, end in ends):
            return [Stretch(placed.start + start, placed.start + end) for _, start, end in ends]
    return []
