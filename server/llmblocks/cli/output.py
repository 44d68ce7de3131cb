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
    """Write a text unchanged, to a file or to standard output. A file is written completely or not at all.

    Raises:
        InputError: The file cannot be written, or the text contains half of a character.
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
    """Write a value as ASCII, which is valid in any encoding. A number that is not finite is null, as in JavaScript.

    Raises:
        InputError: It is nested too deeply.
    """
    # a check prints none
    import json

    from llmblocks.json5.finite import finite

    with text_output(file) as out:
        try:
            json.dump(finite(value), out, indent=2, allow_nan=False)
        except RecursionError:
            raise InputError("a value is nested too deeply to be written as JSON") from None
        out.write("\n")


@contextmanager
def text_output(file: str | None) -> Iterator[TextIO]:
    """Open standard output, or a stream that replaces a file once complete. For errors see `replacing`."""
    if file is None:
        yield sys.stdout
    else:
        with replacing(file) as out:
            yield out


def check_folder(file: str) -> None:
    """Raise `InputError` if the folder of a future file does not exist."""
    if not os.path.isdir(os.path.dirname(file) or os.curdir):
        raise InputError(f"{file}: cannot be written: its folder does not exist")


class Output:
    """Bytes for a file, None for standard output. `InputError` names a file that cannot be written."""

    def __init__(self, data: BinaryIO, file: str | None) -> None:
        self._data, self._file = data, file

    def write(self, data: bytes) -> None:
        """Write more bytes."""
        try:
            self._data.write(data)
        except OSError as error:
            if self._file is None:
                raise
            raise _unwritten(self._file, error) from error


@contextmanager
def replacing_data(file: str | None) -> Iterator[Output]:
    """Open an output that replaces a file once complete; without one, standard output.

    Raises:
        InputError: The file cannot be written: it stays unchanged.
    """
    if file is None:
        sys.stdout.flush()
        yield Output(sys.stdout.buffer, None)
        sys.stdout.buffer.flush()
        return
    with _replaced(file) as data:
        yield Output(data, file)


def spare(output_file: str, names: Iterable[str]) -> None:
    """Raise `InputError` if an output would replace one of the input files."""
    for name in names:
        if is_same(name, output_file):
            raise InputError(f"{output_file}: not written: this run reads it; give it another name")


def is_same(name: str, other: str) -> bool:
    """Return whether two names refer to one file; for missing files, to one place."""
    try:
        return os.path.samefile(name, other)
    except OSError:
        return os.path.realpath(name) == os.path.realpath(other)


def _unwritten(file: str, error: OSError) -> InputError:
    return InputError(f"{file}: cannot be written: {error.strerror}")


@contextmanager
def replacing(file: str) -> Iterator[TextIO]:
    """Open a UTF-8 stream that replaces a file once complete.

    Raises:
        InputError: The file cannot be written: it stays unchanged.
    """
    with _replaced(file) as data:
        out = TextIOWrapper(data, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield out
        # the caller closes the file
        out.detach()


@contextmanager
def _replaced(file: str) -> Iterator[BinaryIO]:
    """Open a file for replacement.

    Raises:
        InputError: It is a log or a settings file, which are never outputs, or cannot be written.
    """
    from llmblocks.settings.files import NAMES
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
