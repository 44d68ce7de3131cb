"""The outcomes of the calls in a folder of logs, read in steps, and again only after files changed."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, cast

from llmblocks.contract.other_files import CallOutcome, ReportedResult
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import NOTHING, NumberedFile, listing
from llmblocks.workspace.names import FilesIndex, LoggedCall, StoredNames, read_names
from llmblocks.workspace.outcomes import CallKey, Outcomes, Replied
from llmblocks.workspace.results import MOST_BYTES, ResultFiles, paired, together

if TYPE_CHECKING:
    from llmblocks.gadget.running.fates import Outcome


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
