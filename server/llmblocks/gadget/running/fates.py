"""The order of calls by their dependencies: the fate of each, or the reason why it does not run; words for outcomes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Final, Literal, NamedTuple, Protocol, TypeVar

from llmblocks.gadget.rules import G111_UNKNOWN_DEPENDENCY, G112_DEPENDENCY_CYCLE, G113_SELF_DEPENDENCY

Outcome = Literal["called", "returned", "failed", "rejected", "skipped", "never ran", "no result"]
"""The outcome of a call, as the word for it."""
PREDICATES: Final[Mapping[str, str]] = {
    "called": "is called",
    "returned": "has returned",
    "failed": "has failed",
    "rejected": "is rejected",
    "skipped": "is skipped",
    "never ran": "never ran",
    "no result": "has no result",
}
STOPPED: Final[frozenset[Outcome]] = frozenset(("failed", "rejected", "skipped", "never ran"))
"""The outcomes of calls that ended a part of a session."""
Cause = tuple[str, Outcome]
"""The id and the outcome of a stopped call."""
Obstacle = Literal["rejected", "failed", "self", "cycle", "missing"]
FateKind = Literal["runs", "rejected", "skipped", "never ran"]

_Node = TypeVar("_Node")
FAILED_DEPENDENCY: Final = "Dependency failed"
_NONE: Final[Mapping[str, Cause]] = {}
_KINDS: Final[Mapping[str, FateKind]] = {"": "runs", "rejected": "rejected", "failed": "skipped"}
# the rest explains the message, or suggests a remedy
_BEGINNING = re.compile(r"(?:Error: )?(.*?)\.?(?: - check that .*| which also depends on .*| \(self-ref.*)?", re.DOTALL)


def sentence(cause: Cause) -> str:
    """Describe a cause: `r1 is rejected`."""
    one, outcome = cause
    return f"{one} {PREDICATES[outcome]}"


def name_of(outcome: str) -> str:
    """Return the class name of an outcome, or of another kind of call, in a style sheet."""
    return outcome.replace(" ", "-")


class Planned(Protocol):
    """The attributes of a call for planning. A `GadgetCall` and a `CallStarted` have them."""

    @property
    def invocation_id(self) -> str: ...

    @property
    def dependencies(self) -> tuple[str, ...]: ...


class Fate(NamedTuple):
    """The fate of a call."""

    wave: int
    """Counts from 1; 0 for a call that does not run."""
    obstacle: Obstacle | Literal[""] = ""
    message: str = ""
    dependencies: tuple[str, ...] = ()
    """The ids that block it."""
    cause: Cause = ("", "no result")
    """The call that stopped first."""

    @property
    def kind(self) -> FateKind:
        """The kind of fate: a rejected call has an error, a skipped one waits for a call that stops."""
        return _KINDS.get(self.obstacle, "never ran")

    @property
    def says(self) -> str:
        """The fate in a few words, the same wherever it is shown."""
        return f"wave {self.wave}" if self.wave else f"{self.kind}: {self.why}"

    @property
    def why(self) -> str:
        """The reason why the call does not run, in a few words."""
        if self.obstacle == "failed":
            return sentence(self.cause)
        beginning = _BEGINNING.fullmatch(" ".join(self.message.split()))
        return beginning[1] if beginning else self.message

    def lasting(self, invocation_id: str) -> Cause:
        """Return the cause passed on to later responses if this call does not run."""
        kind = self.kind
        return self.cause if kind == "runs" or kind == "skipped" else (invocation_id, kind)


def fates(
    calls: Sequence[Planned],
    errors: Sequence[str] = (),
    known: Collection[str] = (),
    failed: Mapping[str, Cause] = _NONE,
) -> list[Fate]:
    """Return the fates of the calls of a response, in the same order.

    `errors` has the runtime's error of each call, or ""; `known` and `failed` the ids of earlier calls.

    Source: llmist. Calls with the same id all run, and one that fails blocks those that wait for the id. A rejected
    call gets this fate even if llmist skips it before it reads its arguments.
    """
    found: dict[int, Fate] = {}
    lost = {**failed}
    needs = [[other for other in dict.fromkeys(call.dependencies) if other != call.invocation_id] for call in calls]
    needing: dict[str, list[int]] = {}
    for number, call in enumerate(calls):
        if errors and errors[number]:
            found[number] = Fate(0, "rejected", errors[number])
        elif call.dependencies and not needs[number]:
            says = G113_SELF_DEPENDENCY.says({"id": call.invocation_id})
            found[number] = Fate(0, "self", says, (call.invocation_id,))
        if number in found:
            lost.setdefault(call.invocation_id, found[number].lasting(call.invocation_id))
        for other in needs[number]:
            needing.setdefault(other, []).append(number)

    # those that wait for a failure, the nearest first, so that the order of the calls does not matter
    level = [*lost]
    while level:
        following: dict[str, Cause] = {}
        for number in sorted({number for one in level for number in needing.get(one, ()) if number not in found}):
            one = next(each for each in needs[number] if each in lost)
            found[number] = Fate(0, "failed", FAILED_DEPENDENCY, (one,), lost[one])
            following.setdefault(calls[number].invocation_id, lost[one])
        level = [one for one in following if one not in lost]
        lost.update((one, following[one]) for one in level)

    left = {number: {*needs[number]}.difference(known) for number in range(len(calls)) if number not in found}
    ready = [number for number, missing in left.items() if not missing]
    wave = 0
    while ready:
        wave += 1
        found.update(dict.fromkeys(ready, Fate(wave)))
        freed: set[int] = set()
        for one in {calls[number].invocation_id for number in ready}:
            for number in needing.get(one, ()):
                if number not in found:
                    left[number].discard(one)
                    if not left[number]:
                        freed.add(number)
        ready = sorted(freed)

    waiting = {call.invocation_id for number, call in enumerate(calls) if number not in found}
    for number, call in enumerate(calls):
        if number not in found:
            missing = [one for one in needs[number] if one in left[number]]
            found[number] = _stuck(call.invocation_id, missing, waiting)
    return [found[number] for number in range(len(calls))]


def _stuck(invocation_id: str, left: list[str], waiting: Collection[str]) -> Fate:
    """Return the fate of a call that waits for `left` while all of `waiting` wait.

    Source: llmist reports a cycle whenever a dependency waits too, even if that waits for a missing call.
    """
    circular = [other for other in left if other in waiting]
    missing = [other for other in left if other not in waiting]
    if not circular:
        return Fate(0, "missing", G111_UNKNOWN_DEPENDENCY.says({"dependency": missing[0]}), tuple(missing))
    data = {"id": invocation_id, "dependency": circular[0]}
    if missing:
        data = {"case": "and-missing", "circular": ", ".join(circular), "missing": ", ".join(missing)}
    return Fate(0, "cycle", G112_DEPENDENCY_CYCLE.says(data), tuple(left))


Reason = Literal["cycle", "missing", "self", "failed"]


class Unresolved(NamedTuple):
    """The reason why a call never runs, in the runtime's wording."""

    reason: Reason
    message: str
    dependencies: tuple[str, ...]
    """The ids that block it."""


class Plan(NamedTuple):
    """An order for calls."""

    waves: tuple[tuple[str, ...], ...]
    """Ids. The calls of one wave can run in parallel, after all earlier waves."""
    unresolved: dict[str, Unresolved]
    """The calls that never run, by id."""
    cycles: tuple[tuple[str, ...], ...] = ()
    """The ids of one cycle of each group of calls that wait for one another: each call waits for the next one."""
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
    waits = {one: why.dependencies for one, why in unresolved.items() if why.reason == "cycle"}
    others = [other for call in first.values() for other in call.dependencies]
    return Plan(
        waves=tuple([tuple(waves[wave]) for wave in sorted(waves)]),
        unresolved=unresolved,
        cycles=tuple([_cycle(group, waits) for group in groups(waits)]),
        unknown=tuple(dict.fromkeys([other for other in others if other not in first and other not in known])),
        self_dependent=tuple([one for one, call in first.items() if one in call.dependencies]),
        duplicates=tuple(duplicates),
    )


def _cycle(group: list[str], waits: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return a cycle within a group: from its first call along the first dependency in the group, until one repeats."""
    members = {*group}
    path: dict[str, None] = {}
    one = group[0]
    while one not in path:
        path[one] = None
        one = next(other for other in waits[one] if other in members)
    ids = [*path]
    return tuple(ids[ids.index(one) :])


def groups(waits: Mapping[_Node, Collection[_Node]]) -> Iterator[list[_Node]]:
    """Yield every group of at least two that wait for one another, along their dependencies.

    Source: Gabow, "Path-based depth-first search for strong and biconnected components", 2000.
    """
    places: dict[_Node, float] = {}
    left: list[_Node] = []  # all that may still be in the group of an earlier one
    firsts: list[int] = []  # the places of those that may begin a group
    for start in waits:
        # not recursive: chains can be long
        path = [(-1, iter((start,)))]
        while path:
            place, needs = path[-1]
            for other in needs:
                if other in waits and other not in places:
                    places[other] = len(left)
                    path.append((len(left), iter(waits[other])))
                    firsts.append(len(left))
                    left.append(other)
                    break
                while firsts and firsts[-1] > places.get(other, inf):
                    firsts.pop()
            else:
                path.pop()
                if firsts and firsts[-1] == place:
                    group = left[firsts.pop() :]
                    del left[place:]
                    places.update(dict.fromkeys(group, inf))
                    if len(group) > 1:
                        yield group


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
    own = call.invocation_id
    if not isinstance(own, str):
        raise TypeError(f"`invocation_id` of {kind} is a str, not {type(own).__name__}")
    check_ids(f"`dependencies` of {own!r}", call.dependencies)
    for one in [each for each in call.dependencies if not isinstance(each, str)]:
        raise TypeError(f"a dependency of {own!r} is the id of a call, not {type(one).__name__}")
