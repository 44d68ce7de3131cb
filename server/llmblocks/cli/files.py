"""The files to check: their names, their languages, their text."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from llmblocks.languages.registry import language_ids, language_of
from llmblocks.settings.nearest import NAME

STDIN = "-"
_HIDDEN_BUT_READ = ".llmist"
_PIECE = 1 << 20
_NOT_READ = frozenset(("node_modules", "__pycache__"))


class InputError(Exception):
    """A file that cannot be checked: the message names it, says why, and what to do."""


class Source(NamedTuple):
    """A file with its language. Shape: `name` is the path as it was given, or where it was found."""

    name: str
    language_id: str


def find(names: Sequence[str], language_id: str | None) -> Iterator[Source | InputError]:
    """The files that are meant, each once, those of a folder in the order of their names.

    Shape: a name that was given is read whatever it is, in the language `language_id` or its own; of a folder every
           regular file if there is a `language_id`, else those whose names tell a language, and nothing hidden but
           `.llmist`.
    """
    seen: set[str] = set()
    for name in names:
        if os.path.isdir(name):
            for found in _walk(name, language_id):
                if isinstance(found, InputError):
                    yield found
                elif (identity := os.path.realpath(found.name)) not in seen:
                    seen.add(identity)
                    yield found
            continue
        identity = name if name == STDIN else os.path.realpath(name)
        if identity in seen:
            continue
        seen.add(identity)
        # the place counts, not only what was typed: `llmblocks check 0007.response` inside a folder of logs
        language = language_id or language_of(name if name == STDIN else os.path.abspath(name))
        if language is None:
            yield InputError(_no_language(name))
        else:
            yield Source(name, language)


def read(source: Source, most_mb: float) -> str:
    """The text of a file, character for character as it stands there. Errors: `InputError`, also for a larger file."""
    try:
        if source.name == STDIN:
            if sys.stdin is None:
                # Python has no stream for what was closed when it started
                raise InputError(f"{STDIN}: standard input is closed")
            data = _read(sys.stdin.buffer, most_mb * 1e6)
        else:
            with open(source.name, "rb") as file:
                data = _read(file, most_mb * 1e6)
    except OSError as error:
        raise InputError(f"{source.name}: cannot be read: {error.strerror}{_advice(error)}") from error
    if data is None:
        raise InputError(f"{source.name}: larger than {most_mb:g} MB; raise files.maxSizeMB in {NAME} to check it")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{source.name}:{line}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}; convert the "
            f"file first, for example with: iconv -f {_likely_encoding(data)} -t UTF-8"
        ) from error


def _walk(folder: str, language_id: str | None) -> Iterator[Source | InputError]:
    unread: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=unread.append):
        folders[:] = sorted(
            name for name in folders if name not in _NOT_READ and (name[0] != "." or name == _HIDDEN_BUT_READ)
        )
        for name in sorted(files):
            path = os.path.join(parent, name)
            found = language_id or language_of(os.path.abspath(path))
            if found is not None and not name.startswith(".") and not _is_special(path):
                yield Source(path, found)
    for error in unread:
        yield InputError(f"{error.filename}: cannot be read: {error.strerror}{_advice(error)}")


def _no_language(name: str) -> str:
    *others, last = language_ids()
    known = f"{', '.join(others)} or {last}"
    if name == STDIN:
        return f"standard input has no name that tells the language; pass --language with {known}"
    if not os.path.exists(name):
        return f"{name}: no such file"
    return f"{name}: cannot tell the language from the name; pass --language with {known}"


def _is_special(path: str) -> bool:
    """Whether reading it may never end: a pipe, a socket or a device."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        # a broken link, for example: reading it says what is wrong
        return False


def _read(file: BinaryIO, most: float) -> bytes | None:
    """All that a file holds, None if that is too much; of what has no end no more is read than is allowed."""
    pieces, size = [], 0
    # a file as long as is allowed must not be in memory twice: joining one piece copies nothing
    while piece := file.read(_PIECE if size else _length(file, most)):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            return None
    return b"".join(pieces)


def _length(file: BinaryIO, most: float) -> int:
    """How much to read at first."""
    try:
        size = os.fstat(file.fileno()).st_size
    except OSError:
        return _PIECE
    return min(size, int(most)) + 1


def _advice(error: OSError) -> str:
    return "; check its permissions" if isinstance(error, PermissionError) else ""


def _likely_encoding(data: bytes) -> str:
    return "UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "WINDOWS-1252"
