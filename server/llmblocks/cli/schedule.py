"""The order of work: files in the cache are not checked again, and several processes check many files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.checked_file import CheckedFile, CheckOptions
from llmblocks.cli.files import size_of
from llmblocks.cli.in_order import InOrder
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import digest_of
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.languages.registry import find_language

if TYPE_CHECKING:
    from llmblocks.cli.cache import Cache, CachedFile
    from llmblocks.cli.checking import FileChecker
    from llmblocks.cli.watch import Memory

MANY = 32
"""A run over more files uses the cache and other processes, one over fewer starts nothing."""
LARGE = 2_000_000
"""The same for bytes."""
MOST_JOBS = 61
"""The number of processes that Windows can wait for."""
_BATCH = 256_000
_BATCH_FILES = 32
_LARGEST_BATCH = 4
"""Batches grow to so many times the size of the first ones: each has a cost, and few files are for all processes."""
_BATCHES_A_SESSION = 16
_MOST_LISTED = 512
"""The files of a batch, with those that need no check."""

Done = tuple[SourceFile | InputError, CheckedFile]


class Resources(NamedTuple):
    """The resources of a run.

    Shape: `jobs` are processes; `cache` is the folder of the cache, None for no cache. `memory` has the outcomes of the
           run before, if there are several.
    """

    jobs: int = 1
    cache: str | None = None
    memory: Memory | None = None

    def known(self, source: SourceFile | InputError, project: CommandProject) -> CheckedFile | None:
        """The outcome for a file, if nothing has to be checked."""
        if isinstance(source, InputError):
            return CheckedFile(error=str(source))
        return self.memory.known(project.path(source.name)) if self.memory is not None else None


def check_all(
    sources: Iterator[SourceFile | InputError], project: CommandProject, options: CheckOptions, resources: Resources
) -> Generator[tuple[Done, bool], None, None]:
    """Check files, in order. Shape: each outcome comes with whether the run is a long one."""
    first: list[SourceFile | InputError] = []
    number = size = 0
    is_long = True
    for source in sources:
        first.append(source)
        if resources.known(source, project) is None:
            number += 1
            size += size_of(source)
        if number > MANY or size > LARGE:
            break
    else:
        is_long, resources = False, resources._replace(jobs=1, cache=None)
    with ExitStack() as stack:
        run = _Run(project, options, resources, stack, is_long=is_long)
        for outcome in stack.enter_context(closing(run.check(chain(first, sources)))):
            yield outcome, is_long


def processors() -> int:
    """The number of processors that this process may use, and that a run can use."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_JOBS)
    return min(os.cpu_count() or 1, MOST_JOBS)


class _Listed(NamedTuple):
    """A file in a batch. Shape: `known` is its outcome where it need not be checked."""

    source: SourceFile | InputError
    known: CheckedFile | None = None
    entry: CachedFile | None = None
    size: int = 0


class _Run:
    """A run over files. Shape: one that is not long checks them one by one."""

    def __init__(
        self, project: CommandProject, options: CheckOptions, resources: Resources, stack: ExitStack, *, is_long: bool
    ) -> None:
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
        self._resources = resources
        self._is_long = is_long
        self._checker: FileChecker | None = None

    def check(self, sources: Iterator[SourceFile | InputError]) -> Generator[Done, None, None]:
        """All outcomes, in order."""
        batches: deque[list[_Listed]] = deque()

        def work() -> Iterator[Sequence[SourceFile]]:
            for batch in self._batches(sources):
                batches.append(batch)
                yield [each.source for each in batch if each.known is None and isinstance(each.source, SourceFile)]

        run: InOrder[Sequence[SourceFile], list[CheckedFile]] = InOrder(
            partial(_checking, self._project.again, self._options),
            self._resources.jobs,
            stays=lambda unknown: not unknown,
            here=lambda: lambda unknown: self._here.check_all(unknown) if unknown else [],
            prepare=lambda unknown: self._here.load(unknown),
        )
        with closing(run.results(work())) as results:
            for found in results:
                fresh = iter(found)
                for source, known, entry, _ in batches.popleft():
                    checked = next(fresh) if known is None else known
                    if known is None and entry is not None and not (checked.error or checked.looked):
                        assert self._cache is not None, "it has made the entry"
                        self._cache.put(entry, checked)
                    if self._resources.memory is not None and isinstance(source, SourceFile):
                        self._resources.memory.keep(source, self._project, checked)
                    yield source, checked

    @property
    def _here(self) -> FileChecker:
        # a run of which the cache knows all loads no parsers
        if self._checker is None:
            from llmblocks.cli.checking import FileChecker

            self._checker = FileChecker(self._project, self._options)
        return self._checker

    def _batches(self, sources: Iterator[SourceFile | InputError]) -> Iterator[list[_Listed]]:
        """The files that one process checks together, and between them those whose outcomes are known."""
        batch: list[_Listed] = []
        size = unknown = sent = 0
        for source in sources:
            times = min(1 + sent // self._resources.jobs, _LARGEST_BATCH)
            if batch and self._continues(batch[-1].source, source):
                times *= _BATCHES_A_SESSION
            is_full = size >= times * _BATCH or unknown >= times * _BATCH_FILES or len(batch) >= times * _MOST_LISTED
            if batch and (is_full or not self._is_long):
                yield batch
                sent += unknown > 0
                batch, size, unknown = [], 0, 0
            batch.append(listed := self._listed(source))
            size += listed.size
            unknown += listed.known is None
        if batch:
            yield batch

    def _listed(self, source: SourceFile | InputError) -> _Listed:
        """A file, with its outcome if the cache knows it or no other process can check it."""
        if (known := self._resources.known(source, self._project)) is not None or isinstance(source, InputError):
            return _Listed(source, known)
        if source.is_stdin:
            return _Listed(source, self._here.check(source))
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
                    return _Listed(source, found)
        return _Listed(source, None, entry, size)

    def _continues(self, last: SourceFile | InputError, source: SourceFile | InputError) -> bool:
        """Whether a file is of the same session as the last one: a process that checks both reads its names once."""
        if isinstance(source, InputError) or isinstance(last, InputError):
            return False
        if os.path.dirname(source.name) != os.path.dirname(last.name):
            return False
        return self._project.is_log(find_language(source.language_id), source.name)


def _checking(
    project: Callable[[], CommandProject], options: CheckOptions
) -> Callable[[Sequence[SourceFile]], list[CheckedFile]]:
    """The work of a process: the check of some files, in order."""
    from llmblocks.cli.checking import FileChecker

    return FileChecker(project(), options).check_all
