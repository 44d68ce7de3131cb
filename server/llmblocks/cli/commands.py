"""The run of a command: signals, closed streams and errors."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from llmblocks import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_INTERRUPTED = 130
_FAILED = 2
OBJECTS_BEFORE_A_COLLECTION = 50_000


def main(arguments: Sequence[str]) -> int:
    """Run a command, and return the exit status."""
    if [*arguments[:1]] == ["server"]:
        # an editor handles closed streams and signals differently
        from llmblocks.cli.arguments import load, parse

        status: int = load("server", "main")(*parse(arguments))
        return status
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        # Python has no stream if the descriptor was closed at the start
        return _fail("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            # escapes for characters that the terminal cannot show, instead of a traceback
            reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(arguments)
        finally:
            # here, not when Python exits: a write error is reported in one line
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        # keep Python from writing the rest, and from reporting an error, at exit
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
            # the reader of the output has exited
            return _FAILED
        return _fail(error.strerror or str(error))


def _run(arguments: Sequence[str]) -> int:
    if tuple(arguments) == ("--version",):
        # for editors and scripts, without the argument parser, which loads all rules
        sys.stdout.write(f"llmblocks {__version__}\n")
        return 0
    if [*arguments[:1]] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    # loaded modules stay: garbage collection of them would cost a tenth of a short run
    gc.set_threshold(OBJECTS_BEFORE_A_COLLECTION)
    from llmblocks.cli.arguments import parse

    given, parser = parse(arguments)
    if given.command is None:
        parser.print_help()
        return 0
    return _until_a_signal(lambda: _command(given, parser))


def _command(given: Namespace, parser: ArgumentParser) -> int:
    """Run a command. An input or output error ends it with one line."""
    from llmblocks.cli.arguments import load
    from llmblocks.cli.source import InputError

    if "color" in given:
        from llmblocks.cli.output import set_color

        set_color(given.color)
    try:
        status: int = load(given.command, "main")(given, parser)
        return status
    except (InputError, OSError) as error:
        # without a file, the reader of the output has exited, for example
        if isinstance(error, OSError) and error.filename is None:
            raise
        reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
    return _fail(reason, given.command)


def _until_a_signal(command: Callable[[], int]) -> int:
    """Run a command.

    A signal that ends the process exits its blocks first, like Ctrl-C, so that files are never half written.
    """
    import signal

    received: list[int] = []

    def end(number: int, _: object) -> None:
        received.append(number)
        raise SystemExit

    # signals can only be changed in the first thread
    with suppress(ValueError):
        for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            # `nohup` has it ignored
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, end)
    try:
        return command()
    except BaseException:
        if not received:
            raise
    # end as it would have without us, and without waiting for a reader of the output; but not sooner: a block that was
    # being entered or left ends when the exception is gone, and with it the frames that hold the block
    signal.signal(received[0], signal.SIG_DFL)
    signal.raise_signal(received[0])
    return _FAILED


def _fail(reason: str, command: str = "") -> int:
    with suppress(OSError):
        sys.stderr.write(f"{f'llmblocks {command}'.strip()}: {reason}\n")
    return _FAILED
