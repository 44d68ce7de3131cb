"""A folder of an agent's logs: its responses in order, their calls and outcomes."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.gadget.running.fates import Outcome
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers, markers_or_default, problems
from llmblocks.request.stream import Message, read_messages
from llmblocks.workspace.listing import Listing, finished, listing
from llmblocks.workspace.outcomes import CallKey, LoggedCall, Outcomes
from llmblocks.workspace.results import Results, paired, replied, together

if TYPE_CHECKING:
    from llmblocks.completions.message import CompletionCall
    from llmblocks.gadget.call import GadgetCall
    from llmblocks.gadget.running.fates import Fate
    from llmblocks.gadget.syntax.pointer import Parameters
    from llmblocks.request.stream import Media
    from llmblocks.workspace.outcomes import Ending


_NAME = re.compile(r"[A-Za-z0-9_]+\Z")
_POINTER = re.compile(r"[A-Za-z0-9_/]+\Z")


class Result(NamedTuple):
    """The output of a call, as the model saw it."""

    text: str
    media: tuple[Media, ...]
    file: str
    """The path of the request that contains it."""


class SessionCall:
    """A call of a session.

    Attributes:
        name, invocation_id, dependencies, parameters_raw: Those of the call.
        content: The text that distinguishes its parameters from others.
        agents: The sessions of the sub-agents that it started.
        used_by: The calls that wait for it, in its response and in later ones.
        repeats: For a call that did not return, the last stopped call of an earlier response with the same gadget and
            parameters, or None.
        wave: Counts from 1; 0 for a call that could not run.
    """

    def __init__(self, call: GadgetCall | CompletionCall, response: Response, number: int) -> None:
        self.name = call.name
        self.invocation_id = call.invocation_id
        self.dependencies = call.dependencies
        self.parameters_raw = self.content = call.parameters_raw
        self.response = response
        self.number = number
        self._call = call

    @property
    def parameters(self) -> Parameters | None:
        return self._call.parameters

    @property
    def error(self) -> str:
        """The runtime's error if the call is rejected; otherwise empty."""
        return self._call.error or ""

    @property
    def result(self) -> Result | None:
        return self.response.results.get(self.number)

    @property
    def wave(self) -> int:
        fate, ending = self.response.judged[self.number]
        return 0 if ending.outcome == "skipped" else fate.wave

    @property
    def outcome(self) -> Outcome:
        return self.response.judged[self.number][1].outcome

    @property
    def why(self) -> str:
        return self.response.judged[self.number][1].why

    @property
    def used_by(self) -> tuple[SessionCall, ...]:
        session = self.response.session
        return (*map(session._call_at, session._judged().users.get((self.response.index, self.number), ())),)

    @property
    def repeats(self) -> SessionCall | None:
        session = self.response.session
        before = session._judged().repeats.get((self.response.index, self.number))
        return None if before is None else session._call_at(before)

    @property
    def agents(self) -> tuple[Session, ...]:
        return self.response.session._agents_of(self)

    def __repr__(self) -> str:
        return f"<{self.name} {self.invocation_id}: {self.outcome}>"


@dataclass(eq=False, repr=False)
class Response:
    """A response of the model.

    Attributes:
        file: Its path.
        request: The path of the request before it, or None.
        answer: The path of the first request after it; None if the session ends with it.
        reasoning: Empty for files.
    """

    session: Session
    index: int
    number: int
    file: str
    request: str | None
    answer: str | None
    reasoning = ""

    @cached_property
    def text(self) -> str:
        """The whole text. `OSError` if it cannot be read."""
        return read_text(self.file)

    @cached_property
    def _parsed(self) -> tuple[tuple[SessionCall, ...], str]:
        calls, _, said = read_calls(self.text, self.session.markers)
        return tuple([SessionCall(call, self, number) for number, call in enumerate(calls)]), said.strip()

    @property
    def calls(self) -> tuple[SessionCall, ...]:
        """Its calls in order."""
        return self._parsed[0]

    @property
    def said(self) -> str:
        """The text outside of calls."""
        return self._parsed[1]

    @cached_property
    def results(self) -> dict[int, Result]:
        """The results of its calls, by their indices: those in the next request that its own request lacks."""
        file = self.answer
        if file is None or not self.calls:
            return {}
        read = self.session._results_in
        before = None if self.request is None else read(self.request)
        found = paired([call.invocation_id for call in self.calls], read(file), before)
        return {number: Result(message.text, message.media, file) for number, message in found.items()}

    @property
    def judged(self) -> list[tuple[Fate, Ending]]:
        """For each call its fate by its text, and its outcome, which a later response may show."""
        return self.session._judged().endings[self.index]


class Session:
    """The session of one agent.

    Everything is read on first access, which raises `OSError` for an unreadable folder or file.

    Attributes:
        requests: The paths of its requests, each with its number.
        missing: The numbers between the first and the last without a file or a sub-agent.
        folder: Empty for the working directory.
        misfit: The reason why its completions need another template, and which; empty for a folder.
    """

    misfit = ""

    def __init__(self, folder: str, markers: Markers | None = None) -> None:
        self.folder = folder
        self.markers = markers_or_default(markers)
        self._outcomes = Outcomes()
        # each request is after one response and before the next
        self._results_in = lru_cache(maxsize=2)(_results_in)

    @cached_property
    def _listed(self) -> Listing:
        return finished(listing(self.folder))

    @cached_property
    def responses(self) -> tuple[Response, ...]:
        """Its responses in order."""
        found = together(self._listed)
        return tuple(
            [
                Response(self, index, each.number, each.path, asked and asked.path, answer and answer.path)
                for index, (each, asked, answer) in enumerate(found)
            ]
        )

    @property
    def requests(self) -> Sequence[tuple[int, str]]:
        return [(each.number, each.path) for each in self._listed.requests]

    @cached_property
    def agents(self) -> tuple[Session, ...]:
        """The sessions of all sub-agents, in the order of their numbers."""
        return tuple([Session(each.path, self.markers) for each in self._listed.agents])

    @property
    def missing(self) -> tuple[int, ...]:
        there = {each.number for rows in self._listed for each in rows}
        return tuple([each for each in range(1, max(there, default=0)) if each not in there])

    @property
    def calls(self) -> Iterator[SessionCall]:
        """Yield all calls in order, without those of sub-agents."""
        for response in self.responses:
            yield from response.calls

    @property
    def unused(self) -> list[SessionCall]:
        """Return the calls with a result for which no other call waits."""
        return [call for call in self.calls if call.outcome == "returned" and not call.used_by]

    @cached_property
    def other_markers(self) -> OtherMarkers | None:
        """Return the markers that its last request suggests, if it contains results and no response has a call."""
        if not self.requests or any(response.calls for response in self.responses):
            return None
        return other_markers(read_messages(read_text(self.requests[-1][1])))

    def __repr__(self) -> str:
        return f"<session {self.folder!r}: {len(self.responses)} responses>"

    def _judged(self) -> Outcomes:
        """The outcomes of all calls. A dependency may be in an earlier response."""
        for response in self.responses[len(self._outcomes.endings) :]:
            replies = {number: replied(each.text) for number, each in response.results.items()}
            calls = [
                LoggedCall(call.name, call.invocation_id, call.dependencies, call.error, call.content)
                for call in response.calls
            ]
            self._outcomes.judge(calls, replies, response.answer)
        return self._outcomes

    def _call_at(self, key: CallKey) -> SessionCall:
        return self.responses[key[0]].calls[key[1]]

    def _agents_of(self, call: SessionCall) -> tuple[Session, ...]:
        """Return the sub-agents of a call: their numbers are between that of its response and that of the next."""
        response = call.response
        behind = self.responses[response.index + 1 : response.index + 2]
        upto = behind[0].number if behind else math.inf
        return tuple(
            [
                agent
                for agent, listed in zip(self.agents, self._listed.agents, strict=True)
                if response.number < listed.number < upto and listed.name.partition("-")[2] == call.invocation_id
            ]
        )


def read(path: str | os.PathLike[str], *, markers: Markers | None = None) -> Session:
    """Return the session in a folder. Its contents are read later.

    Args:
        path: The folder.
        markers: The markers of its calls, by default those of llmist.

    Raises:
        NotADirectoryError, FileNotFoundError: The folder does not exist.
    """
    folder = os.fspath(path)
    with os.scandir(folder or os.curdir):
        return Session(folder, markers)


def read_text(file: str) -> str:
    """Return the text of a log. Invalid UTF-8 is replaced."""
    with open(file, "rb") as opened:
        return opened.read().decode("utf-8", "replace")


def _results_in(file: str) -> Results[Message]:
    messages = read_messages(read_text(file))
    return [(message.result_of, message) for message in messages if message.result_of is not None]


class OtherMarkers(NamedTuple):
    """The number of results in a request without any call, and the suggested markers, empty if unknown."""

    results: int
    start: str = ""
    end: str = ""
    arg: str = ""


def other_markers(messages: Sequence[Message]) -> OtherMarkers | None:
    """Return the markers that the last copies of calls in a request suggest; None if it has no result.

    Source: `addGadgetCallResult` of llmist 18: the start marker, name and id, the arguments, the end marker on a line.
    """
    results = sum([message.result_of is not None for message in messages])
    start = end = arg = ""
    for call, result in pairwise(messages):
        lines, ending = call.text.splitlines(), f":{result.result_of}"
        if call.role == "assistant" and result.result_of is not None and len(lines) > 1 and lines[0].endswith(ending):
            start, end = _NAME.sub("", lines[0].removesuffix(ending)), lines[-1]
            arg = _POINTER.sub("", lines[1]) if len(lines) > 2 and lines[1] else arg
    # without arguments, their marker is unknown
    found = OtherMarkers(results, start, end, arg) if not problems(start, end, arg or "\0") else OtherMarkers(results)
    return found if results else None
