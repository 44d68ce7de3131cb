"""URIs of documents: their identity and their file paths."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from llmblocks.core.system import WINDOWS, inside

GUEST = "#llmblocks-"
"""Follows the URI of a document in the URIs of its embedded texts."""

# decoded, these would change the meaning
_DRIVE = re.compile("file:///[A-Za-z]:", re.IGNORECASE)
_KEPT = re.compile("(%2[35Ff]|%3[Ff])")


@lru_cache(maxsize=256)
def identity(uri: str, *, windows: bool = WINDOWS) -> str:
    """Return the same text for all spellings of a URI, and a different one for every other URI.

    Spellings differ in percent-encodings and, on Windows, in the case of a drive's letter.
    """
    if "%" in uri:
        parts = _KEPT.split(uri)
        uri = "".join(
            part.upper() if number % 2 else unquote(part, errors="surrogateescape") for number, part in enumerate(parts)
        )
    if windows and (found := _DRIVE.match(uri)):
        return found[0].lower() + uri[found.end() :]
    return uri


def path_of(uri: str, *, windows: bool = WINDOWS) -> str | None:
    """Return the absolute path of a `file:` URI, without `.` and `..`; None for any other URI.

    On Windows, it has backslashes, and the letter of a drive in upper case.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if windows and re.match("/[A-Za-z]:", path):
        path = path[1:2].upper() + path[2:]
    elif parts.netloc not in ("", "localhost"):
        path = f"//{parts.netloc}{path}"
    return absolute(path, windows=windows)


def absolute(path: str, *, windows: bool = WINDOWS) -> str | None:
    """Return a path without `.` and `..`; None for a relative or impossible one."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        # half of a surrogate pair
        return None
    system = ntpath if windows else posixpath
    return system.normpath(path) if system.isabs(path) and "\0" not in path else None


def root_of(path: str, roots: Iterable[str]) -> str | None:
    """Return the first of some folders that contains a path or equals it."""
    return next((each for each in roots if path == each or inside(path, each) is not None), None)


def name_of(uri: str) -> str:
    """Return the name of a file for titles."""
    _, slash, last = uri.rstrip("/").rpartition("/")
    # `untitled:Untitled-1` has no path
    return unquote(last if slash else last.partition(":")[2]) or uri
