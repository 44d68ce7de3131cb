"""The results of parts of a corpus, kept in a folder: a run that was ended goes on from there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from llmblocks import __version__
from llmblocks.cli.corpus.storage import stamp
from llmblocks.cli.corpus.texts import Part
from llmblocks.cli.corpus.work import Work
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import replacement
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote

R = TypeVar("R")


class Form(NamedTuple):
    """How the result of a part becomes JSON values, and how it is read.

    Shape:  `is_whole` says that nothing was unread: what was may be there the next time, at the same size and time.
    Errors: of `read`, any for other values.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    is_whole: Callable[[Any], bool]


def kept(
    begin: Callable[[], Callable[[Work], R]],
    folder: str | None,
    form: Form,
    project: Callable[[], CommandProject],
    options: object,
) -> Callable[[], Callable[[Work], R]]:
    """`begin` of a run, so that its results are kept in a folder, and those that are there are not made again.

    Shape:  without a folder, the same `begin`. A result is made again if a file, its settings or the options change.
    Errors: of the work, `InputError` if a result cannot be written.
    """
    return begin if folder is None else partial(_begin, begin, folder, form, project, repr(options))


def _begin(
    begin: Callable[[], Callable[[Work], R]],
    folder: str,
    form: Form,
    project: Callable[[], CommandProject],
    options: str,
) -> Callable[[Work], R]:
    do = begin()

    @cache
    def settings_in(at: str) -> list[str]:
        """The settings files for a folder, as they are now."""
        made = project()
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
                result: R = form.read(json.load(known))
                return result
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            # not there yet, or of another program
            result = do(batch)
        if form.is_whole(result):
            _write(file, json.dumps(form.write(result)))
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
    sources = [work.source] if isinstance(work, Part) else work
    if any(each.is_stdin for each in sources):
        return None
    part = [f"{work.start} {work.end}"] if isinstance(work, Part) else []
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
