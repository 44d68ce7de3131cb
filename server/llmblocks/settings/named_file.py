"""A file that settings name, or that contains some: it may be anything, of any size."""

from __future__ import annotations

import os
import stat


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
