"""The calls with an id. The scope of an id is one response: a message, or the document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.gadget.editor.calls import INVOCATION, NUMBERED

_NUMBERED = re.compile("gadget_([1-9][0-9]{0,8})")


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


def dependencies_of(index: Index, call: PlacedSymbol) -> Iterator[Symbol]:
    """Yield the dependencies of the call with an id or a name at a place: they follow it."""
    symbols = index.symbols(call.section)
    for symbol in symbols[symbols.index(call.symbol) + 1 :]:
        if (symbol.role, symbol.kind) != ("reference", INVOCATION):
            break
        yield symbol
