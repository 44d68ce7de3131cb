"""Replacement of files, atomically."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


@contextmanager
def replacement(name: str) -> Iterator[BinaryIO]:
    """A stream whose content replaces that of a file when all has been written.

    Shape:  the new file has the mode and the owner of the old one; of a symbolic link, the target is replaced. A device
            or a pipe is written directly.
    Errors: `OSError`: the file stays as it was.
    """
    path = os.path.realpath(name)
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(path, "wb") as file:
            yield file
        return
    folder, base = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{base}.", dir=folder)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask() if old is None else stat.S_IMODE(old.st_mode))
        if old is not None and hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(temporary, old.st_uid, old.st_gid)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
