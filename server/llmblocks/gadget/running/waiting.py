"""The calls of a run: ready, waiting, or never to run."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.running.fates import FAILED_DEPENDENCY, cannot_run, depends_on_itself
from llmblocks.gadget.running.outcomes import Skipped

Decision = GadgetCall | Skipped
"""A call that can run now, or the reason why it is skipped."""


@dataclass(slots=True)
class _Waiter:
    """A call and the number of its completed dependencies."""

    call: GadgetCall
    place: int = 0


class Waiting:
    """The calls of a run that wait for others.

    Every method returns the resulting decisions, in order. A call checks its dependencies in turn, so it is skipped for
    the first failed one in its own list, not for the first to fail.
    """

    def __init__(self, completed: Collection[str], failed: Collection[str]) -> None:
        self._completed = set(completed)
        self._failed = dict.fromkeys(failed, FAILED_DEPENDENCY)  # with the error
        self._waiting: dict[str, list[_Waiter]] = {}  # by dependency

    def arrive(self, call: GadgetCall) -> list[Decision]:
        """Add a call of the response."""
        own = call.invocation_id
        if call.dependencies and all(one == own for one in call.dependencies):
            return self._skipped(Skipped(call, own, depends_on_itself(own)))
        return self._settled([_Waiter(call)])

    def complete(self, invocation_id: str) -> list[Decision]:
        """Record that a call has run."""
        self._completed.add(invocation_id)
        return self._settled(self._waiting.pop(invocation_id, []))

    def fail(self, invocation_id: str, error: str) -> list[Decision]:
        """Record that a call could not run, or failed."""
        self._failed[invocation_id] = error
        return self._settled(self._waiting.pop(invocation_id, []))

    def give_up(self) -> list[Decision]:
        """Skip calls that wait for a failure after a missing call, then all that wait for missing calls."""
        left = {id(waiter): waiter for waiters in self._waiting.values() for waiter in waiters}
        needing: dict[str, list[_Waiter]] = {}
        for waiter in left.values():
            for one in waiter.call.dependencies:
                needing.setdefault(one, []).append(waiter)
        decisions: list[Decision] = []
        lost = deque(one for one in needing if one in self._failed)
        while lost:
            for waiter in needing[lost.popleft()]:
                if left.pop(id(waiter), None) is not None:
                    skipped = self._lost(waiter.call)
                    decisions.append(skipped)
                    self._failed[waiter.call.invocation_id] = skipped.error
                    if waiter.call.invocation_id in needing:
                        lost.append(waiter.call.invocation_id)
        ids = {waiter.call.invocation_id for waiter in left.values()}
        for waiter in left.values():
            call = waiter.call
            missing = [one for one in call.dependencies if one not in self._completed and one != call.invocation_id]
            why = cannot_run(call.invocation_id, missing, ids)
            decisions.append(Skipped(call, why.dependencies[0], why.message))
        return decisions

    def _lost(self, call: GadgetCall) -> Skipped:
        own = call.invocation_id
        one = next(one for one in call.dependencies if one in self._failed and one != own)
        return Skipped(call, one, self._failed[one])

    def _skipped(self, skipped: Skipped) -> list[Decision]:
        return [skipped, *self.fail(skipped.call.invocation_id, skipped.error)]

    def _settled(self, waiters: list[_Waiter]) -> list[Decision]:
        """Decide on the calls of settled dependencies, and on their dependents. Not recursive: chains can be long."""
        decisions: list[Decision] = []
        undecided = deque(waiters)
        while undecided:
            waiter = undecided.popleft()
            decision = self._decide(waiter)
            if isinstance(decision, str):
                self._waiting.setdefault(decision, []).append(waiter)
                continue
            decisions.append(decision)
            if isinstance(decision, Skipped):
                own = waiter.call.invocation_id
                self._failed[own] = decision.error
                undecided += self._waiting.pop(own, [])
        return decisions

    def _decide(self, waiter: _Waiter) -> Decision | str:
        """Return the decision on a call, or the id that it waits for."""
        call = waiter.call
        for one in call.dependencies[waiter.place :]:
            if one != call.invocation_id:
                if one in self._failed:
                    return Skipped(call, one, self._failed[one])
                if one not in self._completed:
                    return one
            waiter.place += 1
        return call
