"""A run over a corpus: batches go to processes, and their results are taken in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from llmblocks.cli.corpus.groups import MOST, Grouping
from llmblocks.cli.corpus.kept import Form, kept
from llmblocks.cli.corpus.texts import PART, Part, has_rows, parts
from llmblocks.cli.corpus.work import Groups, Options, Work, begin, joined, reason
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.languages.registry import host_ids
from llmblocks.report.as_json import as_dict, from_dict
from llmblocks.report.summary import merge, unread

if TYPE_CHECKING:
    from concurrent.futures import Future

    from llmblocks.cli.workers import Workers

R = TypeVar("R")

_BATCH = 1_000_000
_FILES = 200
_BATCHES_A_SESSION = 16
_GROWS_EVERY = 256
"""After so many batches they are larger: a large corpus has few results to merge and to keep."""
_LARGEST = 16
_WAITING_EACH = 4
"""The batches that wait for each process."""
_FEWEST = 2
"""The batches for which processes are started."""


class How(NamedTuple):
    """How a run is made. Shape: `jobs` are processes; `resume` is the folder of `kept`, `address` that of a cluster.
    `memory` is what Ray keeps free for each process, in MB.
    """

    jobs: int = 1
    resume: str | None = None
    engine: Literal["processes", "ray"] = "processes"
    address: str | None = None
    memory: int | None = None


class Job(NamedTuple, Generic[R]):
    """The work of a run.

    Shape: `begin` gives the function for it, once in each process; `unread` is the result of what cannot be read;
           `join` makes one result of several, in their order. Other processes get all three.
    """

    begin: Callable[[], Callable[[Work], R]]
    unread: Callable[[InputError], R]
    join: Callable[[list[R]], R]


def execute(job: Job[R], found: Iterator[Work | InputError], how: How, add: Callable[[R], None]) -> None:
    """Do all of the work, and take the results in its order."""
    if how.engine == "ray":
        from llmblocks.cli.corpus.on_ray import run_on_ray

        run_on_ray(job, found, how, add)
    else:
        Run(job, how.jobs, add).run(found)


def _unread(by: str, error: InputError) -> Groups:
    return {Grouping(by).of(error.name): unread(error.name, reason(error, error.name))}


def _together(found: list[Groups]) -> Groups:
    return joined(chain.from_iterable([groups.items() for groups in found]))


def _as_json(groups: Groups) -> Any:
    return {name: as_dict(each) for name, each in groups.items()}


def _from_json(found: Any) -> Groups:
    return {name: from_dict(each) for name, each in found.items()}


def _is_whole(groups: Groups) -> bool:
    return not any(each.unread for each in groups.values())


_FORM = Form(_as_json, _from_json, _is_whole)


def run(
    sources: Iterator[SourceFile | InputError],
    project: CommandProject,
    options: Options,
    how: How,
    advance: Callable[[int], None] = lambda _: None,
) -> Groups:
    """The summaries of all texts, by group. Shape: `advance` gets the number of texts in each batch.

    Errors: `InputError` for too many groups.
    """
    found: Groups = {}

    def add(groups: Groups) -> None:
        for group, summary in groups.items():
            found[group] = merge(found[group], summary) if group in found else summary
        if len(found) > MOST:
            raise InputError(f"--by {options.by} has more than {MOST:,} values; choose one with fewer, such as date")
        advance(sum([each.texts for each in groups.values()]))

    sources = (known(source, project, in_rows=bool(options.column)) for source in sources)
    work: Job[Groups] = Job(
        kept(partial(begin, project.again, options), how.resume, _FORM, project.again, options),
        partial(_unread, options.by),
        _together,
    )
    execute(work, batches(sources, piped_rows=bool(options.column)), how, add)
    return dict(sorted(found.items()))


def batches(
    sources: Iterator[SourceFile | InputError],
    *,
    piped_rows: bool = False,
    whole_folders: bool = False,
    largest: int = _LARGEST,
) -> Iterator[Work | InputError]:
    """The work for the texts.

    Shape: the files of a folder, such as a session, stay together: many of them, or all if `whole_folders`.
           `piped_rows` says that standard input is JSONL. Batches grow to `largest` times the first ones.
    """
    batch: list[SourceFile] = []
    size, folder = 0, ""
    done = 0
    for source in sources:
        growth = min(1 + done // _GROWS_EVERY, largest)
        if isinstance(source, InputError) or source.is_stdin or _has_rows(source):
            for each in _whole(source, growth, piped_rows=piped_rows):
                done += 1
                yield each
            continue
        here = os.path.dirname(source.name)
        times = max(_BATCHES_A_SESSION if here == folder else 1, growth)
        is_full = size >= times * _BATCH or len(batch) >= times * _FILES
        if batch and is_full and not (whole_folders and here == folder):
            done += 1
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += _size(source.name)
        folder = here
    if batch:
        yield batch


def known(source: SourceFile | InputError, project: CommandProject, *, in_rows: bool) -> SourceFile | InputError:
    """A file, where the language of its texts is known."""
    if isinstance(source, InputError) or not has_rows(source.name) or source.language_id not in host_ids():
        return source
    if not in_rows and project.settings_for(source.name).strings:
        return source
    return InputError(
        f"{source.name}: cannot tell the language from the name; pass --language with that of the texts in its rows",
        source.name,
    )


def _has_rows(source: SourceFile) -> bool:
    return has_rows(source.name) and source.language_id not in host_ids()


def _whole(source: SourceFile | InputError, growth: int, *, piped_rows: bool) -> Iterator[Work | InputError]:
    if isinstance(source, InputError):
        yield source
    elif source.is_stdin:
        yield Part(source) if piped_rows else [source]
    else:
        try:
            yield from parts(source, growth * PART)
        except InputError as error:
            yield InputError(str(error), source.name)


def _size(name: str) -> int:
    try:
        return os.stat(name).st_size
    except OSError:
        # reading it gives the error
        return 0


class Run(Generic[R]):
    """The processes of a run, or this one. Results are taken in the order of the work."""

    def __init__(self, job: Job[R], jobs: int, add: Callable[[R], None]) -> None:
        self._begin, self._unread, self._jobs, self._add = job.begin, job.unread, jobs, add
        self._workers: Workers[Work, R] | None = None
        self._due: deque[Callable[[], R]] = deque()

    @cached_property
    def _here(self) -> Callable[[Work], R]:
        return self._begin()

    def run(self, found: Iterator[Work | InputError]) -> None:
        """Do all of the work."""
        head = [*_until_two(found)]
        if sum(map(_is_batch, head)) < _FEWEST:
            # one batch alone needs no process
            self._jobs = 1
        with ExitStack() as stack:
            for work in chain(head, found):
                if isinstance(work, InputError):
                    self._due.append(partial(self._unread, work))
                elif self._jobs == 1 or not _is_batch(work):
                    self._due.append(partial(self._do_here, work))
                else:
                    self._send(work, stack)
                self._take(self._jobs * _WAITING_EACH if self._workers is not None else 0)
            self._take(0)

    def _send(self, work: Work, stack: ExitStack) -> None:
        if self._workers is None and self._jobs > 1:
            self._start(stack)
        if self._workers is not None:
            try:
                self._due.append(partial(self._result, self._workers.do(work), work))
                return
            except RuntimeError:
                self._died()
        self._due.append(partial(self._do_here, work))

    def _start(self, stack: ExitStack) -> None:
        try:
            from llmblocks.cli.workers import Workers

            self._workers = stack.enter_context(Workers(self._begin, self._jobs))
        except (ImportError, OSError, NotImplementedError):
            # a system without processes, or without shared memory
            self._jobs = 1

    def _take(self, most: int) -> None:
        """Take results until at most so many batches are under way."""
        while len(self._due) > most:
            self._add(self._due.popleft()())

    def _do_here(self, work: Work) -> R:
        return self._here(work)

    def _result(self, future: Future[R], work: Work) -> R:
        from concurrent.futures.process import BrokenProcessPool

        try:
            return future.result()
        except BrokenProcessPool:
            # none of this batch has been counted
            self._died()
            return self._here(work)

    def _died(self) -> None:
        """Go on without processes: one has died."""
        self._workers, self._jobs = None, 1


def _until_two(found: Iterator[Work | InputError]) -> Iterator[Work | InputError]:
    """The work up to the second batch for processes."""
    number = 0
    for work in found:
        yield work
        number += _is_batch(work)
        if number == _FEWEST:
            return


def _is_batch(work: Work | InputError) -> bool:
    """Whether another process can do this work: it does not read standard input."""
    if isinstance(work, InputError):
        return False
    return not (work.source.is_stdin if isinstance(work, Part) else any(each.is_stdin for each in work))
