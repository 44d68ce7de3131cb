"""The call of a section, the names in its header, and the settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from llmblocks.core.layered import reads_crlf
from llmblocks.core.nest import Nesting
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call, read_call
from llmblocks.gadget.syntax.markers import Markers

if TYPE_CHECKING:
    from llmblocks.gadget.schemas.gadgets import Gadgets

INVOCATION: Final = "invocation"
NUMBERED: Final = "numbered invocation"
"""The kind of a call without an id, which gets the next `gadget_N` from the runtime. It has no name; its place is that
of the gadget.
"""
GADGET: Final = "gadget"
CALL: Final = "call"
ARGUMENT: Final = "argument"
NESTING: Final = Nesting(
    opens={kinds.START: CALL, kinds.ARG: ARGUMENT},
    closes={kinds.END: CALL},
    ends={CALL: frozenset((CALL, ARGUMENT)), ARGUMENT: frozenset((ARGUMENT,))},
)


class GadgetSettings(Protocol):
    """The settings of gadget calls."""

    @property
    def markers(self) -> Markers: ...
    @property
    def gadgets(self) -> Gadgets: ...


def read(section: Section) -> Call | None:
    """Return the call of a section, uncached."""
    if kinds.HEADER_END not in section.kinds:
        return None
    return read_call(section.text, section.tokens, crlf=reads_crlf(section.after))


call_in: Final[Query[Section, Call | None]] = Query("gadget call", read)
"""The call of a section, which has at most one; None if its start marker lacks the newline that begins a call."""


def names_in(section: Section) -> tuple[Symbol, ...]:
    """Return the gadget's name, the id, and then each dependency, with repeats."""
    call = call_in(section)
    if call is None:
        return ()
    text = call.text
    name, invocation_id, dependencies, _ = call.names
    gadget = Symbol("definition", GADGET, name.of(text), *name)
    if invocation_id is None:
        return gadget, Symbol("definition", NUMBERED, "", *name)
    own = Symbol("definition", INVOCATION, invocation_id.of(text), *invocation_id)
    return gadget, own, *[Symbol("reference", INVOCATION, each.of(text), *each) for each in dependencies]
