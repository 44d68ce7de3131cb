"""A file to check."""

from __future__ import annotations

import re
from typing import NamedTuple

STDIN = "-"
# a drive of Windows has one letter
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_remote(name: str) -> bool:
    """Return whether a name is a URL: that of a file in a storage which is not mounted."""
    return _URL.match(name) is not None


class InputError(Exception):
    """A file that cannot be checked. Shape: the message has its name, the reason and the remedy; `name` alone is there
    where no `SourceFile` stands for the file.
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

    @property
    def is_stdin(self) -> bool:
        return self.piped or self.name == STDIN
