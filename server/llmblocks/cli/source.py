"""A file to check."""

from __future__ import annotations

import re
from typing import NamedTuple

STDIN = "-"
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
    """Whether its text comes from standard input.

    One that `stays` is read, and not written: a link in a folder, to a file that is ignored or excluded where it is.
    """
    stays: bool = False
    """Whether it is only read: a link in a folder to a file that is ignored or excluded at its place."""

    @property
    def is_stdin(self) -> bool:
        return self.piped or self.name == STDIN
