"""The files of a folder of an agent's logs, read in steps or at once; and the files that a document names by paths."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from llmblocks.contract.other_files import OtherFiles
from llmblocks.core.system import WINDOWS
from llmblocks.languages.language import Language

_DIGITS = "+([0-9])"
_LOG = re.compile(r"([0-9]{1,15})\.(?:response|request)", re.IGNORECASE)
_AGENT = re.compile(r"(?s:([0-9]{1,15})-.+)")


def log_number(language: Language, path: str) -> int | None:
    """Return the number of a file whose calls run in a session; None for other files. `/` separates folders.

    The files of a folder are the session of one agent, in the order of their numbers. The folder of a sub-agent is in
    that of its parent, with a number from its parent's sequence. llmist keeps the ids of calls by agent: neither agent
    knows those of the other.
    """
    return file_number(path.rpartition("/")[2]) if not language.repeats and language.is_log(path) else None


def log_globs(language: Language) -> list[str]:
    """Return glob patterns, in the syntax of clients, for the numbered files of sessions."""
    return [path.replace(_DIGITS, "[0-9]*") for path in language.paths if _DIGITS in path]


def file_number(name: str) -> int | None:
    """Return the number of a response or a request, by the name of its file; None for other names."""
    found = _LOG.fullmatch(name)
    return None if found is None else int(found[1])


def agent_number(folder: str) -> int | None:
    """Return the number of a sub-agent's folder among the files of its parent; None for other folders."""
    found = _AGENT.fullmatch(folder)
    return None if found is None else int(found[1])


T = TypeVar("T")
Stamp = tuple[int, int]
"""Changes with a file."""
_AT_ONCE = 256
"""The number of entries of a folder that one step reads."""


class NumberedFile(NamedTuple):
    """A response, a request, or the folder of a sub-agent."""

    number: int
    name: str
    path: str
    stamp: Stamp


class Listing(NamedTuple):
    """The numbered files of a folder, each list in order."""

    responses: list[NumberedFile]
    requests: list[NumberedFile]
    agents: list[NumberedFile]

    @property
    def numbers(self) -> tuple[dict[str, int], list[int]]:
        """The numbers of the responses, by path, and of the sub-agents."""
        return {each.path: each.number for each in self.responses}, [each.number for each in self.agents]


NOTHING = Listing([], [], [])


def listing(folder: str) -> Generator[None, None, Listing]:
    """List a folder in steps. Raises `OSError`."""
    found = Listing([], [], [])
    with os.scandir(folder or os.curdir) as entries:
        for count, entry in enumerate(entries, 1):
            if count % _AT_ONCE == 0:
                yield
            number, agent = file_number(entry.name), agent_number(entry.name)
            # a file may be gone
            with suppress(OSError):
                path = os.path.join(folder, entry.name)
                if number is not None and entry.is_file():
                    of_kind = found.responses if entry.name.lower().endswith(".response") else found.requests
                    of_kind.append(NumberedFile(number, entry.name, path, stamp_of(entry.stat())))
                elif agent is not None and entry.is_dir():
                    found.agents.append(NumberedFile(agent, entry.name, path, (0, 0)))
    return Listing(*map(sorted, found))


def stamp_of(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size


def finished(work: Generator[None, None, T]) -> T:
    """Do all the work, and return its result."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        found: T = end.value
        return found


_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_FILE = re.compile(r"file://(?=/)", re.IGNORECASE)
_DRIVE = re.compile(r"/?[A-Za-z]:[\\/]")
_ELSEWHERE = ("//", "\\\\", "~")
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL)


@dataclass(eq=False)
class FilesBeside(OtherFiles):
    """Looks for files, without reading them, for a document in a folder that is not a session.

    It looks only below the folders `visible`; None is everywhere.
    """

    _folder: str
    _visible: Collection[str] | None = None
    _looked: dict[str, bool] = field(default_factory=dict)

    @property
    def looked(self) -> Mapping[str, bool]:
        return self._looked

    def lacks(self, path: str) -> bool:
        """Return whether a path leads to no file.

        False for a URL, for a path of another computer or system, with escapes, and outside of the visible folders.
        """
        written = _FILE.sub("", path, count=1)
        # on Windows, accessing a path on another computer would send it the user's name
        if written.startswith(_ELSEWHERE) or _URL.match(written) or "%" in written:
            return False
        if not WINDOWS and (_DRIVE.match(written) or "\\" in written):
            return False
        written = written.lstrip("/") if _DRIVE.match(written) else written
        whole = os.path.normpath(os.path.join(self._folder, written))
        self._looked[whole] = not is_missing(whole)
        visible = None if self._visible is None else tuple([f"{each.rstrip('/')}/" for each in self._visible])
        return not self._looked[whole] and (visible is None or whole.startswith(visible))


def is_missing(path: str) -> bool:
    """Return whether there is certainly no file at a path."""
    try:
        os.stat(path)
    except OSError as error:
        return error.errno in _NOT_THERE
    except ValueError:
        # a NUL, or half of a surrogate pair
        return True
    return False
