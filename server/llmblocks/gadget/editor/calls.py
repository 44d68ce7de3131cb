"""The call of a section, and the names in its header."""

from __future__ import annotations

from typing import Final

from llmblocks.core.layered import reads_crlf
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call, read_call

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
    text = call.text
    name, invocation_id, dependencies, _ = call.names
    gadget = Symbol("definition", GADGET, name.of(text), *name)
    if invocation_id is None:
        return gadget, Symbol("definition", NUMBERED, "", *name)
    own = Symbol("definition", INVOCATION, invocation_id.of(text), *invocation_id)
    return gadget, own, *[Symbol("reference", INVOCATION, each.of(text), *each) for each in dependencies]
