"""A run over a corpus: batches go to processes, and their summaries are merged as they come."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cached_property, partial
from typing import TYPE_CHECKING

from llmblocks.cli.corpus.groups import MOST, Grouping
from llmblocks.cli.corpus.texts import Part, has_rows, parts
from llmblocks.cli.corpus.work import Groups, Options, Work, begin, reason
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.report.summary import merge, unread

if TYPE_CHECKING:
    from concurrent.futures import Future

    from llmblocks.cli.workers import Workers

_BATCH = 1_000_000
_FILES = 200
_BATCHES_A_SESSION = 16
_WAITING_EACH = 4
"""The batches that wait for each process."""


def run(
    sources: Iterator[SourceFile | InputError],
    project: CommandProject,
    options: Options,
    jobs: int,
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

    with ExitStack() as stack:
        _Run(project, options, jobs, add, stack).run(batches(sources, piped_rows=bool(options.column)))
    return dict(sorted(found.items()))


def batches(sources: Iterator[SourceFile | InputError], *, piped_rows: bool = False) -> Iterator[Work | InputError]:
    """The work for the texts.

    Shape: the files of a folder, such as a session, stay together. `piped_rows` says that standard input is JSONL.
    """
    batch: list[SourceFile] = []
    size, folder = 0, ""
    for source in sources:
        if isinstance(source, InputError) or source.is_stdin or has_rows(source.name):
            yield from _whole(source, piped_rows=piped_rows)
            continue
        here = os.path.dirname(source.name)
        times = _BATCHES_A_SESSION if here == folder else 1
        if batch and (size >= times * _BATCH or len(batch) >= times * _FILES):
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += _size(source.name)
        folder = here
    if batch:
        yield batch


def _whole(source: SourceFile | InputError, *, piped_rows: bool) -> Iterator[Work | InputError]:
    if isinstance(source, InputError):
        yield source
    elif source.is_stdin:
        yield Part(source) if piped_rows else [source]
    else:
        try:
            yield from parts(source)
        except InputError as error:
            yield InputError(str(error), source.name)


def _size(name: str) -> int:
    try:
        return os.stat(name).st_size
    except OSError:
        # reading it gives the error
        return 0


class _Run:
    """The processes of a run, or this one."""

    def __init__(
        self, project: CommandProject, options: Options, jobs: int, add: Callable[[Groups], None], stack: ExitStack
    ) -> None:
        self._jobs, self._add, self._stack = jobs, add, stack
        self._begin = partial(begin, project.again, options)
        self._grouping = Grouping(options.by)
        self._workers: Workers[Work, Groups] | None = None
        self._running: dict[Future[Groups], Work] = {}

    @cached_property
    def _here(self) -> Callable[[Work], Groups]:
        return self._begin()

    def run(self, found: Iterator[Work | InputError]) -> None:
        first: Work | None = None
        for work in found:
            if isinstance(work, InputError):
                self._add({self._grouping.of(work.name): unread(work.name, reason(work, work.name))})
            elif self._jobs == 1 or _is_piped(work):
                self._add(self._here(work))
            elif first is None and self._workers is None:
                # one batch alone needs no process
                first = work
            else:
                if first is not None:
                    self._send(first)
                    first = None
                self._send(work)
        if first is not None:
            self._add(self._here(first))
        self._wait(0)

    def _send(self, work: Work) -> None:
        self._wait(self._jobs * _WAITING_EACH)
        if self._workers is None and self._jobs > 1:
            self._start()
        if self._workers is not None:
            try:
                self._running[self._workers.do(work)] = work
                return
            except RuntimeError:
                # a process has died; what it had is done when its future is asked for
                self._workers, self._jobs = None, 1
        self._add(self._here(work))

    def _start(self) -> None:
        try:
            from llmblocks.cli.workers import Workers

            self._workers = self._stack.enter_context(Workers(self._begin, self._jobs))
        except (ImportError, OSError, NotImplementedError):
            # a system without processes, or without shared memory
            self._jobs = 1

    def _wait(self, most: int) -> None:
        """Take results until at most so many batches are under way."""
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        while len(self._running) > most:
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            for future in done:
                work = self._running.pop(future)
                try:
                    groups = future.result()
                except BrokenProcessPool:
                    # a process has died: none of this batch has been counted
                    self._workers, self._jobs = None, 1
                    groups = self._here(work)
                self._add(groups)


def _is_piped(work: Work) -> bool:
    return work.source.is_stdin if isinstance(work, Part) else any(each.is_stdin for each in work)
