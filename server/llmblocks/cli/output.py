"""Results as UTF-8, on standard output or in a file written completely or not at all; colours, and a progress bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from llmblocks.cli.replacement import replacement
from llmblocks.cli.source import InputError

if TYPE_CHECKING:
    from rich.console import Console


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


_OFF, _ON = "NO_COLOR", "FORCE_COLOR"
"""Variables of the environment that many programs read; one that is empty is not set."""
_SECONDS = 0.1


def set_color(choice: str) -> None:
    """Let an option override the environment. `choice` is one of the choices of `--color`."""
    if choice != "auto":
        set_one, other = (_OFF, _ON) if choice == "never" else (_ON, _OFF)
        os.environ[set_one] = "1"
        # an empty FORCE_COLOR would mean "not a terminal" to rich
        os.environ.pop(other, None)


def is_coloured(out: TextIO) -> bool:
    """Return whether an output is coloured."""
    return not os.environ.get(_OFF) and (bool(os.environ.get(_ON)) or out.isatty())


def console(out: TextIO, **options: Any) -> Console:
    """Return a console for an output, without escapes if colours are off."""
    from rich.console import Console

    if is_coloured(out):
        return Console(file=out, force_terminal=True, **options)
    # a terminal without colours still has a width, and can be cleared
    return Console(file=out, color_system=None, **options)


class Bar:
    """A progress bar on standard error, hidden while anything else is written."""

    def __init__(self, noun: str = "files") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = BarColumn(20), TextColumn(f"{{task.completed}} {noun}")
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self._task = self._progress.add_task("check", total=None)
        self._count, self._drawn = 0, monotonic()

    def advance(self, by: int = 1) -> None:
        """Count one or several files."""
        self._count += by
        if monotonic() - self._drawn >= _SECONDS:
            self._progress.start()
            self._progress.update(self._task, completed=self._count, refresh=True)
            self._drawn = monotonic()

    def hide(self) -> None:
        """Erase the bar, until it is drawn again."""
        self._progress.stop()


@contextmanager
def progress(noun: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal while a block runs, which passes the function the counts."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = Bar(noun)
    try:
        yield bar.advance
    finally:
        bar.hide()
