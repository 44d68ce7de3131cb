"""The outcomes of the calls of a session, judged response by response, and again from any of them on."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from llmblocks.gadget.running.fates import STOPPED, Cause, Fate, fates
from llmblocks.workspace.endings import Ended, Ending, PlannedCall, Replied, needs_of

CallKey = tuple[int, int]
"""The index of a response, and the index of a call in it."""
_ABSENT: Final = object()


class Outcomes:
    """The outcomes of the calls of a session.

    Attributes:
        endings: For each call of each judged response, its fate by its text and its outcome.
        users: The calls that wait for a call.
        repeats: For a call that did not return, the last stopped call of an earlier response with the same gadget and
            parameters.
        touched: The responses whose outcomes may have changed since it was last cleared.
    """

    def __init__(self) -> None:
        self.endings: list[list[tuple[Fate, Ending]]] = []
        self.users: dict[CallKey, tuple[CallKey, ...]] = {}
        self.repeats: dict[CallKey, CallKey] = {}
        self.touched: set[int] = set()
        self._calls: list[Sequence[PlannedCall]] = []
        self._replies: list[Mapping[int, Replied]] = []
        self._known: dict[str, None] = {}
        self._failed: dict[str, Cause] = {}
        self._last: dict[str, CallKey] = {}
        self._stopped: dict[tuple[str, Hashable], CallKey] = {}
        self._undo: list[tuple[Any, Any, object]] = []
        self._marks: list[int] = []
        self._amended: dict[int, list[int]] = {}

    def judge(self, calls: Sequence[PlannedCall], replies: Mapping[int, Replied], answer: str | None) -> None:
        """Judge the next response. `replies` are its results, by call; `answer` is the next request."""
        self._marks.append(len(self._undo))
        self.touched.add(len(self.endings))
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

    def forget_from(self, index: int) -> None:
        """Forget a response and all later ones."""
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
                self._set(self.endings[index], needed, (self.endings[index][needed][0], now))
                self._amended.setdefault(here, []).append(index)
                self.touched.add(index)
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
                    self._set(self.users, key, (*self.users.get(key, ()), (here, number)))
            if ending.outcome in STOPPED:
                self._fail((here, number), ending.cause)
            else:
                if ending.outcome == "no result":
                    self._repeat((here, number), call)
                self._drop(self._failed, call.invocation_id)
                self._set(self._known, call.invocation_id, None)
        for number, call in enumerate(calls):
            self._set(self._last, call.invocation_id, (here, number))

    def _fail(self, key: CallKey, cause: Cause) -> None:
        """Record a call that failed, or that does not run because of another one."""
        call = self._calls[key[0]][key[1]]
        self._drop(self._known, call.invocation_id)
        self._set(self._failed, call.invocation_id, cause)
        if cause[0] == call.invocation_id and cause[1] in ("rejected", "failed"):
            self._repeat(key, call)
            last = self._stopped.get((call.name, call.content), key)
            self._set(self._stopped, (call.name, call.content), max(last, key))

    def _repeat(self, key: CallKey, call: PlannedCall) -> None:
        """Record that a call has not returned; an earlier one may have been the same."""
        before = self._stopped.get((call.name, call.content))
        if before is not None and before[0] == key[0]:
            # the model had not yet seen that result
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
