"""The earlier responses of a session in memory: their texts or the ids of their calls, and the results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from llmblocks.contract.other_files import CallOutcome, OtherFiles
from llmblocks.gadget.editor.calls import INVOCATION, NUMBERED
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.workspace.outcomes import LoggedCall, Outcomes
from llmblocks.workspace.results import outcomes_by_id, replied

_FILE = "an earlier response"


class EarlierResponses(OtherFiles):
    """The earlier responses of a session, from the view of one text: `known` are their texts, or ids of their calls.

    `results` are the runtime's reports about calls, by id: of those of the text, or else of the last earlier one.
    """

    __slots__ = ("_ids", "_ran", "_results")

    def __init__(self, text: str, known: Collection[str], results: Mapping[str, str], markers: Markers) -> None:
        earlier = [_calls(each, markers) if markers.start in each else [LoggedCall("", each)] for each in known]
        named = {call.invocation_id for calls in earlier for call in calls}
        own = _calls(text, markers)
        others = {*results} - named - {call.invocation_id for call in own}
        earlier.append([LoggedCall("", one) for one in sorted(others)])
        self._ids = named | others
        self._results = bool(results)
        self._ran = _ran([*earlier, own], results) if results else {}

    def has_earlier(self, kind: str, name: str) -> bool:
        if kind == NUMBERED:
            # the runtime continues to number calls without an id
            return any(one.startswith("gadget_") for one in self._ids)
        return kind == INVOCATION and name in self._ids

    def earlier(self, kind: str) -> Collection[str]:
        return self._ids if kind == INVOCATION else ()

    def has(self, kind: str, name: str) -> bool:
        return self.has_earlier(kind, name)

    @property
    def is_session(self) -> bool:
        return self._results

    def ran(self, name: str) -> Sequence[CallOutcome]:
        return self._ran.get(name, ())


def _calls(text: str, markers: Markers) -> list[LoggedCall]:
    return [
        LoggedCall(call.name, call.invocation_id, call.dependencies, call.error or "", call.parameters_raw)
        for call in read_calls(text, markers)[0]
    ]


def _ran(responses: Sequence[Sequence[LoggedCall]], results: Mapping[str, str]) -> dict[str, list[CallOutcome]]:
    """Return the outcomes of the calls of the last response, by id."""
    outcomes, left = Outcomes(), {one: replied(text) for one, text in results.items()}
    replies = []
    for calls in reversed(responses):
        numbers = {call.invocation_id: number for number, call in reversed([*enumerate(calls)])}
        replies.append({number: left.pop(one) for one, number in numbers.items() if one in left})
    for calls, told in zip(responses, reversed(replies), strict=True):
        outcomes.judge(calls, told, _FILE if told else None)
    return outcomes_by_id(outcomes, len(responses) - 1, [(_FILE, calls) for calls in responses], {})
