"""The results of calls in the requests of a folder, and the outcomes of its calls, read in steps while files change."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from llmblocks.contract.other_files import Answer, CallOutcome, ReportedResult
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.gadget.running.fates import Outcome
from llmblocks.languages.language import Language
from llmblocks.request.scanner import LONGEST_ID
from llmblocks.request.stream import Message, MessageEnded, RequestStream
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import NOTHING, NumberedFile, file_number, finished, listing
from llmblocks.workspace.names import STEP, FilesIndex, LoggedCall, StoredNames, is_as_read, read_file, read_names
from llmblocks.workspace.outcomes import CallKey, Outcomes, Replied

if TYPE_CHECKING:
    from llmblocks.gadget.running.fates import Outcome


T = TypeVar("T")
N = TypeVar("N", bound=tuple[object, ...])
Results = Sequence[tuple[str, T]]
"""Results of calls, in order, each with the id of its call."""
_REFUSALS = ("Error: Invalid parameters for '", "Error: Failed to parse parameters for '", "Error: Gadget '")
_TIMEOUT = "' execution exceeded timeout of "
_LONGEST_REASON = 2000
_LONGEST_EXCERPT = 300
MOST_BYTES = 16_000_000
"""The maximum size of a log, in bytes."""
_MOST_FILES = 8
_LAST: Final = "\U0010ffff"
"""A path that sorts after every other one."""
_USER = "=== USER ==="
_RESULT = re.compile(rf"(?:\A|(?<=\n)){_USER}\r?\nResult \((?P<id>[^():\n]{{1,{LONGEST_ID}}})\): ")


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
    """Classify a result."""
    return Replied(first_line(text), outcome_of(text))


def together(responses: Sequence[N], requests: Sequence[N]) -> Iterator[tuple[N, N | None, N | None]]:
    """Yield the responses with the requests before and after them. All begin with their number and name."""
    by_number = {each[0]: each for each in reversed(requests)}
    places = [each[:2] for each in requests]
    for each in responses:
        at = bisect_right(places, (each[0], _LAST))
        yield each, by_number.get(each[0]), requests[at] if at < len(requests) else None


def new_results(told: Results[T], before: Results[T] | None) -> Results[T]:
    """Return the results in a request that the one before it lacks.

    Source: llmist repeats all messages in each request. If it has shortened them, the last ones count.
    """
    if before is not None and [one for one, _ in told[: len(before)]] == [one for one, _ in before]:
        return told[len(before) :]
    return told


def paired(ids: Sequence[str], told: Results[T], before: Results[T] | None) -> dict[int, T]:
    """Return the results of the calls of one response, by their indices.

    Args:
        ids: The ids of the calls.
        told: All results in the next request.
        before: All results in the request before it.
    """
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


class _ReadResults(NamedTuple):
    """A request that was read."""

    stamp: tuple[int, int]
    """Changes with the file."""
    told: Results[ReportedResult]


class ResultFiles:
    """The results in requests: each file is read in steps when it is needed, and again when it changes."""

    def __init__(self) -> None:
        self._read: dict[str, _ReadResults] = {}

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
            if known is None or not is_as_read(file, known.stamp):
                found = read_file(file, MOST_BYTES, "replace")
                if found is None:
                    return None
                text, stamp = found
                known = _ReadResults(stamp, (yield from results_in(text, file)))
        except OSError:
            return None
        self._read[file] = known
        if len(self._read) > _MOST_FILES:
            del self._read[next(iter(self._read))]
        return known.told


def next_request(file: str) -> str | None:
    """Return the first request after a response, by the numbers in the names."""
    folder, name = os.path.split(file)
    number = file_number(name)
    if number is None:
        return None
    near = os.path.join(folder, f"{number + 1:0{len(name) - len('.response')}}.request")
    if os.path.isfile(near):
        return near
    try:
        with os.scandir(folder or os.curdir) as entries:
            found = [
                (other, os.path.join(folder, entry.name))
                for entry in entries
                if entry.name.lower().endswith(".request") and (other := file_number(entry.name)) is not None
            ]
    except OSError:
        return None
    found.sort()
    at = bisect_right(found, (number, _LAST))
    return found[at][1] if at < len(found) else None


def results_in(text: str, file: str) -> Generator[None, None, Results[ReportedResult]]:
    """Return all results in a request, with the places of their ids, in steps."""
    stream, lines = RequestStream(), Lines(text)
    messages: list[Message] = []
    found: list[re.Match[str]] = []
    for start in range(0, len(text), STEP):
        events = stream.feed(text[start : start + STEP])
        messages += [event.message for event in events if isinstance(event, MessageEnded)]
        at = start
        while (at := text.find(_USER, at, start + STEP + len(_USER) - 1)) >= 0:
            if match := _RESULT.match(text, at):
                found.append(match)
            at += len(_USER)
        yield
    messages += [event.message for event in stream.close() if isinstance(event, MessageEnded)]
    results = [each.text for each in messages if each.result_of is not None]
    told = []
    for match, said in zip(found, results, strict=True):
        start, size = match.start("id"), len(said.encode("utf-8", "replace"))
        line, column = lines.of(start)
        place = Elsewhere(file, start, line - 1, text[start - column + 1 : start], match["id"])
        result = ReportedResult(place, size, first_line(said), said[:_LONGEST_EXCERPT], outcome_of(said))
        told.append((match["id"], result))
    return told


class _LiveRow(NamedTuple):
    """A response, with the requests before and after it."""

    file: NumberedFile
    asked: NumberedFile | None
    answer: NumberedFile | None
    calls: tuple[LoggedCall, ...]
    replies: dict[int, ReportedResult]


class LiveSession:
    """The session of one agent while its files change. A file is known by its name without the folder.

    It takes the calls of files from an `index`, and reads files that the index lacks.
    """

    def __init__(
        self, folder: str, language: Language, settings: Settings, index: FilesIndex, results: ResultFiles | None = None
    ) -> None:
        self.folder = folder
        self.settings = settings
        self._language = language
        self._index = index
        self._outcomes = Outcomes()
        self._rows: list[_LiveRow] = []
        self._places: dict[str, int] = {}
        self._ran: dict[str, dict[str, list[CallOutcome]]] = {}
        self._results = ResultFiles() if results is None else results

    def ran(self, name: str, invocation_id: str) -> Sequence[CallOutcome]:
        """Return the outcomes of the calls of a file with an id, in order."""
        return self._ran.get(name, {}).get(invocation_id, ())

    def unanswered_and_repeated(self, name: str) -> tuple[int, int]:
        """Count the calls of a file without a result in the next request, and the unchanged retries of failed calls.

        Without a next request, no call can have a result. A file that cannot be listed has no calls.
        """
        index = self._places.get(name)
        if index is None:
            return 0, 0
        row, repeats = self._rows[index], self._outcomes.repeats
        unanswered = len(row.calls) - len(row.replies) if row.answer is not None else 0
        return unanswered, sum([(index, number) in repeats for number in range(len(row.calls))])

    def update(self) -> Generator[None, None, set[str]]:
        """Read new files in steps, and return the responses whose outcomes changed."""
        listed = NOTHING
        with suppress(OSError):
            listed = yield from listing(self.folder)
        rows = [*together(listed.responses, listed.requests)]
        yield
        known = self._rows
        same = next(
            (at for at, (old, new) in enumerate(zip(known, rows, strict=False)) if old[:3] != new),
            min(len(known), len(rows)),
        )
        before = {row.file.name: row for row in known[same:]}
        del known[same:]
        self._outcomes.forget_from(same)
        for file, asked, answer in rows[same:]:
            old = before.get(file.name)
            calls = old.calls if old is not None and old.file == file else (yield from self._calls_in(file))
            if old is not None and old[:3] == (file, asked, answer):
                replies = old.replies
            else:
                replies = (yield from self._replies_to(calls, asked, answer)) if calls and answer else {}
            known.append(_LiveRow(file, asked, answer, calls, replies))
            says = {number: Replied(each.beginning, cast("Outcome", each.outcome)) for number, each in replies.items()}
            self._outcomes.judge(calls, says, None if answer is None else answer.name)
            yield
        self._places = {row.file.name: number for number, row in enumerate(known)}
        gone = set(self._ran).difference(self._places)
        for name in gone:
            del self._ran[name]
        return gone | (yield from self._told_anew())

    def _told_anew(self) -> Generator[None, None, set[str]]:
        touched, self._outcomes.touched = self._outcomes.touched, set()
        changed = set()
        for index in sorted(touched):
            if index >= len(self._rows):
                break
            name, found = self._rows[index].file.name, self._ran_of(index)
            if self._ran.get(name, {}) != found:
                self._ran[name] = found
                changed.add(name)
            yield
        return changed

    def _ran_of(self, index: int) -> dict[str, list[CallOutcome]]:
        row, found = self._rows[index], dict[str, list[CallOutcome]]()
        for number, (call, (_, ending)) in enumerate(zip(row.calls, self._outcomes.endings[index], strict=True)):
            reply = row.replies.get(number) if ending.outcome != "returned" else None
            before, attempt = self._repeated((index, number))
            said = CallOutcome(before=before, attempt=attempt)
            if reply is not None or ending.outcome == "skipped":
                place = None if reply is None else reply.place
                said = CallOutcome(ending.outcome, ending.why, place, ending.dependency, before, attempt=attempt)
            found.setdefault(call.invocation_id, []).append(said)
        # most calls have no outcome to report
        return {one: same for one, same in found.items() if any(each != _NOTHING for each in same)}

    def _repeated(self, key: CallKey) -> tuple[tuple[str, str] | None, int]:
        """Return the file and the id of the call that one repeats, and the number of the attempt."""
        repeats, attempt = self._outcomes.repeats, 1
        last = before = repeats.get(key)
        while before is not None:
            attempt, before = attempt + 1, repeats.get(before)
        if last is None:
            return None, attempt
        row = self._rows[last[0]]
        return (row.file.name, row.calls[last[1]].invocation_id), attempt

    def _calls_in(self, file: NumberedFile) -> Generator[None, None, tuple[LoggedCall, ...]]:
        known = self._index.names_of(file.path)
        if not isinstance(known, StoredNames) or known.stamp != file.stamp:
            known = None
            with suppress(OSError):
                known = yield from read_names(file.path, self._language, self.settings, MOST_BYTES, "replace")
        return () if known is None else known.calls

    def _replies_to(
        self, calls: tuple[LoggedCall, ...], asked: NumberedFile | None, answer: NumberedFile
    ) -> Generator[None, None, dict[int, ReportedResult]]:
        before = None if asked is None else (yield from self._results.read(asked.path))
        told = yield from self._results.read(answer.path)
        return paired([call.invocation_id for call in calls], told or (), before)


_NOTHING = CallOutcome()
