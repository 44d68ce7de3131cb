"""The outcomes of the calls of a session, judged response by response."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from llmblocks.gadget.running.fates import PREDICATES, STOPPED, Cause, Fate, Outcome, fates, sentence

_FAILURE: Final = re.compile(r"(?:[A-Za-z]*(?:Error|Exception)|ERROR|error|E[A-Z]{3,})\b")
_NONE: Final[Cause] = ("", "returned")
_LONGEST_CHAIN = 100


class LoggedCall(NamedTuple):
    """The properties of a call that decide its outcome."""

    name: str
    invocation_id: str
    dependencies: tuple[str, ...] = ()
    error: str = ""
    content: Hashable = None
    """Equal for equal parameters."""


class Replied(NamedTuple):
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
        calls: Sequence[LoggedCall],
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
        """Return the call that stopped first among those that stopped this one; of a long chain, the last one seen."""
        for _ in range(_LONGEST_CHAIN):
            number = self.own.get(one)
            if number is None:
                return self._failed[one]
            if number in self._replies:
                return one, self._outcome(number)
            if self._found[number].kind != "runs":
                return self._found[number].lasting(one)
            needs = needs_of(self.calls[number])
            following = next(filter(self._has_stopped, needs), None)
            if following is None:
                return one, "skipped" if needs else "no result"
            one = following
        return one, "skipped"


def needs_of(call: LoggedCall) -> list[str]:
    """Return the other calls that a call waits for, in its order."""
    return [one for one in dict.fromkeys(call.dependencies) if one != call.invocation_id]


CallKey = tuple[int, int]
"""The index of a response, and the index of a call in it."""


class Outcomes:
    """The outcomes of the calls of a session.

    Attributes:
        endings: For each call of each judged response, its fate by its text and its outcome.
        users: The calls that wait for a call.
        repeats: For a call that did not return, the last stopped call of an earlier response with the same gadget and
            parameters.
    """

    def __init__(self) -> None:
        self.endings: list[list[tuple[Fate, Ending]]] = []
        self.users: dict[CallKey, tuple[CallKey, ...]] = {}
        self.repeats: dict[CallKey, CallKey] = {}
        self._calls: list[Sequence[LoggedCall]] = []
        self._replies: list[Mapping[int, Replied]] = []
        self._known: set[str] = set()
        self._failed: dict[str, Cause] = {}
        self._last: dict[str, CallKey] = {}
        self._stopped: dict[tuple[str, Hashable], CallKey] = {}

    def judge(self, calls: Sequence[LoggedCall], replies: Mapping[int, Replied], answer: str | None) -> None:
        """Judge the next response. `replies` are its results, by call; `answer` is the next request."""
        self._calls.append(calls)
        self._replies.append(replies)
        told = dict.fromkeys([one for call in calls for one in (call.invocation_id, *call.dependencies)])
        failed = {one: self._failed[one] for one in told if one in self._failed}
        found = fates(calls, [call.error for call in calls], self._known, failed)
        ended = Ended(calls, found, replies, self._failed)
        if answer is not None:
            self._find_failing(ended, found)
        endings = [*ended.endings(answer)]
        self.endings.append([*zip(found, endings, strict=True)])
        self._take(ended.own, endings)

    def _find_failing(self, ended: Ended, found: Sequence[Fate]) -> None:
        """Find the calls that must have failed, because another call waits for them and has no result.

        They may be in an earlier response. If there is not exactly one candidate, the one whose result looks like an
        error counts.
        """
        here, replies = len(self.endings), self._replies[-1]
        waiting = [(number, needs_of(call)) for number, call in enumerate(ended.calls) if number not in replies]
        # calls that wait for only one call are the clearest
        for number, needs in sorted(waiting, key=lambda each: len(each[1])):
            suspects = self._suspects(ended, number, needs) if found[number].kind == "runs" else {}
            if len(suspects) > 1:
                suspects = {one: key for one, key in suspects.items() if one not in ended.useful}
            if len(suspects) > 1 or ended.can_be_early(number):
                suspects = {one: key for one, key in suspects.items() if self._reply(key).looks_failed}
            if len(suspects) != 1:
                continue
            ((one, key),) = suspects.items()
            index, needed = key
            if index == here:
                ended.failing.add(needed)
            else:
                now = self._reply(key).ending("failed", one)
                self.endings[index][needed] = self.endings[index][needed][0], now
                self._fail(key, now.cause)

    def _suspects(self, ended: Ended, number: int, needs: Sequence[str]) -> dict[str, CallKey]:
        """Return the calls of which one must have failed because a call did not run.

        Empty if there is another explanation: llmist skips some calls that wait for a later one, although that one
        runs.
        """
        here = len(self.endings)
        suspects: dict[str, CallKey] = {}
        for one in needs:
            index, needed = (here, ended.own[one]) if one in ended.own else self._last.get(one, (here, -1))
            reply = self._replies[index].get(needed)
            if reply is None or reply.outcome != "returned":
                return {}
            if index == here and (needed > number or needed in ended.failing):
                return {}
            suspects[one] = index, needed
        return suspects

    def _reply(self, key: CallKey) -> Replied:
        return self._replies[key[0]][key[1]]

    def _take(self, own: Mapping[str, int], endings: Sequence[Ending]) -> None:
        here, calls = len(self.endings) - 1, self._calls[-1]
        for number, (call, ending) in enumerate(zip(calls, endings, strict=True)):
            for one in dict.fromkeys(call.dependencies):
                key = (here, own[one]) if one in own else self._last.get(one)
                if key is not None and key != (here, number):
                    self.users[key] = (*self.users.get(key, ()), (here, number))
            if ending.outcome in STOPPED:
                self._fail((here, number), ending.cause)
            else:
                if ending.outcome == "no result":
                    self._repeat((here, number), call)
                self._failed.pop(call.invocation_id, None)
                self._known.add(call.invocation_id)
        self._last.update({call.invocation_id: (here, number) for number, call in enumerate(calls)})

    def _fail(self, key: CallKey, cause: Cause) -> None:
        """Record a call that failed, or that does not run because of another one."""
        call = self._calls[key[0]][key[1]]
        self._known.discard(call.invocation_id)
        self._failed[call.invocation_id] = cause
        if cause[0] == call.invocation_id and cause[1] in ("rejected", "failed"):
            self._repeat(key, call)
            last = self._stopped.get((call.name, call.content), key)
            self._stopped[call.name, call.content] = max(last, key)

    def _repeat(self, key: CallKey, call: LoggedCall) -> None:
        """Record that a call has not returned; an earlier one may have been the same."""
        before = self._stopped.get((call.name, call.content))
        if before is not None and before[0] == key[0]:
            # the model had not yet seen that result
            before = self.repeats.get(before)
        if before is not None and before < key:
            self.repeats[key] = before
