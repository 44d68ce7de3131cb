"""The fate of each call of a response: it runs, or the reason why it does not."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from llmblocks.gadget.rules import DEPENDENCY_CYCLE, SELF_DEPENDENCY, UNKNOWN_DEPENDENCY
from llmblocks.gadget.running.outcome_words import Cause, sentence

Obstacle = Literal["rejected", "failed", "self", "cycle", "missing"]
FateKind = Literal["runs", "rejected", "skipped", "never ran"]

FAILED_DEPENDENCY: Final = "Dependency failed"
_NONE: Final[Mapping[str, Cause]] = {}
_KINDS: Final[Mapping[str, FateKind]] = {
    "": "runs",
    "rejected": "rejected",
    "failed": "skipped",
    "self": "never ran",
    "cycle": "never ran",
    "missing": "never ran",
}
# the rest explains the message, or suggests a remedy
_BEGINNING = re.compile(r"(?:Error: )?(.*?)\.?(?: - check that .*| which also depends on .*| \(self-ref.*)?", re.DOTALL)


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
    """The runtime's message if the call does not run."""
    dependencies: tuple[str, ...] = ()
    """The ids that block it."""
    cause: Cause = ("", "no result")
    """The call that stopped first."""

    @property
    def kind(self) -> FateKind:
        """The kind of fate: a rejected call has an error, a skipped one waits for a call that stops."""
        return _KINDS[self.obstacle]

    @property
    def says(self) -> str:
        """The fate in a few words, the same wherever it is shown."""
        if self.wave:
            return f"wave {self.wave}"
        return f"{self.kind}: {self.why}"

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

    The fate of a call depends only on its dependencies.

    Args:
        calls: The calls.
        errors: The error with which the runtime rejects each call; empty if it accepts it.
        known: Ids of calls that ran before.
        failed: Ids of calls that failed before, with their causes.

    Source: llmist. Calls with the same id all run, and one that fails blocks those that wait for the id. A rejected
    call gets this fate even if llmist skips it before it reads its arguments.
    """
    found: list[Fate | None] = [None] * len(calls)
    lost = {**failed}
    needs: list[tuple[str, ...]] = []
    needing: dict[str, list[int]] = {}
    for number, call in enumerate(calls):
        one = call.invocation_id
        needs.append(tuple(dict.fromkeys([other for other in call.dependencies if other != one])))
        if errors and errors[number]:
            found[number] = Fate(0, "rejected", errors[number])
            lost.setdefault(one, (one, "rejected"))
        elif call.dependencies and not needs[number]:
            found[number] = Fate(0, "self", depends_on_itself(one), (one,))
            lost.setdefault(one, (one, "never ran"))
        for other in needs[number]:
            needing.setdefault(other, []).append(number)
    _skip(calls, needs, needing, lost, found)
    _order(calls, needs, needing, known, found)
    waiting = {call.invocation_id for call, fate in zip(calls, found, strict=True) if fate is None}
    ran = {call.invocation_id for call, fate in zip(calls, found, strict=True) if fate is not None and fate.wave}
    return [
        fate
        or cannot_run(
            call.invocation_id, [each for each in needs[number] if each not in known and each not in ran], waiting
        )
        for number, (call, fate) in enumerate(zip(calls, found, strict=True))
    ]


def _skip(
    calls: Sequence[Planned],
    needs: list[tuple[str, ...]],
    needing: dict[str, list[int]],
    lost: dict[str, Cause],
    found: list[Fate | None],
) -> None:
    """Skip the calls that wait for a failure, nearest first, so that the order of the calls does not matter."""
    level = [*lost]
    while level:
        reached = {number for one in level for number in needing.get(one, ()) if found[number] is None}
        following: dict[str, Cause] = {}
        for number in sorted(reached):
            one = next(each for each in needs[number] if each in lost)
            found[number] = Fate(0, "failed", FAILED_DEPENDENCY, (one,), lost[one])
            own = calls[number].invocation_id
            if own not in lost:
                following.setdefault(own, lost[one])
        lost |= following
        level = [*following]


def _order(
    calls: Sequence[Planned],
    needs: list[tuple[str, ...]],
    needing: dict[str, list[int]],
    known: Collection[str],
    found: list[Fate | None],
) -> None:
    """Sort the calls that can run into waves."""
    left = {
        number: {one for one in needs[number] if one not in known} for number, fate in enumerate(found) if fate is None
    }
    ready = [number for number, missing in left.items() if not missing]
    wave = 0
    while ready:
        wave += 1
        for number in ready:
            found[number] = Fate(wave)
        following = set()
        for one in dict.fromkeys([calls[number].invocation_id for number in ready]):
            for number in needing.get(one, ()):
                if found[number] is None and one in left[number]:
                    left[number].discard(one)
                    if not left[number]:
                        following.add(number)
        ready = sorted(following)


def depends_on_itself(invocation_id: str) -> str:
    """Return the runtime's message for a call whose only dependency is itself."""
    return SELF_DEPENDENCY.says({"id": invocation_id})


def cannot_run(invocation_id: str, left: list[str], waiting: Collection[str]) -> Fate:
    """Return the fate of a call that waits for `left` while all of `waiting` wait.

    Source: llmist reports a cycle whenever a dependency waits too, even if that waits for a missing call.
    """
    circular = [other for other in left if other in waiting]
    missing = [other for other in left if other not in waiting]
    if circular and missing:
        data = {"case": "and-missing", "circular": ", ".join(circular), "missing": ", ".join(missing)}
        return Fate(0, "cycle", DEPENDENCY_CYCLE.says(data), tuple(left))
    if circular:
        data = {"id": invocation_id, "dependency": circular[0]}
        return Fate(0, "cycle", DEPENDENCY_CYCLE.says(data), tuple(circular))
    return Fate(0, "missing", UNKNOWN_DEPENDENCY.says({"dependency": missing[0]}), tuple(missing))
