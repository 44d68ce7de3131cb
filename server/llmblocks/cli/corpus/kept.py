"""The work of a run over a corpus. Its results may be kept in a folder: a run that was ended goes on from there.

Checkpoints of Ray Data cannot do this. They skip the rows whose results Ray has written to files; here results are
merged, and a run without Ray goes on, too. Source: `ray.data.checkpoint`, issue 59869 of Ray.
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
from llmblocks.cli.corpus.storage import stamp
from llmblocks.cli.corpus.texts import FilePart, Work
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import replacement
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote

R = TypeVar("R")


class Job(ABC, Generic[R]):
    """The work of a run, and what becomes of its results. Other processes get it, too.

    Shape: `project` makes the project of a process. Results depend on `options`, and are kept in the folder `resume`.
    """

    def __init__(self, project: Callable[[], CommandProject], options: Any, resume: str | None) -> None:
        self.project, self.options, self.resume = project, options, resume

    @abstractmethod
    def result(self, batch: Work, project: CommandProject) -> R:
        """Return the result of a batch."""

    @abstractmethod
    def unread(self, error: InputError) -> R:
        """Return the result of what cannot be read."""

    @abstractmethod
    def join(self, found: list[R]) -> R:
        """Return one result of several, in their order."""

    @abstractmethod
    def as_json(self, result: R) -> Any:
        """Return a result as JSON values."""

    @abstractmethod
    def from_json(self, found: Any) -> R:
        """Return the result of JSON values. Errors: any for other values."""

    @abstractmethod
    def is_whole(self, result: R) -> bool:
        """Return whether nothing was unread: what was may be there the next time, at the same size and time."""

    def work(self) -> Callable[[Work | InputError], R]:
        """Return the function for all of it, made once in each process."""
        made = self.project()

        def do(batch: Work) -> R:
            # the names of sessions that are read for good would fill the memory
            made.begin_again()
            return self.result(batch, made)

        kept = do if self.resume is None else _kept(self, do, self.resume)
        return lambda each: self.unread(each) if isinstance(each, InputError) else kept(each)


def _kept(job: Job[R], do: Callable[[Work], R], folder: str) -> Callable[[Work], R]:
    """The work of a process, so that its results are kept in a folder, and those that are there are not made again.

    Returns:
        A result is made again if a file, its settings or the options change. Errors: of the work, `InputError` if a
        result cannot be written.
    """
    options = repr(job.options)

    @cache
    def settings_in(at: str) -> list[str]:
        """Return the settings files for a folder, as they are now."""
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
            # not there yet, or of another program
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
    """What a result depends on; None for what cannot be known again, such as standard input."""
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
