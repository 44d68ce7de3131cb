"""A run over a corpus: batches go to processes, and their results are taken in order.

Results may be kept in a folder, so that an interrupted run can resume. Checkpoints of Ray Data cannot do this: they
skip the rows whose results Ray has written to files; here results are merged, and a run without Ray can resume, too.
Source: `ray.data.checkpoint`, issue 59869 of Ray.
"""

from __future__ import annotations

import argparse
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from hashlib import blake2b
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from llmblocks import __version__
from llmblocks.cli.arguments import LARGEST, add_jobs, flag, number, option
from llmblocks.cli.corpus.texts import PART, FilePart, Work, has_rows, parts, stamp
from llmblocks.cli.files import size_of
from llmblocks.cli.output import replacement
from llmblocks.cli.processes import mapped, processors
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote
from llmblocks.languages.registry import host_ids

R = TypeVar("R")
_BATCH = 1_000_000
_FILES = 200
_BATCHES_A_SESSION = 16
_GROWS_EVERY = 256
"""Batches grow after this many, so that a large corpus has few results to merge and to keep."""
_LARGEST = 16


class RunOptions(NamedTuple):
    jobs: int = 1
    """The number of processes."""
    resume: str | None = None
    """The folder of kept results."""
    engine: Literal["processes", "ray"] = "processes"
    address: str | None = None
    """The address of a cluster."""
    memory: int | None = None
    """The memory to reserve per Ray worker, in MB."""


def add_how(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for processes and for resuming an interrupted run."""
    group = parser.add_argument_group("running")
    flag(group, "--quiet", "show no progress", "-q")
    add_jobs(group)
    engines = "processes", "ray"
    says = "processes or ray (default: processes)"
    option(group, "--engine", "ENGINE", says, choices=engines, default="processes")
    option(group, "--address", "HOST", "a running Ray cluster; without it, Ray starts here")
    option(group, "--memory", "MB", "memory to reserve per Ray worker", type=number(1, LARGEST))
    option(group, "--resume", "FOLDER", "save partial results in FOLDER and resume from them")


def how_of(given: argparse.Namespace, names: list[str], parser: argparse.ArgumentParser) -> RunOptions:
    """Build the run options from the arguments; end the command if they contradict each other."""
    is_piped = STDIN in names or given.stdin_filename is not None
    for each in ("address", "memory"):
        if getattr(given, each) is not None and given.engine != "ray":
            parser.error(f"--{each} requires --engine ray")
    if given.engine == "ray" and is_piped:
        parser.error("--engine ray cannot read standard input")
    # other processes cannot read standard input
    jobs = 1 if is_piped else given.jobs or processors()
    return RunOptions(jobs, given.resume, given.engine, given.address, given.memory)


class Job(ABC, Generic[R]):
    """The work of a run, and the handling of its results. Other processes get it, too.

    `project` creates the project of a process. Results depend on `options`, and are kept in the folder `resume`.
    """

    def __init__(self, project: Callable[[], CommandProject], options: Any, resume: str | None) -> None:
        self.project, self.options, self.resume = project, options, resume

    @abstractmethod
    def result(self, batch: Work, project: CommandProject) -> R: ...
    @abstractmethod
    def unread(self, error: InputError) -> R:
        """Return the result of an unreadable text."""

    @abstractmethod
    def join(self, found: list[R]) -> R: ...
    @abstractmethod
    def as_json(self, result: R) -> Any: ...
    @abstractmethod
    def from_json(self, found: Any) -> R:
        """Read a result from JSON values, with any error for other values."""

    @abstractmethod
    def is_whole(self, result: R) -> bool:
        """Return whether everything was read: unread files may be readable next time, with the same size and time."""

    def work(self) -> Callable[[Work | InputError], R]:
        """Return the function for all of it, created once in each process."""
        made = self.project()

        def do(each: Work | InputError) -> R:
            if isinstance(each, InputError):
                return self.unread(each)
            # the names of finished sessions would fill the memory
            made.begin_again()
            return self.result(each, made)

        return do if self.resume is None else self._kept(do, self.resume)

    def _kept(self, do: Callable[[Work | InputError], R], folder: str) -> Callable[[Work | InputError], R]:
        """Return the work with results kept in a folder, and made again if a file, its settings or the options change.

        `InputError` if a result cannot be written.
        """

        @cache
        def settings_in(at: str) -> list[str]:
            made = self.project()
            made.settings_for(os.path.join(at, STDIN))
            return [*map(_stamp, sorted(made.files()))]

        def work(batch: Work | InputError) -> R:
            sources = [] if isinstance(batch, InputError) else [batch.source] if isinstance(batch, FilePart) else batch
            if not sources or any(each.is_stdin for each in sources):
                return do(batch)
            part = batch[1:] if isinstance(batch, FilePart) else ()
            texts = [(each.name, each.language_id, _stamp(each.name)) for each in sources]
            settings = [settings_in(at) for at in sorted({os.path.dirname(each.name) for each in sources})]
            told = repr((__version__, self.options, part, texts, settings))
            name = blake2b(told.encode(), digest_size=16).hexdigest()
            file = os.path.join(folder, f"{name}.json")
            try:
                with open(file, encoding="utf-8") as known:
                    return self.from_json(json.load(known))
            except (OSError, ValueError, LookupError, TypeError, AttributeError):
                # missing, or from another program
                result = do(batch)
            if self.is_whole(result):
                try:
                    os.makedirs(folder, exist_ok=True)
                    with replacement(file) as out:
                        out.write(json.dumps(self.as_json(result)).encode())
                except OSError as error:
                    says = (
                        f"cannot be written: {error.strerror}; what is there is kept, the same command goes on from it"
                    )
                    raise InputError(f"{file}: {says}") from error
            return result

        return work


def _stamp(name: str) -> str:
    try:
        if is_remote(name):
            return f"{name} {stamp(name)}"
        status = os.stat(name)
    except OSError as error:
        return f"{name} {error.errno}"
    except InputError as error:
        return str(error)
    return f"{name} {status.st_size} {status.st_mtime_ns}"


def execute(job: Job[R], found: Iterator[Work | InputError], how: RunOptions, add: Callable[[R], None]) -> None:
    if how.engine == "ray":
        from llmblocks.cli.corpus.on_ray import run_on_ray

        run_on_ray(job, found, how, add)
        return
    with closing(mapped(found, job.work(), job.work, how.jobs)) as results:
        for _, result in results:
            add(result)


def batches(
    sources: Iterator[SourceFile | InputError],
    *,
    piped_rows: bool = False,
    whole_folders: bool = False,
    largest: int = _LARGEST,
) -> Iterator[Work | InputError]:
    """Yield the work for the texts.

    The files of a folder, such as a session, stay together: many of them, or all if `whole_folders`. `piped_rows` if
    standard input is JSONL. Batches grow to `largest` times the first ones.
    """
    batch: list[SourceFile] = []
    size, folder, done = 0, "", 0
    for source in sources:
        growth = min(1 + done // _GROWS_EVERY, largest)
        if isinstance(source, InputError):
            done += 1
            yield source
            continue
        if source.is_stdin or (has_rows(source.name) and source.language_id not in host_ids()):
            piped = FilePart(source) if piped_rows else [source]
            for each in [piped] if source.is_stdin else parts(source, growth * PART):
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
        size += size_of(source)
        folder = here
    if batch:
        yield batch


def known(source: SourceFile | InputError, project: CommandProject, *, in_rows: bool) -> SourceFile | InputError:
    """Return a file if the language of its texts is known."""
    if isinstance(source, InputError) or not has_rows(source.name) or source.language_id not in host_ids():
        return source
    if not in_rows and project.settings_for(source.name).strings:
        return source
    says = "cannot tell the language from the name; pass --language with that of the texts in its rows"
    return InputError(f"{source.name}: {says}", source.name)
