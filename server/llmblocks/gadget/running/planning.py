"""The order of calls by their dependencies."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from llmblocks.gadget.running.misuse import check_calls, check_header, check_ids
from llmblocks.gadget.syntax.catalogue import DEPENDENCY_CYCLE, SELF_DEPENDENCY, UNKNOWN_DEPENDENCY

Reason = Literal["cycle", "missing", "self", "duplicate"]


class Planned(Protocol):
    """The attributes of a call that planning needs; a `GadgetCall` and a `CallStarted` have them."""

    @property
    def invocation_id(self) -> str: ...

    @property
    def dependencies(self) -> tuple[str, ...]: ...


class Unresolved(NamedTuple):
    """The reason why a call never runs, in the runtime's wording; `dependencies` are the ids that block it."""

    reason: Reason
    message: str
    dependencies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """An order for calls.

    Shape:  `waves` are ids: those of one wave can run in parallel, after all earlier waves. `unresolved` are the calls
            that never run, by id, `cycles` the ids of each cycle in order, `unknown` the dependencies that no call
            defines, `self_dependent` the ids that depend on themselves, `duplicates` the ids given repeatedly.
    """

    waves: tuple[tuple[str, ...], ...]
    unresolved: dict[str, Unresolved]
    cycles: tuple[tuple[str, ...], ...] = ()
    unknown: tuple[str, ...] = ()
    self_dependent: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every call can run."""
        return not self.unresolved and not self.duplicates


def plan(calls: Iterable[Planned], known: Collection[str] = ()) -> Plan:
    """Order calls by their dependencies.

    Shape:  `known` are the ids that earlier responses of the session have completed.
    Errors: `TypeError` for anything but calls and collections of ids. Calls that can never run are in the plan, with
            the runtime's message. Of two calls with one id, the first counts. A call that depends on itself and on
            others ignores itself, as in the runtime.
    """
    check_calls(calls, Iterable)
    check_ids("known", known)
    pending: dict[str, tuple[str, ...]] = {}
    unresolved: dict[str, Unresolved] = {}
    duplicates: dict[str, None] = {}
    for call in calls:
        check_header("plan orders", call)
        if call.invocation_id in pending:
            duplicates[call.invocation_id] = None
        else:
            pending[call.invocation_id] = tuple(call.dependencies)
    order = list(pending)
    own = [one for one in order if one in pending[one]]
    for one in own:
        pending[one] = tuple(other for other in pending[one] if other != one)
        if not pending[one]:
            del pending[one]
            unresolved[one] = Unresolved("self", depends_on_itself(one), (one,))
    known = set(known)
    waves: list[tuple[str, ...]] = []
    waiting = {one: {other for other in needs if other not in known} for one, needs in pending.items()}
    dependents: dict[str, list[str]] = {}
    for one, needs in waiting.items():
        for other in needs:
            dependents.setdefault(other, []).append(one)
    ready = [one for one, needs in waiting.items() if not needs]
    place = {one: number for number, one in enumerate(order)}
    while ready:
        waves.append(tuple(ready))
        following: set[str] = set()
        for one in ready:
            del waiting[one]
            for other in dependents.get(one, ()):
                waiting[other].discard(one)
                if not waiting[other]:
                    following.add(other)
        ready = sorted(following, key=place.__getitem__)
    for one, left in waiting.items():
        unresolved[one] = cannot_run(one, [other for other in pending[one] if other in left], waiting)
    unknown = dict.fromkeys(
        other for one in order for other in pending.get(one, ()) if other not in place and other not in known
    )
    return Plan(
        waves=tuple(waves),
        unresolved={one: unresolved[one] for one in order if one in unresolved},
        cycles=_cycles(
            {
                one: [other for other in pending[one] if other in left and other in waiting]
                for one, left in waiting.items()
            }
        ),
        unknown=tuple(unknown),
        self_dependent=tuple(own),
        duplicates=tuple(duplicates),
    )


def depends_on_itself(invocation_id: str) -> str:
    """The runtime's message for a call whose only dependency is itself."""
    return SELF_DEPENDENCY.says({"id": invocation_id})


def cannot_run(invocation_id: str, left: list[str], waiting: Collection[str]) -> Unresolved:
    """The runtime's message for a call that waits for `left` while all of `waiting` wait.

    Source: llmist reports a cycle whenever a dependency waits too, even if that waits for something missing.
    """
    circular = [other for other in left if other in waiting]
    missing = [other for other in left if other not in waiting]
    if circular and missing:
        data = {"case": "and-missing", "circular": ", ".join(circular), "missing": ", ".join(missing)}
        return Unresolved("cycle", DEPENDENCY_CYCLE.says(data), tuple(left))
    if circular:
        data = {"id": invocation_id, "dependency": circular[0]}
        return Unresolved("cycle", DEPENDENCY_CYCLE.says(data), tuple(circular))
    return Unresolved("missing", UNKNOWN_DEPENDENCY.says({"dependency": missing[0]}), tuple(missing))


def _cycles(graph: dict[str, list[str]]) -> tuple[tuple[str, ...], ...]:
    """A cycle through each group of calls that wait for one another. No recursion: chains can be long."""
    cycles: list[tuple[str, ...]] = []
    done: set[str] = set()
    for start in graph:
        if start in done:
            continue
        path = [start]
        places = {start: 0}
        steps = [iter(graph[start])]
        while path:
            following = next(steps[-1], None)
            if following is None:
                steps.pop()
                done.add(path[-1])
                del places[path.pop()]
            elif following in places:
                cycles.append(tuple(path[places[following] :]))
            elif following not in done:
                places[following] = len(path)
                path.append(following)
                steps.append(iter(graph[following]))
    return tuple(cycles)
