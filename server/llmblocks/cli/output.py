"""Results as UTF-8, on standard output or in a file that is written completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, BinaryIO, TextIO

from llmblocks.cli.colours import console, is_coloured
from llmblocks.cli.replacement import replacement
from llmblocks.cli.source import InputError

# of ANSI, by the beginning of a line: bold for the name of the file, then red, green and cyan
_COLOURS = {"--- ": 1, "+++ ": 1, "-": 31, "+": 32, "@": 36}


def write_output(result: str | bytes, file: str | None = None) -> None:
    """Write a result unchanged, to a file or to standard output.

    Raises:
        InputError: The file cannot be written, or the text contains half of a character.
    """
    try:
        data = result if isinstance(result, bytes) else result.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"the result has half of a surrogate pair at offset {error.start}, which UTF-8 cannot encode"
        ) from None
    with data_output(file) as out:
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
    """Open standard output, or a stream that replaces a file once complete; see `data_output`."""
    if file is None:
        yield sys.stdout
        return
    with _replaced(file) as data:
        out = TextIOWrapper(data, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield out
        # the caller closes the file
        out.detach()


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
def data_output(file: str | None) -> Iterator[Output]:
    """Open standard output, or an output that replaces a file once complete.

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


@contextmanager
def _replaced(file: str) -> Iterator[BinaryIO]:
    """Open a file for replacement, except logs and settings files, which are never outputs."""
    from llmblocks.settings.files import NAMES
    from llmblocks.workspace.listing import file_number

    name = os.path.basename(os.path.realpath(file))
    if os.path.exists(file) and (name in NAMES or file_number(name) is not None):
        what = "it has settings" if name in NAMES else "it is a log of a session"
        raise InputError(f"{file}: not written: {what}; give the output another name")
    try:
        with replacement(file) as data:
            yield data
    except OSError as error:
        raise _unwritten(file, error) from error


def _unwritten(file: str, error: OSError) -> InputError:
    return InputError(f"{file}: cannot be written: {error.strerror}")


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


def print_diff(text: str) -> None:
    """Write a diff to standard output, in colour on a terminal."""
    if is_coloured(sys.stdout) and console(sys.stdout).color_system is not None:
        text = "\n".join(map(_coloured, text.split("\n")))
    write_output(text)


def _coloured(line: str) -> str:
    colour = _COLOURS.get(line[:4]) or _COLOURS.get(line[:1])
    return f"\x1b[{colour}m{line}\x1b[0m" if colour else line


def diff(name: str, old: str, new: str) -> str:
    """Return the unified diff of a file."""
    from difflib import unified_diff

    found = unified_diff(_lines(old), _lines(new), name, name)
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found])


def _lines(text: str) -> list[str]:
    # `splitlines` also splits at characters that are text in a patch
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
