"""The call of a section, and the names in its header."""

from __future__ import annotations

from typing import Final, Literal

from llmblocks.core.layered import reads_crlf
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call, read_call
from llmblocks.gadget.syntax.header import HeaderPart, locate_header

INVOCATION: Final = "invocation"
NUMBERED: Final = "numbered invocation"
"""The kind of a call without an id, which gets the next `gadget_N` from the runtime. It has no name; its place is that
of the gadget.
"""
GADGET: Final = "gadget"


def read(section: Section) -> Call | None:
    """Return the call of a section, uncached."""
    if kinds.HEADER_END not in section.kinds:
        return None
    return read_call(section.text, section.tokens, crlf=reads_crlf(section.after))


call_in: Final[Query[Section, Call | None]] = Query("gadget call", read)
"""The call of a section, which has at most one; None if its start marker lacks the newline that begins a call."""


def call_near(section: Section, offset: int) -> Call | None:
    """Return the call of a section that begins before an offset."""
    call = call_in(section)
    return call if call is not None and offset > call.start else None


def place_of(section: Section, call: Call) -> PlacedSymbol:
    """Return the place of the header of a section's call."""
    return PlacedSymbol(section, Symbol("definition", GADGET, call.head, call.header, call.header_end))


def names_in(section: Section) -> tuple[Symbol, ...]:
    """Returns the gadget's name, the id, and then each dependency, with repeats."""
    call = call_in(section)
    return () if call is None else names_of(call)


def names_of(call: Call) -> tuple[Symbol, ...]:
    """Return the names in the header of a call."""
    return tuple(_of_header(call.head, call.header))


def _of_header(text: str, at: int) -> list[Symbol]:
    fields = text.split(":")
    if len(fields) > 3 or not all(map(str.isidentifier, fields)):
        return _of_any_header(text, at)
    # nothing to trim, as in nearly every header
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
