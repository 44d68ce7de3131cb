"""The calls of a document: of a section, with an id, and the problems of ids, dependencies, outcomes and neighbours."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, Protocol

from llmblocks.contract.other_files import CallOutcome, other_files
from llmblocks.core.index import Index, Touched
from llmblocks.core.layered import reads_crlf
from llmblocks.core.nest import Nesting
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem, PlacedProblem, neighbour_check
from llmblocks.facts.rule import Rule
from llmblocks.gadget import kinds, rules
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
    name, invocation_id, dependencies = call.names
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


_Node = tuple[int, str]
"""The index of a response, and an id."""
_UNNAMED = ""
"""The key of the outcomes of calls without ids."""


def _affected(index: Index, touched: Touched) -> Collection[str]:
    names = touched.names.get(INVOCATION, set())
    if NUMBERED in touched.names:
        # adding or removing an unnamed call renumbers later ones
        for role in ("definition", "reference"):
            names = names.union(filter(number_of, index.names(role, INVOCATION)))
    return names


def _duplicates(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    names = [*names]
    for name in dict.fromkeys([*index.repeated("definition", INVOCATION, names), *filter(number_of, names)]):
        data = {"id": name}
        for first, *later in by_part(index, name).values():
            for each in later:
                related = ((first, "first given here"),)
                yield NamedProblem(rules.G110_DUPLICATE_INVOCATION_ID, name, each, data, related)


def _unknown(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    others = other_files(index)
    for name in names:
        unknown = [
            found for found in index.references(INVOCATION, name) if not is_known(index, name, index.part_of(found))
        ]
        # the other files come last, because some are read only for this
        if unknown and others.is_known and not is_earlier(index, name):
            later = others.later(INVOCATION, name)
            elsewhere = () if later is None else ((later, "a later response gives this id"),)
            data = {"dependency": name}
            for found in unknown:
                yield NamedProblem(rules.G111_UNKNOWN_DEPENDENCY, name, found, data, elsewhere=elsewhere)


def _reached(index: Index, touched: Touched) -> Collection[str]:
    """Return the names on cycles that an edit may have added or removed: all names reachable from a touched one."""
    left = [*_affected(index, touched)]
    seen = set(left)
    if seen.issuperset(index.names("reference", INVOCATION)):
        return seen
    while left:
        for found in index.definitions(INVOCATION, left.pop()):
            for each in dependencies_of(index, found):
                if each.name not in seen:
                    seen.add(each.name)
                    left.append(each.name)
    return seen


def _cycles(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    waited_for = index.names("reference", INVOCATION)
    # of two calls with one id, the first counts
    calls = {
        (part, name): same[0]
        for name in filter(waited_for.__contains__, names)
        for part, same in by_part(index, name).items()
    }
    waits = {node: _waits_for(index, node, found, calls) for node, found in calls.items()}
    if not waits:
        # most responses have no dependency
        return
    from llmblocks.gadget.running.fates import groups

    cycles = [*groups(waits)]
    earlier = {name for cycle in cycles for _, name in cycle if is_earlier(index, name)}
    if earlier:
        # a call need not wait for calls of an earlier file
        waits = {
            node: {other: symbol for other, symbol in needs.items() if other[1] not in earlier}
            for node, needs in waits.items()
        }
        cycles = [*groups(waits)]
    for cycle in cycles:
        for node in cycle:
            for other in {*cycle}.intersection(waits[node]):
                place = calls[node]._replace(symbol=waits[node][other])
                data = {"id": node[1], "dependency": other[1]}
                related = ((calls[other], "this call waits, too"),)
                yield NamedProblem(rules.G112_DEPENDENCY_CYCLE, node[1], place, data, related)


def _waits_for(index: Index, node: _Node, found: PlacedSymbol, calls: Collection[_Node]) -> dict[_Node, Symbol]:
    """Return the other calls of the response that a call waits for, without those of earlier responses."""
    part, name = node
    waits: dict[_Node, Symbol] = {}
    for symbol in dependencies_of(index, found):
        other = (part, symbol.name)
        if symbol.name != name and other in calls and not (part and is_known(index, symbol.name, part - 1)):
            waits.setdefault(other, symbol)
    return waits


def _with_outcomes(index: Index, touched: Touched) -> Collection[str]:
    names = _affected(index, touched)
    return {*names, _UNNAMED} if NUMBERED in touched.names or any(map(number_of, names)) else names


def _reported(rule: Rule) -> NameCheck:
    """Return the check for problems of a rule that a session shows."""

    def check(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
        others = other_files(index)
        for name in names if others.is_session else ():
            ids = [name] if name else [f"gadget_{at + 1}" for at in range(index.count("definition", NUMBERED))]
            for one in ids:
                ran = others.ran(one)
                for place, each in zip(calls_with(index, one) if ran else (), ran, strict=False):
                    if place.symbol.kind == (INVOCATION if name else NUMBERED):
                        yield from (found for found in _of_outcome(index, name, place, each) if found.rule is rule)

    return NameCheck(rule, _with_outcomes, check, across_files=True)


def _of_outcome(index: Index, name: str, place: PlacedSymbol, ran: CallOutcome) -> Iterator[NamedProblem]:
    """Yield the problems of a call that failed, was skipped, or repeats a failed call."""
    if ran.result is not None:
        data: dict[str, object] = {"error": ran.why, "file": os.path.basename(ran.result.file), "outcome": ran.outcome}
        yield NamedProblem(rules.G301_FAILED_CALL, name, place, data, elsewhere=((ran.result, "the result"),))
    for symbol in dependencies_of(index, place) if ran.dependency else ():
        if symbol.name == ran.dependency:
            data = {"dependency": ran.dependency, "reason": ran.why}
            yield NamedProblem(rules.G302_SKIPPED_CALL, name, place._replace(symbol=symbol), data)
            break
    if ran.before is not None:
        file, one = ran.before
        data = {"id": one, "file": file, "number": ran.attempt}
        elsewhere = () if ran.place is None else ((ran.place, "the same call"),)
        yield NamedProblem(rules.G303_REPEATED_FAILURE, name, place, data, elsewhere=elsewhere)


def _repeated(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    """Return the problem of a call that is identical to the one before it except for its id."""
    if later.symbol.name != earlier.symbol.name:
        return None
    # not cached: that would store every call of a document twice
    before, call = read(earlier.section), read(later.section)
    if before is None or call is None or not (before.closed and call.closed and call.arguments):
        return None
    if before.body.rstrip() != call.body.rstrip() or {*before.parts.dependencies} != {*call.parts.dependencies}:
        return None
    # a call that the runtime rejects does not run even once
    return None if call.decoded()[0] is None else PlacedProblem(later)


CHECKS: Final = (
    NameCheck(rules.G110_DUPLICATE_INVOCATION_ID, _affected, _duplicates),
    NameCheck(rules.G111_UNKNOWN_DEPENDENCY, _affected, _unknown, across_files=True),
    NameCheck(rules.G112_DEPENDENCY_CYCLE, _reached, _cycles, across_files=True),
    *map(_reported, (rules.G301_FAILED_CALL, rules.G302_SKIPPED_CALL, rules.G303_REPEATED_FAILURE)),
    neighbour_check(rules.G122_REPEATED_CALL, ("definition", GADGET), _repeated),
)
