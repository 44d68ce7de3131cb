"""The files that commands write, completely or not at all; results as UTF-8; diffs, colours and progress."""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from itertools import product
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TextIO

from llmblocks.cli.files import advice
from llmblocks.cli.source import InputError
from llmblocks.core.system import POSIX

if TYPE_CHECKING:
    from rich.console import Console

# of ANSI, by the beginning of a line: bold for the name of the file, then red, green and cyan
_COLOURS = {"--- ": 1, "+++ ": 1, "-": 31, "+": 32, "@": 36}
_OFF, _ON = "NO_COLOR", "FORCE_COLOR"
"""Variables of the environment that many programs read; one that is empty is not set."""
_SECONDS = 0.1


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
    with data_output(file) as data:
        out = TextIOWrapper(data, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield out
        # the caller closes the file
        out.detach()


@contextmanager
def data_output(file: str | None) -> Iterator[BinaryIO]:
    """Open standard output for bytes, or a stream that replaces a file once complete.

    Raises:
        InputError: The file cannot be written, or is a log or has settings, which no output replaces.
    """
    if file is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
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
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error


def spare(names: Iterable[str], *outputs: str) -> None:
    """Raise `InputError` if an output would replace one of the input files."""
    for name, output in product(names, outputs):
        if is_same(name, output):
            raise InputError(f"{output}: not written: this run reads it; give it another name")


def is_same(name: str, other: str) -> bool:
    """Return whether two names refer to one file; for missing files, to one place."""
    try:
        return os.path.samefile(name, other)
    except OSError:
        return os.path.realpath(name) == os.path.realpath(other)


class Rewrite(NamedTuple):
    """A new text for a file."""

    old: bytes
    """The digest of the old content."""
    text: str

    @classmethod
    def of(cls, old: str, new: str) -> Rewrite:
        """Return the change of a text."""
        return cls(_digest(old.encode("utf-8")), new)


def rewrite(name: str, change: Rewrite, done: str) -> None:
    """Write the new text of a file that a command has changed. `done` names the change in messages.

    Raises:
        InputError: The file cannot be written, or has changed since it was read.
    """
    path = os.path.realpath(name)
    try:
        # a read-only file stays, even if its folder would allow a replacement
        with open(path, "r+b") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(f"{name}: not {done}: it is not a regular file")
            if _digest(file.read()) != change.old:
                raise InputError(f"{name}: not {done}: the file has changed in the meantime; run llmblocks again")
        with replacement(path) as out:
            out.write(change.text.encode("utf-8"))
    except OSError as error:
        raise InputError(f"{name}: not {done}: {error.strerror}{advice(error)}") from error


def _digest(content: bytes) -> bytes:
    from hashlib import blake2b

    return blake2b(content, digest_size=20).digest()


@contextmanager
def replacement(name: str) -> Iterator[BinaryIO]:
    """Open a stream whose content replaces that of a file once complete.

    The new file has the mode and the owner of the old one; for a symbolic link, the target is replaced. A device or a
    pipe is written directly. `OSError`: the file stays unchanged.
    """
    path, old = os.path.realpath(name), None
    with suppress(FileNotFoundError):
        old = os.stat(path)
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(path, "wb") as file:
            yield file
        return
    # short, because the file's name may already have the maximum length
    temporary = os.path.join(os.path.dirname(path), f".llmblocks-{os.urandom(16).hex()}")
    try:
        # an interrupt may occur as soon as the file exists; the umask counts for a new one
        mode = 0o666 if old is None else 0o600
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            os.chmod(temporary, stat.S_IMODE(old.st_mode))
            if POSIX:
                with suppress(PermissionError):
                    os.chown(temporary, old.st_uid, old.st_gid)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def print_diff(text: str) -> None:
    """Write a diff to standard output, in colour on a terminal."""
    if is_coloured(sys.stdout) and console(sys.stdout).color_system is not None:
        lines = [(_COLOURS.get(line[:4]) or _COLOURS.get(line[:1]), line) for line in text.split("\n")]
        text = "\n".join([f"\x1b[{colour}m{line}\x1b[0m" if colour else line for colour, line in lines])
    write_output(text)


def diff(name: str, old: str, new: str) -> str:
    """Return the unified diff of a file."""
    from difflib import unified_diff

    # `splitlines` also splits at characters that are text in a patch
    before, after = (re.findall(r"[^\n]*\n|[^\n]+\Z", text) for text in (old, new))
    found = unified_diff(before, after, name, name)
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found])


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

    # a terminal without colours still has a width, and can be cleared
    shows: dict[str, Any] = {"force_terminal": True} if is_coloured(out) else {"color_system": None}
    return Console(file=out, **shows, **options)


class Progress:
    """A number on standard error, if that is a terminal. While it is closed, anything else can be written."""

    def __init__(self, noun: str, *, quiet: bool) -> None:
        self._noun, self._shows = noun, not quiet and sys.stderr.isatty()
        self._count, self._drawn = 0, time.monotonic()
        self._shown = ""

    def advance(self, by: int = 1) -> None:
        """Count files or texts, and show the number from time to time."""
        self._count += by
        if self._shows and time.monotonic() - self._drawn >= _SECONDS:
            self._shown = f"{self._count} {self._noun}"
            sys.stderr.write(f"\r{self._shown}")
            sys.stderr.flush()
            self._drawn = time.monotonic()

    def close(self) -> None:
        """Erase the number, until it is shown again."""
        if self._shown:
            sys.stderr.write(f"\r{' ' * len(self._shown)}\r")
            self._shown = ""
