"""The parts of a header around a place, for a growing selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from llmblocks.core.section import Section, Span
from llmblocks.gadget import kinds
from llmblocks.gadget.syntax.header import locate_header


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the name, the id, each dependency, and all of them."""
    kind, start, end = spans[number]
    if kind is not kinds.HEADER:
        return
    name, invocation, dependencies, _ = locate_header(section.text, start, end)
    yield from (name, *((invocation,) if invocation else ()), *dependencies)
    if dependencies:
        yield dependencies[0].start, dependencies[-1].end
