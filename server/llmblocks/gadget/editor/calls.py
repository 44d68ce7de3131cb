"""The call of a section, the names in its header, the calls with an id, and the settings that this folder reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Protocol

from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index
from llmblocks.core.layered import reads_crlf
from llmblocks.core.nest import Nesting
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Symbol
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
_NUMBERED = re.compile("gadget_([1-9][0-9]{0,8})")
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


def by_part(index: Index, name: str) -> dict[int, list[PlacedSymbol]]:
    """Return the calls with an id in each response that spells it in a definition, in order."""
    parts: dict[int, list[PlacedSymbol]] = {}
    for found in index.definitions(INVOCATION, name):
        parts.setdefault(index.part_of(found), []).append(found)
    for part, same in parts.items():
        numbered = counted(index, name, part)
        if numbered is not None:
            same.append(numbered)
            same.sort(key=lambda each: (index.number(each.section), each.symbol.start))
    return parts


def given_until(index: Index, name: str, last: int) -> dict[int, list[PlacedSymbol]]:
    """Return the calls with an id in each of the responses up to `last` that defines it, in order."""
    parts = {part: same for part, same in by_part(index, name).items() if part <= last}
    for part in range(last + 1) if number_of(name) else ():
        numbered = None if part in parts else counted(index, name, part)
        if numbered is not None:
            parts[part] = [numbered]
    return parts


def calls_with(index: Index, name: str) -> list[PlacedSymbol]:
    """Return the calls of the first response with an id, in order."""
    return given_until(index, name, 0).get(0, [])


def is_known(index: Index, name: str, last: int) -> bool:
    """Return whether one of the responses up to `last` has a call with this id."""
    defined = index.definitions(INVOCATION, name)
    if defined and index.part_of(defined[0]) <= last:
        return True
    return number_of(name) is not None and any(counted(index, name, part) for part in range(last, -1, -1))


def is_earlier(index: Index, name: str) -> bool:
    """Return whether an earlier file has, or may have, a call with this id: files do not show the numbers of calls."""
    others = other_files(index)
    return others.has_earlier(INVOCATION, name) or (number_of(name) is not None and others.has_earlier(NUMBERED, ""))


def number_of(name: str) -> re.Match[str] | None:
    """Match the number in an id that the runtime may generate."""
    return _NUMBERED.fullmatch(name) if name.startswith("gadget_") else None


def counted(index: Index, name: str, part: int) -> PlacedSymbol | None:
    """Return the call without an id to which the runtime gives this one."""
    number = number_of(name)
    if number is None:
        return None
    wanted = _calls_before(index, part) + int(number[1]) - 1
    return index.nth("definition", NUMBERED, wanted) if wanted < _calls_before(index, part + 1) else None


def _calls_before(index: Index, part: int) -> int:
    """Return the number of calls without an id before a response."""
    if part > index.boundaries:
        return index.count("definition", NUMBERED)
    return index.count_before("definition", NUMBERED, index.nth("boundary", "", part - 1)) if part else 0


def dependencies_of(index: Index, call: PlacedSymbol) -> Iterator[Symbol]:
    """Yield the dependencies of the call with an id or a name at a place: they follow it."""
    symbols = index.symbols(call.section)
    for symbol in symbols[symbols.index(call.symbol) + 1 :]:
        if (symbol.role, symbol.kind) != ("reference", INVOCATION):
            break
        yield symbol
