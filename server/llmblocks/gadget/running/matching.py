"""Patterns in bounded time, because backtracking can take exponential time."""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import IO, Final

from llmblocks.core.system import POSIX
from llmblocks.gadget.running.patterns import pattern

SECONDS: Final = 0.25
"""The processor time for one match."""
_ANSWER_SECONDS = 2.0
"""The time limit for its answer if the processor is busy."""
_READY_SECONDS = 10.0
_MOST_KNOWN = 1024
_PATIENCE = 8
"""After this many slow patterns, no unknown one is tried."""
_MOST_PATHS = 1_000_000
"""The maximum number of paths through a pattern that is tried in this process: some hundredths of a second."""
_ATOM = r"(?:\\[^1-9kpPu]|\\[pP]\{[\w=]+\}|\\u[0-9a-fA-F]{4}|\[(?:[^\]\\\[]|\\[^k])*\]|[^\\\[\](){}*+?|^$])"
_FLAT = re.compile(rf"\^?(?:{_ATOM}(?:(?:[*+?]|\{{\d+(?:,\d*)?\}})\??)?)*\$?")
_QUANTIFIER = re.compile(rf"{_ATOM}([*+?]|\{{\d+(?:,\d*)?\}})?")
Matches = Callable[[str], bool | None]
"""Returns whether a pattern matches a text; None if that takes too long."""


@lru_cache(maxsize=256)
def matcher(source: str, *, again: bool = False) -> Matches:
    """Return `pattern` in bounded time.

    A pattern without groups and with few paths is tried in this process. Every other match runs in another process,
    which ends itself after `SECONDS` of processor time; without timers, it is ended after `_ANSWER_SECONDS`. A pattern
    that took too long is not tried again, unless `again`. Without processes, all matches run here.
    """
    matches = pattern(source)
    choices = _choices(source)

    def bounded(text: str) -> bool | None:
        is_short = choices is not None and (len(text) + 1) ** choices <= _MOST_PATHS
        if is_short or not _HELPER.works:
            return matches(text)
        return _HELPER.match(source, text, again)

    return bounded


def _choices(source: str) -> int | None:
    """Count the places at which a match may continue at any later character; None for a pattern with groups."""
    if not _FLAT.fullmatch(source):
        return None
    starts = not source.startswith("^")
    return starts + sum(1 for found in _QUANTIFIER.finditer(source) if found[1])


class _Helper:
    """The process that matches. It starts on first use, and ends with this process."""

    def __init__(self) -> None:
        self.works = sys.platform != "emscripten" and bool(sys.executable)
        self._process: subprocess.Popen[bytes] | None = None
        self._too_slow: set[str] = set()
        self._quick: set[str] = set()
        self._owner = 0
        self._lock = threading.Lock()

    def match(self, source: str, text: str, again: bool) -> bool | None:
        """Return whether a pattern matches; None if it takes too long, or did so before and is not tried again."""
        is_hopeless = source in self._too_slow or (len(self._too_slow) >= _PATIENCE and source not in self._quick)
        if is_hopeless and not again:
            return None
        with self._lock:
            return self._match(source, text)

    def _match(self, source: str, text: str) -> bool | None:
        try:
            found = self._ask(json.dumps([source, text]).encode() + b"\n")
        except OSError:
            found = None
        if found is None:
            self._end()
            if len(self._too_slow) < _MOST_KNOWN:
                self._too_slow.add(source)
        elif len(self._quick) < _MOST_KNOWN:
            self._quick.add(source)
        return found

    def _ask(self, question: bytes) -> bool | None:
        process = self._process
        if process is None or self._owner != os.getpid() or process.poll() is not None:
            # the parent's process is not ours after a fork
            self._process, self._owner = process, _ = self._start(), os.getpid()
            if self._answer(process, _READY_SECONDS) is None:
                self.works = False
                return None
        assert process.stdin is not None
        process.stdin.write(question)
        process.stdin.flush()
        return self._answer(process, _ANSWER_SECONDS)

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        # our own path, without the working directory: nothing in a project is imported
        path = [each for each in sys.path if each]
        code = f"import sys; sys.path[:] = {path!r}; from llmblocks.gadget.running.matching import serve; serve()"
        return subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @staticmethod
    def _answer(process: subprocess.Popen[bytes], seconds: float) -> bool | None:
        assert process.stdout is not None
        if not POSIX:
            return _answer_of_a_thread(process.stdout, seconds)
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                return None
        found = os.read(process.stdout.fileno(), 1)
        return None if not found else found == b"1"

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    stream.close() if stream else None
            process.wait()


_HELPER = _Helper()


def serve() -> None:
    """Answer questions until the input ends, in the other process."""
    limit = _limited() if POSIX else _unlimited
    out = sys.stdout.buffer
    out.write(b"1")
    out.flush()
    for line in sys.stdin.buffer:
        source, text = json.loads(line)
        limit(SECONDS)
        found = pattern(source)(text)
        limit(0)
        out.write(b"1" if found else b"0")
        out.flush()


def _limited() -> Callable[[float], object]:
    """Return a function that sets the processor time limit of this process; 0 for none."""
    import resource
    import signal

    # an orphan ends by itself in the middle of a match
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    # the signal ends the process even inside compiled code
    return lambda seconds: signal.setitimer(signal.ITIMER_PROF, seconds)


def _unlimited(_: float) -> None:
    """Set no limit: the parent ends this process after `_ANSWER_SECONDS`."""


def _answer_of_a_thread(pipe: IO[bytes], seconds: float) -> bool | None:
    """Read the next byte of a pipe that does not support waiting; None if it does not arrive in time."""
    answers: SimpleQueue[bytes] = SimpleQueue()
    # otherwise the process is ended, and with it the pipe and the thread
    threading.Thread(target=lambda: answers.put(os.read(pipe.fileno(), 1)), daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except Empty:
        return None
    return None if not found else found == b"1"
