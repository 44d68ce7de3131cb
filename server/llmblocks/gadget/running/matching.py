"""Patterns with a limit on their time: backtracking can take exponential time."""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from llmblocks.gadget.running.patterns import pattern

SECONDS: Final = 0.25
"""The processor time for one match."""
_ANSWER_SECONDS = 2.0
"""The time for its answer, where the processor is busy with others."""
_READY_SECONDS = 10.0
_SHORT = 14
_LONG = 1000
_MOST_TOO_SLOW = 256
_UNBOUNDED = re.compile(r"(?<!\\)(?:\\\\)*[*+]|\{\d+,\}|\\[1-9]|\\k<")


@lru_cache(maxsize=256)
def timed_pattern(source: str) -> Callable[[str], bool]:
    """`pattern`, but true for a text on which it takes too long.

    A match that may take long is done in another process, which ends itself after `SECONDS`. A pattern that took too
    long is not tried on long texts again. Where processes cannot be waited for, all matches are done here.
    """
    matches = pattern(source)
    repeats = len(_UNBOUNDED.findall(source))

    def timed(text: str) -> bool:
        if len(text) <= _SHORT or (repeats < 2 and len(text) <= _LONG) or not _HELPER.works:
            return matches(text)
        return _HELPER.match(source, text)

    return timed


class _Helper:
    """The process that matches. It is started when first needed, and ends with this process."""

    def __init__(self) -> None:
        self.works = os.name == "posix" and sys.platform != "emscripten" and bool(sys.executable)
        self._process: subprocess.Popen[bytes] | None = None
        self._too_slow: set[str] = set()

    def match(self, source: str, text: str) -> bool:
        """Whether a pattern matches; true if it takes too long."""
        if source in self._too_slow:
            return True
        try:
            found = self._ask(json.dumps([source, text]).encode() + b"\n")
        except OSError:
            found = None
        if found is None:
            self._end()
            if len(self._too_slow) == _MOST_TOO_SLOW:
                self._too_slow.clear()
            self._too_slow.add(source)
        return found is not False

    def _ask(self, question: bytes) -> bool | None:
        process = self._process
        if process is None or process.poll() is not None:
            self._process = process = self._start()
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
    """The other process: answers questions until its input ends."""
    import resource
    import signal

    # an orphan in the middle of a match ends by itself
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    out = sys.stdout.buffer
    out.write(b"1")
    out.flush()
    for line in sys.stdin.buffer:
        source, text = json.loads(line)
        # the signal ends the process, also inside of compiled code
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        found = pattern(source)(text)
        signal.setitimer(signal.ITIMER_PROF, 0)
        out.write(b"1" if found else b"0")
        out.flush()
