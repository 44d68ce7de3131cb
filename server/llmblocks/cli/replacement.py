"""The only module that writes files of users: each completely, or not at all."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple

from llmblocks.cli.files import advice
from llmblocks.cli.source import InputError
from llmblocks.core.system import POSIX, WINDOWS

DIGEST_SIZE = 20


class Rewrite(NamedTuple):
    """A new text for a file."""

    old: bytes
    """The digest of the old content."""
    text: str

    @classmethod
    def of(cls, old: str, new: str) -> Rewrite:
        """Return the change of a text."""
        return cls(digest_of(old.encode("utf-8")), new)


def rewrite(name: str, change: Rewrite, done: str) -> None:
    """Write the new text of a file that a command has changed. `done` names the change in messages.

    Raises:
        InputError: The file cannot be written, or has changed since it was read.
    """
    path = os.path.realpath(name)
    try:
        # a read-only file stays, even if its folder would allow a replacement
        with open(path, "r+b") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError(f"{name}: not {done}: it is not a regular file")
            content, new = file.read(), change.text.encode("utf-8")
            if content == new and status.st_nlink > 1:
                # it was written under another name
                return
            if digest_of(content) != change.old:
                raise InputError(f"{name}: not {done}: the file has changed in the meantime; run llmblocks again")
        with replacement(path) as out:
            out.write(new)
    except OSError as error:
        raise InputError(f"{name}: not {done}: {error.strerror}{advice(error)}") from error


def digest_of(content: bytes) -> bytes:
    """Return a digest of the content of a file."""
    from hashlib import blake2b

    return blake2b(content, digest_size=DIGEST_SIZE).digest()


@contextmanager
def replacement(name: str) -> Iterator[BinaryIO]:
    """Open a stream whose content replaces that of a file once complete.

    The new file has the mode and the owner of the old one; for a symbolic link, the target is replaced. A file with
    several names keeps them. A device or a pipe is written directly. `OSError`: the file stays unchanged.
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
    # short, because the file's name may already have the maximum length
    temporary = os.path.join(os.path.dirname(path), f".llmblocks-{os.urandom(16).hex()}")
    try:
        # an interrupt may occur as soon as the file exists
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if old is not None and old.st_nlink > 1:
            _copy(temporary, path)
            os.unlink(temporary)
            return
        os.chmod(temporary, 0o666 & ~_umask() if old is None else stat.S_IMODE(old.st_mode))
        if old is not None and POSIX:
            with suppress(PermissionError):
                os.chown(temporary, old.st_uid, old.st_gid)
        _put(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _copy(source: str, path: str) -> None:
    """Write the content of a file into another one, which keeps its identity. `OSError`: it is unchanged."""
    with open(source, "rb") as new, open(path, "r+b") as file:
        old = file.read()
        try:
            _overwrite(file, new.read())
        except BaseException:
            _overwrite(file, old)
            raise


def _overwrite(file: BinaryIO, content: bytes) -> None:
    file.seek(0)
    file.write(content)
    file.truncate()
    file.flush()
    os.fsync(file.fileno())


def _put(temporary: str, path: str, *, windows: bool = WINDOWS) -> None:
    """Replace a file. On Windows, a virus scanner or an indexer may lock either for a moment."""
    for wait in (0.01, 0.02, 0.05, 0.1, 0.2) if windows else ():
        try:
            os.replace(temporary, path)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    os.replace(temporary, path)


def remove(name: str) -> None:
    """Remove a file that an earlier command has written. Raises `OSError`."""
    os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
