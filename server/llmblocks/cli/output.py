"""Results as UTF-8, on standard output or in a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, BinaryIO, TextIO

from llmblocks.cli.replacement import replacement
from llmblocks.cli.source import InputError


def write_output(text: str, file: str | None = None) -> None:
    """Write a text unchanged, to a file or to standard output.

    Errors: `InputError` for a file that cannot be written, and for half of a character. A file is written as a whole or
            not at all.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"the result has half of a surrogate pair at offset {error.start}, which UTF-8 cannot encode"
        ) from None
    write_data(data, file)


def write_data(data: bytes, file: str | None = None) -> None:
    """Write bytes: see `write_output`."""
    with replacing_data(file) as out:
        out.write(data)


def print_json(value: Any, file: str | None = None) -> None:
    """Write a value as ASCII, which is valid in any encoding. A number that is not finite is null, as in JavaScript."""
    # a check prints none
    import json

    from llmblocks.json5.finite import finite

    with text_output(file) as out:
        json.dump(finite(value), out, indent=2, allow_nan=False)
        out.write("\n")


@contextmanager
def text_output(file: str | None) -> Iterator[TextIO]:
    """Standard output, or a stream that replaces a file when all has been written. Errors: see `replacing`."""
    if file is None:
        yield sys.stdout
    else:
        with replacing(file) as out:
            yield out


def check_folder(file: str) -> None:
    """Errors: `InputError` if there is no folder for a file that is written later."""
    if not os.path.isdir(os.path.dirname(file) or os.curdir):
        raise InputError(f"{file}: cannot be written: there is no such folder")


class Output:
    """Bytes for a file, None for standard output. Errors: `InputError` names a file that they cannot be written to."""

    def __init__(self, data: BinaryIO, file: str | None) -> None:
        self._data, self._file = data, file

    def write(self, data: bytes) -> None:
        """Write some more."""
        try:
            self._data.write(data)
        except OSError as error:
            if self._file is None:
                raise
            raise _unwritten(self._file, error) from error


@contextmanager
def replacing_data(file: str | None) -> Iterator[Output]:
    """An output that replaces a file when all has been written; without one, standard output.

    Errors: `InputError` for a file that cannot be written: it stays as it was.
    """
    if file is None:
        sys.stdout.flush()
        yield Output(sys.stdout.buffer, None)
        sys.stdout.buffer.flush()
        return
    with _replaced(file) as data:
        yield Output(data, file)


def spare(output_file: str, names: Iterable[str]) -> None:
    """Errors: `InputError` if an output would replace one of the files that a run reads."""
    for name in names:
        if is_same(name, output_file):
            raise InputError(f"{output_file}: not written: this run reads it; give it another name")


def is_same(name: str, other: str) -> bool:
    """Return whether two names are those of one file; of files that are not there, whether they lead to one place."""
    try:
        return os.path.samefile(name, other)
    except OSError:
        return os.path.realpath(name) == os.path.realpath(other)


def _unwritten(file: str, error: OSError) -> InputError:
    return InputError(f"{file}: cannot be written: {error.strerror}")


@contextmanager
def replacing(file: str) -> Iterator[TextIO]:
    """A stream of UTF-8 that replaces a file when all has been written.

    Errors: `InputError` for a file that cannot be written: it stays as it was.
    """
    with _replaced(file) as data:
        out = TextIOWrapper(data, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield out
        # the file is closed by who opened it
        out.detach()


@contextmanager
def _replaced(file: str) -> Iterator[BinaryIO]:
    """Errors: `InputError` for what is an output of nobody, a log or settings, and for what cannot be written."""
    from llmblocks.settings.nearest import NAMES
    from llmblocks.workspace.log_place import file_number

    name = os.path.basename(os.path.realpath(file))
    if os.path.exists(file) and (name in NAMES or file_number(name) is not None):
        what = "it has settings" if name in NAMES else "it is a log of a session"
        raise InputError(f"{file}: not written: {what}; give the output another name")
    try:
        with replacement(file) as data:
            yield data
    except OSError as error:
        raise _unwritten(file, error) from error
