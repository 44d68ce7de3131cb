"""The wave in which the runtime runs a call."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.index import Index
from llmblocks.core.section import Piece
from llmblocks.core.symbol import PlacedSymbol
from llmblocks.gadget.editor.dependencies import by_part, counted, dependencies_of, is_earlier, is_known
from llmblocks.gadget.editor.names import INVOCATION
from llmblocks.gadget.running.planning import plan

MOST_CALLS = 200
"""The most calls that are looked at: those that a call waits for, directly or not."""


class _Call(NamedTuple):
    invocation_id: str
    dependencies: tuple[str, ...]


class Turn(NamedTuple):
    """When a call runs. Shape: `wave` counts from 1; it is 0 for a call that never runs, and `message` says why."""

    wave: int
    message: str = ""


def turn_of(index: Index, piece: Piece, at: int) -> Turn | None:
    """When the call whose header begins at a place runs; None if this is unknown."""
    symbols, line_end = index.symbols(piece), piece.text.find("\n", at)
    symbol = next((each for each in symbols if at <= each.start <= line_end and each.kind == INVOCATION), None)
    if symbol is None or symbol.role != "definition":
        return None
    here = PlacedSymbol(piece, symbol)
    if not any(True for _ in dependencies_of(index, here)):
        return Turn(1)
    part = index.part_of(here)
    calls: dict[str, _Call] = {}
    known: set[str] = set()
    left = [symbol.name]
    while left:
        name = left.pop()
        if name in calls or name in known:
            continue
        if name != symbol.name and ((part and is_known(index, name, part - 1)) or is_earlier(index, name)):
            known.add(name)
            continue
        same = [here] if name == symbol.name else by_part(index, name).get(part, [])
        if not same and counted(index, name, part) is not None:
            # without an id there are no dependencies
            calls[name] = _Call(name, ())
            continue
        if not same:
            if not index.other_files.is_known:
                return None
            continue
        needs = tuple(dict.fromkeys([each.name for each in dependencies_of(index, same[0])]))
        calls[name] = _Call(name, needs)
        left += needs
        if len(calls) > MOST_CALLS:
            return None
    planned = plan(calls.values(), known)
    unresolved = planned.unresolved.get(symbol.name)
    if unresolved is not None:
        return Turn(0, unresolved.message)
    return Turn(next(number for number, wave in enumerate(planned.waves, 1) if symbol.name in wave))
