"""The results of calls in the requests of a folder, and the outcomes of its calls, read in steps while files change."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple, TypeVar, cast

from llmblocks.contract.other_files import Answer, CallOutcome, ReportedResult
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.gadget.running.fates import Outcome
from llmblocks.languages.language import Language
from llmblocks.request.scanner import LONGEST_ID
from llmblocks.request.stream import MessageEnded, RequestStream
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import NOTHING, Listing, NumberedFile, Stamp, file_number, finished, listing
from llmblocks.workspace.names import STEP, FileNames, StoredNames, is_as_read, read_file, read_names
from llmblocks.workspace.outcomes import LoggedCall, Outcomes, Replied

T = TypeVar("T")
Results = Sequence[tuple[str, T]]
"""Results of calls, in order, each with the id of its call."""
_REFUSALS = ("Error: Invalid parameters for '", "Error: Failed to parse parameters for '", "Error: Gadget '")
_TIMEOUT = "' execution exceeded timeout of "
_LONGEST_REASON = 2000
_LONGEST_EXCERPT = 300
MOST_BYTES = 16_000_000
"""The maximum size of a log, in bytes."""
_MOST_FILES = 8
_RESULT = re.compile(rf"=== USER ===\r?\nResult \((?P<id>[^():\n]{{1,{LONGEST_ID}}})\): ")


def outcome_of(text: str) -> Outcome:
    """Return the outcome that an error of the runtime reports; a gadget may write any other result."""
    if text.startswith(_REFUSALS):
        return "rejected"
    has_ended = text.startswith("Gadget '") and _TIMEOUT in text.partition("\n")[0]
    return "failed" if has_ended else "returned"


def first_line(text: str) -> str:
    """Return the first line of an error, with the next one if that names its subject."""
    lines = [line.strip() for line in text[:_LONGEST_REASON].splitlines() if line.strip()]
    if not lines:
        return ""
    return " ".join([lines[0], *[line.removeprefix("- ") for line in lines[1:2] if lines[0].endswith(":")]])


def replied(text: str) -> Replied:
    return Replied(first_line(text), outcome_of(text))


def together(listed: Listing) -> Iterator[tuple[NumberedFile, NumberedFile | None, NumberedFile | None]]:
    """Yield the responses of a folder with the requests before and after them."""
    by_number = {each.number: each for each in reversed(listed.requests)}
    for each in listed.responses:
        yield each, by_number.get(each.number), _after(each.number, listed.requests)


def _after(number: int, requests: Sequence[NumberedFile]) -> NumberedFile | None:
    at = bisect_right(requests, number, key=attrgetter("number"))
    return requests[at] if at < len(requests) else None


def new_results(told: Results[T], before: Results[T] | None) -> Results[T]:
    """Return the results in a request that the one before it lacks.

    Source: llmist repeats all messages in each request. If it has shortened them, the last ones count.
    """
    if before is not None and [one for one, _ in told[: len(before)]] == [one for one, _ in before]:
        return told[len(before) :]
    return told


def paired(ids: Sequence[str], told: Results[T], before: Results[T] | None) -> dict[int, T]:
    """Return the results of calls with these ids, by index, given all in the next request and in the one before it."""
    numbers: dict[str, list[int]] = {}
    for number, one in enumerate(ids):
        numbers.setdefault(one, []).append(number)
    results: dict[str, list[T]] = {}
    for one, each in new_results(told, before):
        results.setdefault(one, []).append(each)
    # if several calls have one id, the first ones have run
    return {
        number: each
        for one, same in numbers.items()
        for number, each in zip(same, results.get(one, [])[-len(same) :], strict=False)
    }


class ResultFiles:
    """The results in requests: each file is read in steps when it is needed, and again when it changes."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Stamp, Results[ReportedResult]]] = {}

    def answer(self, file: str, name: str, count: int) -> Answer | None:
        """Return the results of the `count` calls of a response with an id; None without a next request."""
        request = next_request(file)
        told = None if request is None else finished(self.read(request))
        if request is None or told is None:
            return None
        before = finished(self.read(f"{os.path.splitext(file)[0]}.request"))
        return Answer(request, (*[each for one, each in new_results(told, before) if one == name][-count:],))

    def read(self, file: str) -> Generator[None, None, Results[ReportedResult] | None]:
        """Return all results in a request; None if it cannot be read, or is too large."""
        try:
            known = self._read.pop(file, None)
            if known is None or not is_as_read(file, known[0]):
                found = read_file(file, MOST_BYTES, "replace")
                if found is None:
                    return None
                text, stamp = found
                known = stamp, (yield from results_in(text, file))
        except OSError:
            return None
        self._read[file] = known
        if len(self._read) > _MOST_FILES:
            del self._read[next(iter(self._read))]
        return known[1]


def next_request(file: str) -> str | None:
    """Return the first request after a response, by the numbers in the names."""
    folder, name = os.path.split(file)
    number = file_number(name)
    if number is None:
        return None
    near = os.path.join(folder, f"{number + 1:0{len(name) - len('.response')}}.request")
    if os.path.isfile(near):
        return near
    with suppress(OSError):
        found = _after(number, finished(listing(folder)).requests)
        return None if found is None else found.path
    return None


def results_in(text: str, file: str) -> Generator[None, None, Results[ReportedResult]]:
    """Return all results in a request, with the places of their ids, in steps."""
    stream, lines = RequestStream(), Lines(text)
    events = []
    for start in range(0, len(text), STEP):
        events += stream.feed(text[start : start + STEP])
        yield
    messages = [each.message for each in (*events, *stream.close()) if isinstance(each, MessageEnded)]
    said = [each.text for each in messages if each.result_of is not None]
    told = []
    # without its beginning, the pattern is searched fifty times as fast
    found = [each for each in _RESULT.finditer(text) if text[each.start() - 1 : each.start()] in ("", "\n")]
    for match, result in zip(found, said, strict=True):
        start, size = match.start("id"), len(result.encode("utf-8", "replace"))
        line, column = lines.of(start)
        place = Elsewhere(file, start, line - 1, text[start - column + 1 : start], match["id"])
        reported = ReportedResult(place, size, first_line(result), result[:_LONGEST_EXCERPT], outcome_of(result))
        told.append((match["id"], reported))
    return told


class _LiveRow(NamedTuple):
    """A response, with the requests before and after it."""

    file: NumberedFile
    asked: NumberedFile | None
    answer: NumberedFile | None
    calls: tuple[LoggedCall, ...]
    replies: dict[int, ReportedResult]


@dataclass(eq=False)
class LiveSession:
    """The session of one agent while its files change. A file is known by its name without the folder.

    It takes the calls of files from their names if known, and reads other files.
    """

    folder: str
    _language: Language
    settings: Settings
    _names_of: Callable[[str], FileNames | None]
    _results: ResultFiles = field(default_factory=ResultFiles)
    _outcomes: Outcomes = field(default_factory=Outcomes)
    _rows: list[_LiveRow] = field(default_factory=list)
    _ran: dict[str, dict[str, list[CallOutcome]]] = field(default_factory=dict)

    def ran(self, name: str, invocation_id: str) -> Sequence[CallOutcome]:
        """Return the outcomes of the calls of a file with an id, in order."""
        return self._ran.get(name, {}).get(invocation_id, ())

    def unanswered_and_repeated(self) -> Iterator[tuple[str, int, int]]:
        """Yield for each file the number of calls without a result, and of unchanged retries of failed calls.

        Results are those in the next request. Without one, no call can have a result.
        """
        for index, row in enumerate(self._rows):
            unanswered = len(row.calls) - len(row.replies) if row.answer is not None else 0
            repeated = sum([(index, number) in self._outcomes.repeats for number in range(len(row.calls))])
            yield row.file.name, unanswered, repeated

    def update(self) -> Generator[None, None, set[str]]:
        """Read new files in steps, judge all calls, and return the responses whose outcomes changed."""
        listed = NOTHING
        with suppress(OSError):
            listed = yield from listing(self.folder)
        known, rows, outcomes = {row.file.name: row for row in self._rows}, list[_LiveRow](), Outcomes()
        for file, asked, answer in together(listed):
            row = known.get(file.name)
            if row is None or row[:3] != (file, asked, answer):
                calls = row.calls if row is not None and row.file == file else (yield from self._calls_in(file))
                replies: dict[int, ReportedResult] = {}
                if calls and answer is not None:
                    before = None if asked is None else (yield from self._results.read(asked.path))
                    now = yield from self._results.read(answer.path)
                    replies = paired([call.invocation_id for call in calls], now or (), before)
                row = _LiveRow(file, asked, answer, calls, replies)
            rows.append(row)
            says = {one: Replied(each.beginning, cast("Outcome", each.outcome)) for one, each in row.replies.items()}
            outcomes.judge(row.calls, says, None if answer is None else answer.name)
            yield
        self._rows, self._outcomes, last, ran = rows, outcomes, self._ran, {}
        responses = [(row.file.name, row.calls) for row in rows]
        for index, row in enumerate(rows):
            # most calls have no outcome to report
            if found := outcomes_by_id(outcomes, index, responses, row.replies):
                ran[row.file.name] = found
            yield
        self._ran = ran
        return {name for name in {*last, *ran} if last.get(name) != ran.get(name)}

    def _calls_in(self, file: NumberedFile) -> Generator[None, None, tuple[LoggedCall, ...]]:
        known = self._names_of(file.path)
        if not isinstance(known, StoredNames) or known.stamp != file.stamp:
            known = None
            with suppress(OSError):
                known = yield from read_names(file.path, self._language, self.settings, MOST_BYTES, "replace")
        return () if known is None else known.calls


_NOTHING = CallOutcome()


def outcomes_by_id(
    outcomes: Outcomes,
    index: int,
    responses: Sequence[tuple[str, Sequence[LoggedCall]]],
    replies: Mapping[int, ReportedResult],
) -> dict[str, list[CallOutcome]]:
    """Return the outcomes of the calls of a response, by id; without ids that have nothing to report.

    `responses` are the names and the calls of all judged responses, `replies` the results of this one.
    """
    found: dict[str, list[CallOutcome]] = {}
    for number, (call, (_, ending)) in enumerate(zip(responses[index][1], outcomes.endings[index], strict=True)):
        key = last = outcomes.repeats.get((index, number))
        attempt = 1
        while key is not None:
            attempt, key = attempt + 1, outcomes.repeats.get(key)
        before = None if last is None else (responses[last[0]][0], responses[last[0]][1][last[1]].invocation_id)
        said = CallOutcome(before=before, attempt=attempt)
        reply = replies.get(number) if ending.outcome != "returned" else None
        if reply is not None or ending.outcome == "skipped":
            place = None if reply is None else reply.place
            said = CallOutcome(ending.outcome, ending.why, place, ending.dependency, before, attempt=attempt)
        found.setdefault(call.invocation_id, []).append(said)
    return {one: same for one, same in found.items() if any(each != _NOTHING for each in same)}
