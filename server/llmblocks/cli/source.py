"""A file to check, and its repository; and what all commands say alike."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NamedTuple

from llmblocks.core.system import inside, parents

STDIN = "-"
CLEAN, FOUND, MISUSED = 0, 1, 2
"""The exit statuses of many commands."""
SIGNS = (".git", ".hg", ".jj", ".svn")
"""The entries of the root of a repository."""
# a drive of Windows has one letter
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_remote(name: str) -> bool:
    """Return whether a name is the URL of a file in an unmounted storage."""
    return _URL.match(name) is not None


class InputError(Exception):
    """A file that cannot be checked. The message has its name, the reason and the remedy.

    `name` is only given if no `SourceFile` represents the file.
    """

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


class SourceFile(NamedTuple):
    """A file with its language."""

    name: str
    """The path as given or found."""
    language_id: str
    piped: bool = False
    """Whether its text comes from standard input."""
    stays: bool = False
    """Whether it is only read: a link in a folder."""

    @property
    def is_stdin(self) -> bool:
        return self.piped or self.name == STDIN


def root_of(folder: str) -> str | None:
    """Return the root of the repository that an absolute path is in, or None."""
    around = (folder, *parents(folder))
    return next((each for each in around if any(os.path.exists(os.path.join(each, sign)) for sign in SIGNS)), None)


def paths_from_root() -> Callable[[str], str]:
    """Return the mapping of file paths to paths for services: from the root of the repository around this folder.

    Without a repository, from this folder; absolute for a file outside. `/` separates.
    """
    here = os.getcwd()
    top = root_of(here) or here

    def path_from_root(path: str) -> str:
        if path == STDIN:
            return path
        whole = os.path.abspath(path)
        rest = inside(whole, top)
        return (whole if rest is None else rest).replace(os.sep, "/")

    return path_from_root


def counted(number: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{number} {what}" if number == 1 or what == "information" else f"{number} {what}s"
