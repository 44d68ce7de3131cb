"""Results as UTF-8, on standard output or in a file."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from llmblocks.cli.files import InputError


def write_output(text: str, file: str | None = None) -> None:
    """Write a text unchanged, to a file or to standard output.

    Errors: `InputError` for a file that cannot be written, and for half of a character. A file is written as a whole or
            not at all.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"the result has half of a character at offset {error.start}: UTF-8 cannot hold it") from None
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _replace(os.path.realpath(file), data)
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error


@contextmanager
def replacing(file: str) -> Iterator[TextIO]:
    """A stream of UTF-8 that replaces a file when all has been written.

    Errors: `InputError` for a file that cannot be written: it stays as it was.
    """
    try:
        with _replacing(os.path.realpath(file)) as name, open(name, "w", encoding="utf-8", newline="\n") as out:
            out.reconfigure(errors="backslashreplace")
            yield out
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error


def _replace(path: str, data: bytes) -> None:
    with _replacing(path) as name, open(name, "wb") as file:
        file.write(data)


@contextmanager
def _replacing(path: str) -> Iterator[str]:
    """The name of a temporary file, which replaces another one at the end."""
    if os.path.exists(path) and not os.path.isfile(path):
        # a device or a pipe cannot be replaced
        yield path
        return
    folder, base = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{base}.", dir=folder)
    os.close(handle)
    try:
        yield temporary
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
