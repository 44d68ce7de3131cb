"""The outcomes of the calls of one response, from its text and the results in the next request."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from llmblocks.gadget.running.fates import PREDICATES, Cause, Fate, Outcome, Planned, sentence

_FAILURE: Final = re.compile(r"(?:[A-Za-z]*(?:Error|Exception)|ERROR|error|E[A-Z]{3,})\b")
_NONE: Final[Cause] = ("", "returned")


class PlannedCall(Planned, Protocol):
    """The attributes of a call that decide its outcome. `content` is equal for equal parameters."""

    @property
    def name(self) -> str: ...
    @property
    def error(self) -> str: ...
    @property
    def content(self) -> Hashable: ...


class Replied(NamedTuple):
    """The content of a result."""

    beginning: str
    """Its first line."""
    outcome: Outcome = "returned"
    """The runtime's report about the call."""

    @property
    def looks_failed(self) -> bool:
        """Whether the text looks like the error of a gadget."""
        return _FAILURE.match(self.beginning) is not None

    def ending(self, outcome: Outcome, invocation_id: str) -> Ending:
        """Return the outcome of the call with this result."""
        if outcome == "returned":
            return Ending(outcome)
        return Ending(outcome, self.beginning or "it failed", cause=(invocation_id, outcome))


class Ending(NamedTuple):
    """The outcome of a call, with its reason."""

    outcome: Outcome
    why: str = ""
    """The reason in one line; empty for a call that returned."""
    dependency: str = ""
    """The id because of which a call was skipped; the first of several candidates."""
    cause: Cause = _NONE
    """For a stopped call, the call that stopped first; otherwise without an id."""


class Ended:
    """The calls of a response after their results.

    Attributes:
        own: The indices of the calls by id, the first of each.
        failing: The indices of calls that must have failed although their results do not say so.
        failed: The causes of earlier calls, by id.
    """

    def __init__(
        self,
        calls: Sequence[PlannedCall],
        found: Sequence[Fate],
        replies: Mapping[int, Replied],
        failed: Mapping[str, Cause],
    ) -> None:
        self.calls = calls
        self.own = {call.invocation_id: number for number, call in reversed([*enumerate(calls)])}
        self.failing: set[int] = set()
        self._found = found
        self._replies = replies
        self._failed = failed
        self._causes: dict[str, Cause] = {}
        # calls whose dependents have run did not fail
        self.useful = {one for number in replies for one in calls[number].dependencies}
        self._last_ran = max((each for each in replies if needs_of(calls[each])), default=-1)

    def endings(self, answer: str | None) -> Iterator[Ending]:
        """Yield the outcome of each call. `answer` is the next request."""
        for number, (call, fate) in enumerate(zip(self.calls, self._found, strict=True)):
            one = call.invocation_id
            if number in self._replies:
                yield self._replies[number].ending(self._outcome(number), one)
            elif fate.kind != "runs":
                first = fate.dependencies[0] if fate.kind == "skipped" else ""
                yield Ending(fate.kind, fate.why, first, fate.lasting(one))
            elif answer is None:
                yield Ending("no result", "the session ends with this response")
            elif needs_of(call):
                yield self._skipped(number, needs_of(call))
            else:
                yield Ending("no result", f"{os.path.basename(answer)} has none")

    def _skipped(self, number: int, needs: Sequence[str]) -> Ending:
        stopped = next(filter(self._has_stopped, needs), None)
        if stopped is not None:
            cause = self._first(stopped)
            return Ending("skipped", sentence(cause), stopped, cause)
        early = self.can_be_early(number) or any(self.own.get(one, -1) > number for one in needs)
        late = " or came too late" if early else ""
        needs = [one for one in needs if one not in self.useful] or needs
        why = f"{' or '.join(needs)} {PREDICATES['failed']}{late}"
        return Ending("skipped", why, needs[0], (self.calls[number].invocation_id, "skipped"))

    def can_be_early(self, number: int) -> bool:
        """Return whether llmist may have skipped a call because one of its dependencies was still running.

        It does so when another waiting call, whose dependencies have ended, comes later in the response.
        """
        return self._last_ran > number and any(one in self.own for one in needs_of(self.calls[number]))

    def _outcome(self, number: int) -> Outcome:
        """Return the outcome of a call that has a result."""
        if self._found[number].kind == "rejected":
            return "rejected"
        outcome = self._replies[number].outcome
        return "failed" if outcome == "returned" and number in self.failing else outcome

    def _has_stopped(self, one: str) -> bool:
        number = self.own.get(one)
        if number is None:
            return one in self._failed
        return number not in self._replies or self._outcome(number) != "returned"

    def _first(self, one: str) -> Cause:
        """Return the call that stopped first among those that stopped this one."""
        # not recursive: chains can be long
        path: dict[str, None] = {}
        cause: Cause | None = None
        while cause is None:
            path[one] = None
            number = self.own.get(one)
            if one in self._causes:
                cause = self._causes[one]
            elif number is None:
                cause = self._failed[one]
            elif number in self._replies:
                cause = one, self._outcome(number)
            elif self._found[number].kind != "runs":
                cause = self._found[number].lasting(one)
            else:
                needs = needs_of(self.calls[number])
                following = next(filter(self._has_stopped, needs), None)
                if following is None or following in path:
                    cause = one, "skipped" if needs else "no result"
                else:
                    one = following
        self._causes.update(dict.fromkeys(path, cause))
        return cause


def needs_of(call: Planned) -> list[str]:
    """Return the other calls that a call waits for, in its order."""
    return [one for one in dict.fromkeys(call.dependencies) if one != call.invocation_id]
