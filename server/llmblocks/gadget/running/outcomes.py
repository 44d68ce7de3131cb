"""The gadgets and the events of a run, and its calls that wait for others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal

from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.running.fates import FAILED_DEPENDENCY, Cause, depends_on_itself, fates
from llmblocks.gadget.running.schema import AnySchema

Failure = Literal["unknown_gadget", "unreadable", "invalid", "raised", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Gadget:
    """A tool that calls can name. A `run` that cannot be called raises `TypeError`."""

    run: Callable[..., Any]
    """A function or a coroutine function. With a pydantic model as its schema, it gets an instance of the model,
    otherwise the parameters by keyword.
    """
    schema: AnySchema | None = None
    timeout: float | None = None
    """In seconds."""

    def __post_init__(self) -> None:
        if not callable(self.run):
            raise TypeError(f"a gadget runs a function, not {type(self.run).__name__}: give Gadget(function)")


@dataclass(frozen=True, slots=True)
class Started:
    """A call has started."""

    call: GadgetCall
    ignored: tuple[str, ...] = ()
    """The pointers of parameters that its JSON Schema forbids."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A call has finished."""

    call: GadgetCall
    result: Any
    """The gadget's return value."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A call could not run, or its gadget or schema raised `exception`."""

    call: GadgetCall
    kind: Failure
    error: str
    exception: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A call was skipped because of a dependency."""

    call: GadgetCall
    dependency: str
    error: str
    """The error of the dependency, or the reason why it can never run."""


Execution = Started | Finished | Failed | Skipped
"""An event of `execute`."""
Decision = GadgetCall | Skipped
"""A call that can run now, or the reason why it is skipped."""


class Waiting:
    """The calls of a run that wait for others.

    Every method returns the resulting decisions, in order: a call that can run now, or the reason why it is skipped. A
    call checks its dependencies in turn, so it is skipped for the first failed one in its own list, not for the first
    to fail.
    """

    def __init__(self, completed: Collection[str], failed: Collection[str]) -> None:
        self._completed = set(completed)
        self._failed = dict.fromkeys(failed, FAILED_DEPENDENCY)  # with the error
        self._waiting: dict[str, list[tuple[GadgetCall, deque[str]]]] = {}  # by dependency, with all left ones

    def arrive(self, call: GadgetCall) -> list[Decision]:
        """Add a call of the response."""
        own = call.invocation_id
        if call.dependencies and all(one == own for one in call.dependencies):
            error = depends_on_itself(own)
            return [Skipped(call, own, error), *self.fail(own, error)]
        return self._settled([(call, deque([one for one in call.dependencies if one != own]))])

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
        calls = [call for waiters in self._waiting.values() for call, _ in waiters]
        causes: dict[str, Cause] = {one: (one, "failed") for one in self._failed}
        found = [*zip(calls, fates(calls, (), self._completed, causes), strict=True)]
        found.sort(key=lambda each: each[1].obstacle != "failed")
        return [
            Skipped(call, fate.dependencies[0], self._failed.get(fate.cause[0], fate.message)) for call, fate in found
        ]

    def _settled(self, waiters: list[tuple[GadgetCall, deque[str]]]) -> list[Decision]:
        """Decide on the calls of settled dependencies, and on their dependents. Not recursive: chains can be long."""
        decisions: list[Decision] = []
        undecided = deque(waiters)
        while undecided:
            call, left = undecided.popleft()
            while left and left[0] in self._completed and left[0] not in self._failed:
                left.popleft()
            if not left:
                decisions.append(call)
            elif left[0] not in self._failed:
                self._waiting.setdefault(left[0], []).append((call, left))
            else:
                error = self._failed[call.invocation_id] = self._failed[left[0]]
                decisions.append(Skipped(call, left[0], error))
                undecided += self._waiting.pop(call.invocation_id, [])
        return decisions
