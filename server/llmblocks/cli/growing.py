"""Growing files: appended text is read once, and the system reports changes."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from llmblocks.cli.source import InputError

_CHUNK = 1 << 16
_REMEMBERED = 1 << 10
"""The number of bytes by which a replaced file is detected: its first ones, or the last ones read."""
_WAIT_MS, _QUIET_MS = 100, 50


def changes(folders: Sequence[str], *, recursive: bool, by: str) -> Iterator[set[str]]:
    """Yield the changed paths repeatedly, until Ctrl-C; at first and after each pause, none.

    Raises:
        InputError: The library for `by` is not installed, or a folder does not exist.
    """
    try:
        from watchfiles import DefaultFilter, watch
    except ImportError:
        raise InputError(
            f"{by} needs the package watchfiles; install it with: pip install 'llmblocks[watch]'"
        ) from None
    if missing := [folder for folder in folders if not os.path.isdir(folder)]:
        raise InputError(f"{missing[0]}: no such folder")
    watched = watch(
        *folders,
        watch_filter=DefaultFilter(),
        step=_QUIET_MS,
        rust_timeout=_WAIT_MS,
        yield_on_timeout=True,
        recursive=recursive,
        ignore_permission_denied=True,
    )
    return ({path for _, path in found} for found in watched)


class GrowingFile:
    """A file that another program writes.

    Reading raises `OSError`, or `UnicodeDecodeError` if it is not UTF-8.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._begin(None)

    def _begin(self, identity: tuple[int, int] | None) -> None:
        self._identity = identity
        self._at = 0
        self._first = self._last = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def appended(self) -> Iterator[str | None]:
        """Yield the text appended since the last call. None precedes a text that has replaced another."""
        with open(self._path, "rb") as file:
            status = os.fstat(file.fileno())
            identity = status.st_dev, status.st_ino
            if self._identity not in (None, identity) or not self._goes_on(file):
                self._begin(identity)
                yield None
            self._identity = identity
            file.seek(self._at)
            while data := file.read(_CHUNK):
                self._at += len(data)
                self._first = (self._first + data)[:_REMEMBERED] if len(self._first) < _REMEMBERED else self._first
                self._last = (self._last + data)[-_REMEMBERED:]
                # half of a character is still arriving
                text = self._decoder.decode(data)
                if text:
                    yield text

    def _goes_on(self, file: BinaryIO) -> bool:
        """Return whether a file still begins with the text read before, judging by its first and last bytes."""
        for start, known in ((0, self._first), (self._at - len(self._last), self._last)):
            file.seek(start)
            if file.read(len(known)) != known:
                return False
        return True
