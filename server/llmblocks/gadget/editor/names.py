"""The names in the headers of gadget calls."""

from __future__ import annotations

from typing import Final, Literal

from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.header import HeaderPart, locate_header

INVOCATION: Final = "invocation"
NUMBERED: Final = "numbered invocation"
"""A call without an id: the runtime gives it the next `gadget_N`. It has no name; its place is that of the gadget's."""
GADGET: Final = "gadget"


def names_in(lines: Section) -> tuple[Symbol, ...]:
    """The gadget's name of a call, its id, and right after that its dependencies, as often as they are written."""
    header, at = header_in(lines)
    return tuple(_of_header(header, at)) if at else ()


def header_in(lines: Section) -> tuple[str, int]:
    """The header of the call that begins in some lines, behind its start marker; 0 if none begins there."""
    at = 0
    for kind, width in lines.tokens if kinds.HEADER_END in lines.kinds else ():
        if kind is kinds.HEADER:
            return lines.text[at : at + width], at
        at += width
    return "", 0


def _of_header(text: str, at: int) -> list[Symbol]:
    fields = text.split(":")
    if len(fields) > 3 or not all(map(str.isidentifier, fields)):
        return _of_any_header(text, at)
    # nothing to trim, as nearly everywhere
    name, *ids = fields
    first = at + len(name)
    found = [Symbol("definition", GADGET, name, at, first)]
    if not ids:
        found.append(Symbol("definition", NUMBERED, "", at, first))
        return found
    second = first + len(ids[0]) + 1
    found.append(Symbol("definition", INVOCATION, ids[0], first + 1, second))
    if len(ids) > 1:
        found.append(Symbol("reference", INVOCATION, ids[1], second + 1, second + 1 + len(ids[1])))
    return found


def _of_any_header(text: str, at: int) -> list[Symbol]:
    name, invocation_id, dependencies, _ = locate_header(text)

    def at_place(role: Literal["definition", "reference"], kind: str, span: HeaderPart) -> Symbol:
        return Symbol(role, kind, span.of(text), at + span.start, at + span.end)

    if invocation_id is None:
        numbered = Symbol("definition", NUMBERED, "", at + name.start, at + name.end)
        return [at_place("definition", GADGET, name), numbered]
    return [
        at_place("definition", GADGET, name),
        at_place("definition", INVOCATION, invocation_id),
        *[at_place("reference", INVOCATION, each) for each in dependencies],
    ]
