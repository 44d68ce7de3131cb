"""The regions of a whole text, with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from llmblocks.completions.machine import OUTSIDE, Machine
from llmblocks.completions.template import TemplateField

_NONE: Mapping[str, str] = {}


class TextRegion(NamedTuple):
    """A region. Places are code points from the start of the text."""

    field: TemplateField | None
    """None for text that belongs to no field."""
    start: int
    content: int
    """The end of the opening delimiter, which may be empty."""
    content_end: int
    """The start of the closing delimiter."""
    end: int
    captures: Mapping[str, str]
    """The groups of the opening delimiter."""
    closed: bool


def regions_of(machine: Machine, text: str, *, fresh: bool = True) -> Iterator[TextRegion]:
    """Yield the regions of a text in which none is open at the start. `fresh` if no text precedes it."""
    fields, implicit = machine.template.fields, machine.template.implicit
    field: TemplateField | None = None
    start = content = at = 0
    captures = _NONE
    for kind, begin, end, number, match in machine.steps(text, 0, len(text), OUTSIDE, True, fresh):
        if field is None and kind != "text" and begin > at:
            closed = kind == "end"
            yield TextRegion(implicit, at, at, begin, end if closed else begin, _NONE, closed)
        if kind == "open":
            field, start, content = fields[number], begin, end
            captures = {key: each for key, each in match.groupdict().items() if each is not None} if match else _NONE
        elif kind == "close":
            yield TextRegion(field, start, content, begin, end, captures, True)
            field = None
        at = end if kind != "text" else at
    if field is not None:
        yield TextRegion(field, start, content, len(text), len(text), captures, False)
    elif at < len(text):
        yield TextRegion(implicit, at, at, len(text), len(text), _NONE, False)
