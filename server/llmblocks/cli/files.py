"""Which files are meant, what language each is of, and what stands in them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from llmblocks.languages.registry import language_of

STDIN = "-"
_HIDDEN_BUT_READ = ".llmist"
_NOT_READ = frozenset(("node_modules", "__pycache__"))


class InputError(Exception):
    """A file that cannot be checked: the message names it, says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with its language. Shape: `name` is the path as it was given, or where it was found."""

    name: str
    language_id: str


def find(names: Sequence[str], language_id: str | None) -> Iterator[Source | InputError]:
    """The files that are meant, each once, those of a folder in the order of their names.

    Shape: a name that was given is read whatever it is, in the language `language_id` or its own; of a folder only
           what has a name that tells a language, and nothing hidden but `.llmist`.
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


def read(source: Source) -> str:
    """The text of a file, character for character as it stands there. Errors: `InputError`."""
    try:
        data = sys.stdin.buffer.read() if source.name == STDIN else Path(source.name).read_bytes()
    except OSError as error:
        raise InputError(f"{source.name}: cannot be read: {error.strerror}{_advice(error)}") from error
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
            found = language_of(os.path.abspath(path))
            if found is not None and not name.startswith("."):
                yield Source(path, language_id or found)
    for error in unread:
        yield InputError(f"{error.filename}: cannot be read: {error.strerror}{_advice(error)}")


def _no_language(name: str) -> str:
    known = "gadget, stf or custom-blocks"
    if name == STDIN:
        return f"standard input has no name that tells its language; say --language with {known}"
    if not os.path.exists(name):
        return f"{name}: no such file"
    return f"{name}: its name tells no language (.gadget, .stf and .blocks do); say --language with {known}"


def _advice(error: OSError) -> str:
    return "; check its permissions" if isinstance(error, PermissionError) else ""


def _likely_encoding(data: bytes) -> str:
    return "UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "WINDOWS-1252"
