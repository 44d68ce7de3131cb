"""The order of work: files in the cache are not checked again, and several processes check many files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.checked_file import CheckedFile, CheckOptions
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import digest_of
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.languages.registry import find_language

if TYPE_CHECKING:
    from concurrent.futures import Future

    from llmblocks.cli.cache import Cache, CachedFile
    from llmblocks.cli.checking import FileChecker
    from llmblocks.cli.workers import Workers

"""The folder of the cache."""
MANY = 32
"""A run over more files uses the cache and other processes, one over fewer starts nothing."""
LARGE = 2_000_000
"""The same for bytes."""
_BATCH = 256_000
_BATCH_FILES = 32
_LARGEST_BATCH = 4
"""Batches grow to so many times the size of the first ones: each has a cost, and few files are for all processes."""
_WAITING = 4096
_BATCHES_EACH = 4
_BATCHES_A_SESSION = 16

Done = tuple[SourceFile | InputError, CheckedFile]


class Resources(NamedTuple):
    """The resources of a run. Shape: `jobs` are processes; `cache` is the folder of the cache, None for no cache."""

    jobs: int = 1
    cache: str | None = None


def check_all(
    sources: Iterator[SourceFile | InputError], project: CommandProject, options: CheckOptions, resources: Resources
) -> Generator[tuple[Done, bool], None, None]:
    """Check files, in order. Shape: each outcome comes with whether the run is a long one."""
    first: list[SourceFile | InputError] = []
    size = 0
    for source in sources:
        first.append(source)
        size += _size(source)
        if len(first) > MANY or size > LARGE:
            break
    else:
        from llmblocks.cli.checking import FileChecker

        checker = FileChecker(project, options)
        for source in first:
            yield (
                (source, CheckedFile(error=str(source)) if isinstance(source, InputError) else checker.check(source)),
                False,
            )
        return
    with ExitStack() as stack:
        many = _Many(project, options, resources, stack)
        for source in chain(first, sources):
            for outcome in many.add(source):
                yield outcome, True
        for outcome in many.finish():
            yield outcome, True


MOST_JOBS = 61
"""The number of processes that Windows can wait for."""


def processors() -> int:
    """The number of processors that this process may use, and that a run can use."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_JOBS)
    return min(os.cpu_count() or 1, MOST_JOBS)


def _size(source: SourceFile | InputError) -> int:
    try:
        return 0 if isinstance(source, InputError) or source.is_stdin else os.stat(source.name).st_size
    except OSError:
        return 0


class _Batch:
    """Files that one process checks together."""

    __slots__ = ("checked", "entries", "future", "sources")

    def __init__(self) -> None:
        self.sources: list[SourceFile] = []
        self.entries: list[CachedFile | None] = []
        self.future: Future[list[CheckedFile]] | None = None
        self.checked: list[CheckedFile] | None = None


class _Many:
    """A run over many files. Outcomes wait for those before them."""

    def __init__(self, project: CommandProject, options: CheckOptions, resources: Resources, stack: ExitStack) -> None:
        fixes = options.fixing.writes or options.fixing.diffs
        self._cache: Cache | None = None
        if resources.cache is not None and not fixes:
            # a Python without SQLite, such as that in WebAssembly, has no cache
            with suppress(ModuleNotFoundError):
                from llmblocks.cli.cache import Cache

                options = options._replace(digests=True)
                self._cache = Cache(resources.cache, detailed=options.detailed)
                stack.callback(self._cache.close)
        self._project = project
        self._options = options
        self._jobs = resources.jobs
        self._stack = stack
        self._workers: Workers[Sequence[SourceFile], list[CheckedFile]] | None = None
        self._queue: deque[tuple[SourceFile | InputError, CheckedFile | tuple[_Batch, int]]] = deque()
        self._batch = _Batch()
        self._batch_size = 0
        self._sent = 0
        self._running: deque[_Batch] = deque()

    @cached_property
    def _here(self) -> FileChecker:
        # a run of which the cache knows all loads no parsers
        from llmblocks.cli.checking import FileChecker

        return FileChecker(self._project, self._options)

    def add(self, source: SourceFile | InputError) -> Iterator[Done]:
        """Take another file. Gives the outcomes that are due."""
        if self._is_full() and not self._continues(source):
            self._send()
        if isinstance(source, InputError):
            self._queue.append((source, CheckedFile(error=str(source))))
        elif source.is_stdin:
            self._queue.append((source, self._here.check(source)))
        elif (known := self._known(source)) is not None:
            self._queue.append((source, known))
        else:
            self._queue.append((source, (self._batch, len(self._batch.sources) - 1)))
        yield from self._due(lambda: len(self._queue) > _WAITING or len(self._running) > self._jobs * _BATCHES_EACH)

    def finish(self) -> Iterator[Done]:
        """All outcomes that are left."""
        if self._batch.sources and self._workers is not None:
            self._send()
        yield from self._due(lambda: True)

    def _known(self, source: SourceFile) -> CheckedFile | None:
        """What the cache holds; otherwise the file is in the batch."""
        entry, size = None, 0
        # if there is no status, the check tells the reason
        with suppress(OSError):
            status = os.stat(source.name)
            size = status.st_size
            # other processes read the settings and schemas of the files, too: what is wrong with them is told here
            settings = self._project.settings_for(source.name)
            if self._cache is not None:
                entry = self._cache.entry(source, self._project.path(source.name), status, settings)
                found = self._cache.unchanged(source, entry)
                if found is None and not self._cache.is_empty and size <= settings.max_size_mb * 1e6:
                    with open(source.name, "rb") as file:
                        found = self._cache.same(source, entry, digest_of(file.read()))
                if found is not None:
                    return found
        self._batch.sources.append(source)
        self._batch.entries.append(entry)
        self._batch_size += size
        return None

    def _is_full(self, times: int = 1) -> bool:
        times *= min(1 + self._sent // self._jobs, _LARGEST_BATCH)
        return self._batch_size >= times * _BATCH or len(self._batch.sources) >= times * _BATCH_FILES

    def _continues(self, source: SourceFile | InputError) -> bool:
        """Whether a file is of the same session as the last one: a process that checks both reads its names once."""
        if isinstance(source, InputError) or self._is_full(_BATCHES_A_SESSION):
            return False
        path, last = (self._project.path(each.name) for each in (source, self._batch.sources[-1]))
        is_beside = os.path.dirname(path) == os.path.dirname(last)
        return is_beside and self._project.is_log(find_language(source.language_id), source.name)

    def _send(self) -> None:
        """Begin the check of the batch."""
        batch = self._batch
        self._batch, self._batch_size = _Batch(), 0
        self._sent += 1
        if self._jobs > 1 and self._workers is None:
            self._start(batch.sources)
        if self._workers is None:
            return
        try:
            batch.future = self._workers.do(batch.sources)
        except RuntimeError:
            # a process has died; the rest is checked here
            self._workers, self._jobs = None, 1
            return
        self._running.append(batch)

    def _start(self, sources: Sequence[SourceFile]) -> None:
        try:
            from llmblocks.cli.workers import Workers, can_copy

            if can_copy():
                self._here.load(sources)
            begin = partial(_checking, self._project.again, self._options)
            self._workers = self._stack.enter_context(Workers(begin, self._jobs))
        except (ImportError, OSError, NotImplementedError):
            # a system without processes, or without shared memory
            self._jobs = 1

    def _due(self, presses: Callable[[], bool]) -> Iterator[Done]:
        """The outcomes at the head of the queue: those that are known, and more while there are too many."""
        while self._queue:
            source, checked = self._queue[0]
            if not isinstance(checked, CheckedFile):
                batch, number = checked
                if batch.checked is None and not (self._is_done(batch) or presses()):
                    return
                checked = self._result(batch)[number]
            self._queue.popleft()
            yield source, checked

    def _is_done(self, batch: _Batch) -> bool:
        return batch.future is not None and batch.future.done()

    def _result(self, batch: _Batch) -> list[CheckedFile]:
        if batch.checked is None:
            if batch is self._batch:
                self._batch, self._batch_size = _Batch(), 0
            batch.checked = self._waited(batch)
            if batch in self._running:
                self._running.remove(batch)
            for entry, checked in zip(batch.entries, batch.checked, strict=True):
                if self._cache is not None and entry is not None and not (checked.error or checked.looked):
                    self._cache.put(entry, checked)
        return batch.checked

    def _waited(self, batch: _Batch) -> list[CheckedFile]:
        if batch.future is not None:
            from concurrent.futures.process import BrokenProcessPool

            try:
                return batch.future.result()
            except BrokenProcessPool:
                self._workers, self._jobs = None, 1
        return [self._here.check(each) for each in batch.sources]


def _checking(
    project: Callable[[], CommandProject], options: CheckOptions
) -> Callable[[Sequence[SourceFile]], list[CheckedFile]]:
    """The work of a process: the check of some files, in order."""
    from llmblocks.cli.checking import FileChecker

    checker = FileChecker(project(), options)
    return lambda sources: [checker.check(source) for source in sources]
