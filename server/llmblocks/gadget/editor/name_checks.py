"""Problems of the ids, dependencies and outcomes of all calls, and of neighbours that are identical."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from llmblocks.contract.other_files import CallOutcome, other_files
from llmblocks.core.index import Index, Touched
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem, PlacedProblem, neighbour_check
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.editor.calls import (
    GADGET,
    INVOCATION,
    NUMBERED,
    by_part,
    calls_with,
    dependencies_of,
    is_earlier,
    is_known,
    number_of,
    read,
)

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
