"""JavaScript's regular expressions, as used by JSON Schema, in bounded time: backtracking can take exponential time."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from llmblocks.core.system import POSIX

SECONDS: Final = 0.25
"""The processor time for one match."""
_ANSWER_SECONDS = 2.0
"""The time limit for its answer if the processor is busy."""
_READY_SECONDS = 10.0
_MOST_PATHS = 1_000_000
"""The maximum number of paths through a pattern that is tried in this process: some hundredths of a second."""
_HALVES = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=256)
def pattern(source: str) -> Callable[[str], bool]:
    """Return a function that tests whether a pattern of ECMA-262 matches anywhere in a text, in unbounded time.

    It has the flag "u", as JSON Schema requires, unless it is invalid with it, as `\\-` is. `ValueError`: invalid.
    """
    problem = ""
    for flags in ("u", ""):
        try:
            return _compiled(source, flags)
        except ValueError as error:
            problem = problem or str(error)
    raise ValueError(f"{source!r} is not a JavaScript regular expression: {problem}")


if sys.platform == "emscripten":

    def _compiled(source: str, flags: str) -> Callable[[str], bool]:
        """Use JavaScript's engine: a browser has no other."""
        from js import RegExp  # type: ignore[import-not-found]
        from pyodide.ffi import JsException  # type: ignore[import-not-found]

        try:
            expression = RegExp.new(source, flags)
        except JsException as error:
            raise ValueError(str(error)) from None
        return lambda text: bool(expression.test(text))

else:

    def _compiled(source: str, flags: str) -> Callable[[str], bool]:
        try:
            from regress import Regex, RegressError
        except ImportError:
            # the extension of VS Code could not unpack it, and has logged that
            return lambda _: True
        try:
            find = Regex(_without_halves(source), flags).find
        except RegressError as error:
            raise ValueError(str(error)) from None
        return lambda text: find(_without_halves(text)) is not None


def _without_halves(text: str) -> str:
    """Replace lone surrogates, which the library rejects."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


@lru_cache(maxsize=256)
def matcher(source: str) -> Callable[..., bool | None]:
    """Return `pattern` in bounded time: None for a match that takes too long.

    A pattern without groups and with few paths is tried in this process, others in one with a limit. A pattern that
    took too long is not tried again, unless `again`. Without processes, all matches run here.
    """
    matches = pattern(source)
    # at most the places at which a match may continue at any later character
    choices = sum(map(source.count, "*+?{")) + (not source.startswith("^"))
    is_slow = False

    def bounded(text: str, again: bool = False) -> bool | None:
        nonlocal is_slow
        if not _HELPER.works or ("(" not in source and (len(text) + 1) ** choices <= _MOST_PATHS):
            return matches(text)
        if is_slow and not again:
            return None
        found = _HELPER.match(source, text)
        is_slow = is_slow or found is None
        return found

    return bounded


class _Helper:
    """The process that matches. It starts on first use, and ends with this process."""

    def __init__(self) -> None:
        self.works = sys.platform != "emscripten" and bool(sys.executable)
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def match(self, source: str, text: str) -> bool | None:
        """Return whether a pattern matches; None if it takes too long."""
        with self._lock, contextlib.suppress(OSError):
            process = self._process
            if process is None or self._owner != os.getpid() or process.poll() is not None:
                # the parent's process is not ours after a fork
                self._process, self._owner = process, _ = self._start(), os.getpid()
                if not _answer(process, _READY_SECONDS):
                    self.works = False
                    return None
            assert process.stdin is not None
            process.stdin.write(json.dumps([source, text]).encode() + b"\n")
            return {b"1": True, b"0": False}.get(_answer(process, _ANSWER_SECONDS))
        return None

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        # our own path, without the working directory: nothing in a project is imported
        path = [each for each in sys.path if each]
        code = f"import sys; sys.path[:] = {path!r}; from llmblocks.gadget.running.patterns import serve; serve()"
        return subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )


_HELPER = _Helper()


def _answer(process: subprocess.Popen[bytes], seconds: float) -> bytes:
    """Read the next byte of a process; end the process if it does not arrive in time."""
    assert process.stdout is not None
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        found = process.stdout.read(1)
    finally:
        timer.cancel()
    if not found:
        with contextlib.suppress(OSError), process:
            process.kill()  # then closes its pipes, and waits for it
    return found


def serve() -> None:
    """Answer questions until the input ends, in the other process."""
    out = sys.stdout.buffer
    out.write(b"1")
    out.flush()
    for line in sys.stdin.buffer:
        source, text = json.loads(line)
        _limit(SECONDS)
        found = pattern(source)(text)
        _limit(0)
        out.write(b"1" if found else b"0")
        out.flush()


def _limit(seconds: float) -> None:
    """Set the processor time limit of this process; 0 for none. Without timers, the parent ends this process."""
    if POSIX:
        import resource
        import signal

        # an orphan ends by itself in the middle of a match
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        # the signal ends the process even inside compiled code
        signal.setitimer(signal.ITIMER_PROF, seconds)
