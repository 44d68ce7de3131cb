"""What became of the calls of a session: judged response by response, and again from any of them on."""

from __future__ import annotations

import os
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

from llmblocks.gadget.running.fates import Cause, Fate, Planned, fates

Outcome = Literal["returned", "failed", "rejected", "skipped", "never", "unknown"]
"""The outcome of a call of a session."""
STOPPED: Final[frozenset[Outcome]] = frozenset(("failed", "rejected", "skipped", "never"))
"""The outcomes of calls that a session has not got further with."""
CallKey = tuple[int, int]
"""The index of a response, and that of a call in it."""
_ABSENT: Final = object()


class Called(Planned, Protocol):
    """The attributes of a call that decide. Shape: `content` is equal for equal parameters."""

    @property
    def name(self) -> str: ...
    @property
    def error(self) -> str: ...
    @property
    def content(self) -> Hashable: ...


class Replied(NamedTuple):
    """What a result says. Shape: `beginning` is its first line; `is_error` says that the runtime wrote it."""

    beginning: str
    is_error: bool


class Ending(NamedTuple):
    """What became of a call.

    Shape: `why` is empty for one that returned, and for others a reason in one line. `dependency` is the id because of
           which one was skipped.
    """

    outcome: Outcome
    why: str = ""
    dependency: str = ""


class Outcomes:
    """What became of the calls of a session.

    Shape: `endings` has for each response that was judged, and for each of its calls, the fate by what is written and
           what became of it. `users` are the calls that wait for one; of one that has not returned, `repeats` is the
           last call of an earlier response with the same gadget and the same parameters that stopped. `touched` are the
           responses of which something else may be known since it was last emptied.
    """

    def __init__(self) -> None:
        self.endings: list[list[tuple[Fate, Ending]]] = []
        self.users: dict[CallKey, tuple[CallKey, ...]] = {}
        self.repeats: dict[CallKey, CallKey] = {}
        self.touched: set[int] = set()
        self._calls: list[Sequence[Called]] = []
        self._replies: list[Mapping[int, Replied]] = []
        self._known: dict[str, None] = {}
        self._failed: dict[str, Cause] = {}
        self._last: dict[str, CallKey] = {}
        self._stopped: dict[tuple[str, Hashable], CallKey] = {}
        self._undo: list[tuple[Any, Any, object]] = []
        self._marks: list[int] = []
        self._amended: dict[int, list[int]] = {}

    def judge(self, calls: Sequence[Called], replies: Mapping[int, Replied], answer: str | None) -> None:
        """Judge the next response. Shape: `replies` are what its results say, by call; `answer` is the next request."""
        self._marks.append(len(self._undo))
        self.touched.add(len(self.endings))
        self._calls.append(calls)
        self._replies.append(replies)
        told = dict.fromkeys([one for call in calls for one in (call.invocation_id, *call.dependencies)])
        failed = {one: self._failed[one] for one in told if one in self._failed}
        found = fates(calls, [call.error for call in calls], self._known, failed)
        own = {call.invocation_id: number for number, call in reversed([*enumerate(calls)])}
        failing = self._failing(own, found, answer)
        endings = [*self._endings(own, found, failing, answer)]
        self.endings.append([*zip(found, endings, strict=True)])
        self._take(own, found, endings)

    def forget_from(self, index: int) -> None:
        """Forget a response and those behind it."""
        if index >= len(self.endings):
            return
        for each in range(index, len(self.endings)):
            self.touched |= {each, *self._amended.pop(each, ())}
        while len(self._undo) > self._marks[index]:
            table, key, before = self._undo.pop()
            if before is _ABSENT:
                del table[key]
            else:
                table[key] = before
        for rows in (self.endings, self._calls, self._replies, self._marks):
            del rows[index:]

    def _failing(self, own: Mapping[str, int], found: Sequence[Fate], answer: str | None) -> set[int]:
        """The calls of the response for which another one waits alone, and has no result.

        It may be one of an earlier response, and stands in front of the other one: of calls that wait for one behind
        them, llmist skips some although that runs.
        """
        here, calls = len(self.endings), self._calls[-1]
        failing: set[int] = set()
        for number, (call, fate) in enumerate(zip(calls, found, strict=True)):
            needs = {one for one in call.dependencies if one != call.invocation_id}
            if fate.kind != "runs" or len(needs) != 1 or answer is None or number in self._replies[here]:
                continue
            (one,) = needs
            index, needed = (here, own[one]) if one in own else self._last.get(one, (here, -1))
            reply = self._replies[index].get(needed)
            if reply is None or (index == here and needed > number):
                continue
            if index == here:
                failing.add(needed)
            else:
                self._set(self.endings[index], needed, (self.endings[index][needed][0], _failed(reply)))
                self._amended.setdefault(here, []).append(index)
                self.touched.add(index)
                self._fail((index, needed), (one, "rejected"))
        return failing

    def _endings(
        self, own: Mapping[str, int], found: Sequence[Fate], failing: Container[int], answer: str | None
    ) -> Iterator[Ending]:
        calls, replies = self._calls[-1], self._replies[-1]
        for number, (call, fate) in enumerate(zip(calls, found, strict=True)):
            reply = replies.get(number)
            if reply is not None:
                has_failed = fate.kind == "rejected" or number in failing or reply.is_error
                yield _failed(reply) if has_failed else Ending("returned")
            elif fate.kind == "skipped":
                yield Ending("skipped", _says(fate.cause), fate.dependencies[0])
            elif fate.kind != "runs":
                yield Ending(fate.kind, fate.why)
            elif answer is None:
                yield Ending("unknown", "the session ends with this response")
            elif blocking := [one for one in call.dependencies if one != call.invocation_id]:
                late = " or came too late" if any(own.get(one, -1) > number for one in blocking) else ""
                first = next((one for one in blocking if self._has_stopped(own, one, failing)), blocking[0])
                yield Ending("skipped", f"{' or '.join(blocking)} has failed{late}", first)
            else:
                yield Ending("unknown", f"no result in {os.path.basename(answer)}")

    def _has_stopped(self, own: Mapping[str, int], one: str, failing: Container[int]) -> bool:
        if one not in own:
            return one in self._failed
        reply = self._replies[-1].get(own[one])
        return reply is None or reply.is_error or own[one] in failing

    def _take(self, own: Mapping[str, int], found: Sequence[Fate], endings: Sequence[Ending]) -> None:
        here, calls = len(self.endings) - 1, self._calls[-1]
        for number, (call, fate, ending) in enumerate(zip(calls, found, endings, strict=True)):
            for one in dict.fromkeys(call.dependencies):
                key = (here, own[one]) if one in own else self._last.get(one)
                if key is not None and key != (here, number):
                    self._set(self.users, key, (*self.users.get(key, ()), (here, number)))
            if ending.outcome in STOPPED:
                self._fail((here, number), _cause(call, fate, ending))
            else:
                if ending.outcome == "unknown":
                    self._repeat((here, number), call)
                self._drop(self._failed, call.invocation_id)
                self._set(self._known, call.invocation_id, None)
        for number, call in enumerate(calls):
            self._set(self._last, call.invocation_id, (here, number))

    def _fail(self, key: CallKey, cause: Cause) -> None:
        """Take in a call that failed, or that does not run because of another one."""
        call = self._calls[key[0]][key[1]]
        self._drop(self._known, call.invocation_id)
        self._set(self._failed, call.invocation_id, cause)
        if cause == (call.invocation_id, "rejected"):
            self._repeat(key, call)
            last = self._stopped.get((call.name, call.content), key)
            self._set(self._stopped, (call.name, call.content), max(last, key))

    def _repeat(self, key: CallKey, call: Called) -> None:
        """Take in that a call has not returned: an earlier one may have been the same."""
        before = self._stopped.get((call.name, call.content))
        if before is not None and before[0] == key[0]:
            # when the model wrote this one, it had not been told of that one
            before = self.repeats.get(before)
        if before is not None and before < key:
            self._set(self.repeats, key, before)

    def _set(self, table: Any, key: Any, value: object) -> None:
        before = table[key] if isinstance(table, list) else table.get(key, _ABSENT)
        self._undo.append((table, key, before))
        table[key] = value

    def _drop(self, table: dict[str, Any], key: str) -> None:
        if key in table:
            self._undo.append((table, key, table.pop(key)))


def _cause(call: Called, fate: Fate, ending: Ending) -> Cause:
    """What later calls are told that wait for one that has stopped."""
    if fate.kind != "runs":
        return fate.lasting(call.invocation_id)
    if ending.outcome == "skipped":
        return next(one for one in call.dependencies if one != call.invocation_id), "rejected"
    return call.invocation_id, "rejected"


def _says(cause: Cause) -> str:
    one, kind = cause
    return f"{one} {'never runs' if kind == 'never' else 'has failed'}"


def _failed(reply: Replied) -> Ending:
    return Ending("failed", reply.beginning or "it failed")
