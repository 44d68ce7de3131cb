"""The order of calls by their dependencies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from llmblocks.gadget.running.fates import Planned, fates

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
    others = [other for call in first.values() for other in call.dependencies]
    return Plan(
        waves=tuple([tuple(waves[wave]) for wave in sorted(waves)]),
        unresolved=unresolved,
        cycles=cycles({one: why.dependencies for one, why in unresolved.items() if why.reason == "cycle"}),
        unknown=tuple(dict.fromkeys([other for other in others if other not in first and other not in known])),
        self_dependent=tuple([one for one, call in first.items() if one in call.dependencies]),
        duplicates=tuple(duplicates),
    )


def cycles(waits: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return one cycle for each group of calls that wait for one another, given the ids that block each call."""
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


def check_calls(calls: object, *kinds: type) -> None:
    """Raise `TypeError` for anything but these kinds of iterables of calls."""
    if isinstance(calls, str | bytes | Mapping) or not isinstance(calls, kinds):
        sync = "" if len(kinds) == 1 else ", async or not"
        raise TypeError(f"calls is an iterable of GadgetCall{sync}, not {type(calls).__name__}")


def check_ids(name: str, given: object) -> None:
    """Raise `TypeError` for anything but a collection of ids. A text would be read as one id per character."""
    if isinstance(given, str | bytes) or not isinstance(given, Collection):
        raise TypeError(f"{name} is a collection of ids, such as a set, not {type(given).__name__}")


def check_header(taker: str, call: object) -> None:
    """Raise `TypeError` for values without an id and dependencies; `taker` is a function, with its verb."""
    kind = type(call).__name__
    if isinstance(call, type) or not hasattr(call, "invocation_id") or not hasattr(call, "dependencies"):
        raise TypeError(f"{taker} GadgetCall, not {kind}: give it the `call` of each CallEnded event")
    if not isinstance(call.invocation_id, str):
        raise TypeError(f"`invocation_id` of {kind} is a str, not {type(call.invocation_id).__name__}")
    check_ids(f"`dependencies` of {call.invocation_id!r}", call.dependencies)
    for one in call.dependencies:
        if not isinstance(one, str):
            raise TypeError(f"a dependency of {call.invocation_id!r} is the id of a call, not {type(one).__name__}")
