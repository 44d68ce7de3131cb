"""The order of calls by their dependencies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from llmblocks.gadget.running.fates import Planned, fates
from llmblocks.gadget.running.misuse import check_calls, check_header, check_ids

Reason = Literal["cycle", "missing", "self", "failed"]


class Unresolved(NamedTuple):
    """The reason why a call never runs, in the runtime's wording."""

    reason: Reason
    message: str
    dependencies: tuple[str, ...]
    """The ids that block it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order for calls."""

    waves: tuple[tuple[str, ...], ...]
    """Ids. The calls of one wave can run in parallel, after all earlier waves."""
    unresolved: dict[str, Unresolved]
    """The calls that never run, by id."""
    cycles: tuple[tuple[str, ...], ...] = ()
    """The ids of each cycle, in order."""
    unknown: tuple[str, ...] = ()
    """Dependencies that no call defines."""
    self_dependent: tuple[str, ...] = ()
    """Ids that depend on themselves."""
    duplicates: tuple[str, ...] = ()
    """Ids that several calls have."""

    @property
    def ok(self) -> bool:
        """Whether every call can run."""
        return not self.unresolved and not self.duplicates


def plan(calls: Iterable[Planned], known: Collection[str] = ()) -> Plan:
    """Order calls by their dependencies.

    Calls that can never run are in the plan, with the runtime's message. If two calls have one id, the first counts. A
    call that depends on itself and on others ignores itself, as in the runtime.

    Args:
        calls: The calls.
        known: Ids that earlier responses of the session have completed.

    Raises:
        TypeError: The arguments are not calls, or not collections of ids.
    """
    check_calls(calls, Iterable)
    check_ids("known", known)
    first: dict[str, Planned] = {}
    duplicates: dict[str, None] = {}
    for call in calls:
        check_header("plan orders", call)
        if call.invocation_id in first:
            duplicates[call.invocation_id] = None
        else:
            first[call.invocation_id] = call
    known = set(known)
    waves: dict[int, list[str]] = {}
    unresolved: dict[str, Unresolved] = {}
    for one, fate in zip(first, fates([*first.values()], known=known), strict=True):
        if fate.obstacle and fate.obstacle != "rejected":
            unresolved[one] = Unresolved(fate.obstacle, fate.message, fate.dependencies)
        else:
            waves.setdefault(fate.wave, []).append(one)
    return Plan(
        waves=tuple([tuple(waves[wave]) for wave in sorted(waves)]),
        unresolved=unresolved,
        cycles=cycles({one: why.dependencies for one, why in unresolved.items() if why.reason == "cycle"}),
        unknown=tuple(
            dict.fromkeys(
                [
                    other
                    for call in first.values()
                    for other in call.dependencies
                    if other not in first and other not in known
                ]
            )
        ),
        self_dependent=tuple([one for one, call in first.items() if one in call.dependencies]),
        duplicates=tuple(duplicates),
    )


def cycles(waits: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return one cycle for each group of calls that wait for one another.

    Args:
        waits: The ids that block each call. Ids without a row are on no cycle.
    """
    found: list[tuple[str, ...]] = []
    # not recursive: chains can be long
    done: set[str] = set()
    for start in waits:
        if start in done:
            continue
        path = [start]
        places = {start: 0}
        steps = [iter(waits[start])]
        while path:
            following = next(steps[-1], None)
            if following is None:
                steps.pop()
                done.add(path[-1])
                del places[path.pop()]
            elif following in places:
                found.append(tuple(path[places[following] :]))
            elif following not in done and following in waits:
                places[following] = len(path)
                path.append(following)
                steps.append(iter(waits[following]))
    return tuple(found)
