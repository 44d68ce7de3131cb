"""Files with settings, or named by some: their search and their bytes. They may be anything, of any size."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator

NAME = "llmblocks.toml"
PYPROJECT = "pyproject.toml"
NAMES = (NAME, PYPROJECT)
"""The names of settings files, highest precedence first."""
TABLE = ("tool", "llmblocks")
"""The table of a `pyproject.toml` with our settings."""
MOST_BYTES = 1 << 20
"""The maximum size of a settings file."""

_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def table_in(path: str) -> tuple[str, ...]:
    """Return the table with our settings in a settings file."""
    return TABLE if os.path.basename(path) == PYPROJECT else ()


def find_settings_file(folder: str, roots: Iterable[str]) -> str | None:
    """Return the nearest settings file from a folder upwards, up to the root that contains the folder.

    All paths are absolute and normal. A `pyproject.toml` counts if it has a table for us; an `llmblocks.toml` always,
    even an unreadable one.
    """
    within = {root for root in roots if root == folder or root in parents(folder)}
    if not within:
        return None
    top = min(within, key=len)
    for each in (folder, *parents(folder)):
        for name in NAMES:
            candidate = os.path.join(each, name)
            try:
                regular = stat.S_ISREG(os.stat(candidate).st_mode)
            except (OSError, ValueError) as error:
                # an inaccessible or impossible folder has no settings for us
                if getattr(error, "errno", None) not in _NOT_THERE:
                    return None
                continue
            if name == NAME or (regular and _has_our_table(candidate)):
                return candidate
        if each == top:
            return None
    return None


def parents(path: str) -> Iterator[str]:
    """Yield the folders around a path, nearest first."""
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above


def _has_our_table(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return False
    if b"llmblocks" not in data:
        return False
    from llmblocks.settings.toml import find_places

    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return () in find_places(text, TABLE).spans


def read_named(path: str, most: int) -> bytes:
    """Return the bytes of a regular file.

    Args:
        path: The file.
        most: The maximum size in bytes.

    Raises:
        OSError: It cannot be read, or is not a regular file.
        ValueError: It is too large.
    """
    if (reason := why_no_file(path)) is not None:
        raise OSError(reason)
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(too_large(most))
    return data


def too_large(most: int) -> str:
    """Return the message for files larger than this."""
    return f"it is larger than {most / (1 << 20):.2g} MiB"


def why_no_file(path: str) -> str | None:
    """Return why a path is not a regular file, or None. Reading a pipe may never end."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        return why_not_read(error)
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return None if stat.S_ISREG(mode) else "it is not a regular file"


def why_not_read(error: OSError | ValueError) -> str:
    """Return the reason for an error of `read_named`, or for an undecodable file, for a message."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not {error.encoding.upper()}: byte 0x{error.object[error.start]:02x} at offset {error.start}"
    system = getattr(error, "strerror", None)
    return str(system).lower() if system else str(error)
