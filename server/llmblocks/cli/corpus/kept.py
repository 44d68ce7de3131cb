"""The work of a run over a corpus. Its results may be kept in a folder, so that an interrupted run can resume.

Checkpoints of Ray Data cannot do this. They skip the rows whose results Ray has written to files; here results are
merged, and a run without Ray can resume, too. Source: `ray.data.checkpoint`, issue 59869 of Ray.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from typing import Any, Generic, TypeVar

from llmblocks import __version__
from llmblocks.cli.corpus.texts import FilePart, Work, stamp
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import replacement
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote

R = TypeVar("R")


class Job(ABC, Generic[R]):
    """The work of a run, and the handling of its results. Other processes get it, too.

    `project` creates the project of a process. Results depend on `options`, and are kept in the folder `resume`.
    """

    def __init__(self, project: Callable[[], CommandProject], options: Any, resume: str | None) -> None:
        self.project, self.options, self.resume = project, options, resume

    @abstractmethod
    def result(self, batch: Work, project: CommandProject) -> R:
        """Return the result of a batch."""

    @abstractmethod
    def unread(self, error: InputError) -> R:
        """Return the result of an unreadable text."""

    @abstractmethod
    def join(self, found: list[R]) -> R:
        """Join several results, in order."""

    @abstractmethod
    def as_json(self, result: R) -> Any:
        """Return a result as JSON values."""

    @abstractmethod
    def from_json(self, found: Any) -> R:
        """Read a result from JSON values, with any error for other values."""

    @abstractmethod
    def is_whole(self, result: R) -> bool:
        """Return whether everything was read: unread files may be readable next time, with the same size and time."""

    def work(self) -> Callable[[Work | InputError], R]:
        """Return the function for all of it, created once in each process."""
        made = self.project()

        def do(batch: Work) -> R:
            # the names of finished sessions would fill the memory
            made.begin_again()
            return self.result(batch, made)

        kept = do if self.resume is None else _kept(self, do, self.resume)
        return lambda each: self.unread(each) if isinstance(each, InputError) else kept(each)


def _kept(job: Job[R], do: Callable[[Work], R], folder: str) -> Callable[[Work], R]:
    """Return the work of a process with results kept in a folder, and existing ones reused.

    A result is made again if a file, its settings or the options change. `InputError` if a result cannot be written.
    """
    options = repr(job.options)

    @cache
    def settings_in(at: str) -> list[str]:
        """Return the current settings files for a folder."""
        made = job.project()
        made.settings_for(os.path.join(at, STDIN))
        return [*map(_stamp, sorted(made.files()))]

    def work(batch: Work) -> R:
        identity = _identity(batch, settings_in)
        if identity is None:
            return do(batch)
        name = blake2b("\0".join([__version__, options, *identity]).encode("utf-8", "surrogatepass"), digest_size=16)
        file = os.path.join(folder, f"{name.hexdigest()}.json")
        try:
            with open(file, encoding="utf-8") as known:
                result: R = job.from_json(json.load(known))
                return result
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            # missing, or from another program
            result = do(batch)
        if job.is_whole(result):
            _write(file, json.dumps(job.as_json(result)))
        return result

    return work


def _write(file: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with replacement(file) as out:
            out.write(text.encode())
    except OSError as error:
        raise InputError(
            f"{file}: cannot be written: {error.strerror}; what is there is kept, the same command goes on from it"
        ) from error


def _identity(work: Work, settings_in: Callable[[str], list[str]]) -> list[str] | None:
    """Return the dependencies of a result; None if they cannot be identified, such as for standard input."""
    sources = [work.source] if isinstance(work, FilePart) else work
    if any(each.is_stdin for each in sources):
        return None
    part = [f"{work.start} {work.end}"] if isinstance(work, FilePart) else []
    settings = [line for at in sorted({os.path.dirname(each.name) for each in sources}) for line in settings_in(at)]
    return [*part, *(line for each in sources for line in _of_file(each)), *settings]


def _of_file(source: SourceFile) -> Iterator[str]:
    yield source.name
    yield source.language_id
    yield _stamp(source.name)


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
