"""URIs of documents: their identity and their file paths."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

# decoded, these would mean something else
_KEPT = re.compile("(%2[35Ff]|%3[Ff])")


@lru_cache(maxsize=256)
def identity(uri: str) -> str:
    """The same text for all percent-encodings of a URI, and another for every other URI."""
    if "%" not in uri:
        return uri
    parts = _KEPT.split(uri)
    return "".join(
        part.upper() if number % 2 else unquote(part, errors="surrogateescape") for number, part in enumerate(parts)
    )


def path_of(uri: str) -> str | None:
    """The absolute path of a `file:` URI, without `.` and `..`; None for any other URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if os.name == "nt" and re.match("/[A-Za-z]:", path):
        path = path[1:]
    elif parts.netloc not in ("", "localhost"):
        path = f"//{parts.netloc}{path}"
    return absolute(path)


def absolute(path: str) -> str | None:
    """A path without `.` and `..`; None for one that is relative, or that no system can have."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        # half of a surrogate pair
        return None
    return os.path.normpath(path) if os.path.isabs(path) and "\0" not in path else None


def name_of(uri: str) -> str:
    """The name of a file, as a title has it."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri
