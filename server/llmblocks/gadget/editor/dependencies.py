"""Problems of the ids and dependencies of all calls. The scope of an id is one response: a message, or the document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index, Touched
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem
from llmblocks.gadget.editor.calls import INVOCATION, NUMBERED
from llmblocks.gadget.rules import DEPENDENCY_CYCLE, DUPLICATE_INVOCATION_ID, UNKNOWN_DEPENDENCY

_NUMBERED = re.compile("gadget_([1-9][0-9]{0,8})")
_Node = tuple[int, str]


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
                yield NamedProblem(DUPLICATE_INVOCATION_ID, name, each, data, ((first, "first given here"),))


def by_part(index: Index, name: str) -> dict[int, list[PlacedSymbol]]:
    """Return the calls with an id in each response that defines it, in order."""
    parts: dict[int, list[PlacedSymbol]] = {}
    for found in index.definitions(INVOCATION, name):
        parts.setdefault(index.part_of(found), []).append(found)
    if not number_of(name):
        return parts
    for part, same in parts.items():
        numbered = counted(index, name, part)
        if numbered is not None:
            same.append(numbered)
            same.sort(key=lambda each: (index.number(each.section), each.symbol.start))
    return parts


def given_until(index: Index, name: str, last: int) -> dict[int, list[PlacedSymbol]]:
    """Return the calls with an id in each of the responses up to `last` that defines it, in order."""
    parts = {part: same for part, same in by_part(index, name).items() if part <= last}
    if number_of(name):
        for part in range(last + 1):
            numbered = None if part in parts else counted(index, name, part)
            if numbered is not None:
                parts[part] = [numbered]
    return parts


def _unknown(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    others = other_files(index)
    # with one response, any call with that id counts
    known = () if index.boundaries else index.names("definition", INVOCATION)
    for name in names:
        if name in known:
            continue
        unknown = [
            found for found in index.references(INVOCATION, name) if not is_known(index, name, index.part_of(found))
        ]
        # the other files come last, because some are read only for this
        if unknown and others.is_known and not is_earlier(index, name):
            later = others.later(INVOCATION, name)
            elsewhere = () if later is None else ((later, "a later response gives this id"),)
            data = {"dependency": name}
            for found in unknown:
                yield NamedProblem(UNKNOWN_DEPENDENCY, name, found, data, elsewhere=elsewhere)


def is_known(index: Index, name: str, last: int) -> bool:
    """Return whether one of the responses up to `last` has a call with this id."""
    defined = index.definitions(INVOCATION, name)
    if defined and index.part_of(defined[0]) <= last:
        return True
    return number_of(name) is not None and any(counted(index, name, part) for part in range(last, -1, -1))


def is_earlier(index: Index, name: str) -> bool:
    """Return whether an earlier file has a call with this id.

    llmist numbers the calls of a process continuously, including those of its sub-agents. Once some calls have no id,
    the files do not show their numbers.
    """
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
    if part == 0:
        return 0
    if part > index.boundaries:
        return index.count("definition", NUMBERED)
    return index.count_before("definition", NUMBERED, index.nth("boundary", "", part - 1))


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


def _only_look_back(index: Index) -> bool:
    """Return whether all calls of a document wait for earlier ones, which excludes cycles."""
    defined, given = index.names("definition", INVOCATION), set()
    for _, (_, (role, kind, name, *_)) in index.placed():
        if kind != INVOCATION:
            continue
        if role == "definition":
            given.add(name)
        elif name not in given and (name in defined or number_of(name)):
            return False
    return True


def _cycles(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    names = [*names]
    # reading all calls costs little more than reading most of them
    if 2 * len(names) >= len(index.names("definition", INVOCATION)) and _only_look_back(index):
        return
    calls: dict[_Node, PlacedSymbol] = {}
    waited_for = index.names("reference", INVOCATION)
    for name in filter(waited_for.__contains__, names):
        for part, same in by_part(index, name).items():
            # of two calls with one id, the first counts
            calls[part, name] = same[0]
    waits = {node: _waits_for(index, node, found, calls) for node, found in calls.items()}
    cycles = [*_strongly_connected({node: [*needs] for node, needs in waits.items()})]
    if cycles and (earlier := {name for cycle in cycles for _, name in cycle if is_earlier(index, name)}):
        # a call need not wait for calls of an earlier file
        waits = {
            node: {other: symbol for other, symbol in needs.items() if other[1] not in earlier}
            for node, needs in waits.items()
        }
        cycles = [*_strongly_connected({node: [*needs] for node, needs in waits.items()})]
    for cycle in cycles:
        for node in cycle:
            for other, symbol in waits[node].items():
                if other in cycle:
                    yield NamedProblem(
                        DEPENDENCY_CYCLE,
                        node[1],
                        calls[node]._replace(symbol=symbol),
                        {"id": node[1], "dependency": other[1]},
                        ((calls[other], "this call waits, too"),),
                    )


def _waits_for(index: Index, node: _Node, found: PlacedSymbol, calls: dict[_Node, PlacedSymbol]) -> dict[_Node, Symbol]:
    """Return the other calls of the response that a call waits for, without those of earlier responses."""
    part, name = node
    waits: dict[_Node, Symbol] = {}
    for symbol in dependencies_of(index, found):
        other = (part, symbol.name)
        if symbol.name != name and other in calls and not (part and is_known(index, symbol.name, part - 1)):
            waits.setdefault(other, symbol)
    return waits


def dependencies_of(index: Index, found: PlacedSymbol) -> Iterator[Symbol]:
    symbols = index.symbols(found.section)
    for symbol in symbols[symbols.index(found.symbol) + 1 :]:
        if (symbol.role, symbol.kind) != ("reference", INVOCATION):
            break
        yield symbol


def _strongly_connected(graph: dict[_Node, list[_Node]]) -> Iterator[set[_Node]]:
    """Yield every group of at least two nodes that can reach one another. Not recursive: chains are long.

    Source: Tarjan, "Depth-first search and linear graph algorithms", 1972.
    """
    numbers: dict[_Node, int] = {}
    lowest: dict[_Node, int] = {}
    pending: list[_Node] = []
    waiting: set[_Node] = set()
    for start in graph:
        if start in numbers:
            continue
        path = [(start, iter(graph[start]))]
        numbers[start] = lowest[start] = len(numbers)
        pending.append(start)
        waiting.add(start)
        while path:
            node, needs = path[-1]
            for other in needs:
                if other not in numbers:
                    numbers[other] = lowest[other] = len(numbers)
                    pending.append(other)
                    waiting.add(other)
                    path.append((other, iter(graph[other])))
                    break
                if other in waiting:
                    lowest[node] = min(lowest[node], numbers[other])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == numbers[node]:
                    group = {node}
                    while (last := pending.pop()) != node:
                        group.add(last)
                    waiting -= group
                    if len(group) > 1:
                        yield group


CHECKS: Final = (
    NameCheck(DUPLICATE_INVOCATION_ID, _affected, _duplicates),
    NameCheck(UNKNOWN_DEPENDENCY, _affected, _unknown, across_files=True),
    NameCheck(DEPENDENCY_CYCLE, _reached, _cycles, across_files=True),
)
