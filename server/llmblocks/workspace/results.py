"""The results of calls in the requests of a folder, assigned to the calls of each response."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from llmblocks.contract.other_files import Answer, ReportedResult
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.gadget.running.fates import Outcome
from llmblocks.request.scanner import LONGEST_ID
from llmblocks.request.stream import Message, MessageEnded, RequestStream
from llmblocks.workspace.listing import file_number, finished
from llmblocks.workspace.names import STEP, is_as_read, read_file
from llmblocks.workspace.outcomes import Replied

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
