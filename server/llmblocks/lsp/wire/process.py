"""The process: its standard streams, and its end when the client has disconnected."""

from __future__ import annotations

import io
import logging
import os
import select
import sys
import time
from collections.abc import Callable
from threading import Thread

from llmblocks.core.system import POSIX
from llmblocks.lsp.wire.channel import Channel, Descriptors

logger = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_GRACE_SECONDS = 1.0
_LAST_ANSWERS_SECONDS = 60.0
# of the Windows API
_SYNCHRONIZE, _ACCESS_DENIED, _WAIT_TIMEOUT = 0x0010_0000, 5, 0x102


def take_stdio() -> Descriptors:
    """Reserve standard input and output for the protocol; other output goes to the log or to stderr.

    Errors: `OSError` if one of them is closed.
    """
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None:
            raise OSError(f"standard {name} is closed: start the server with both pipes open")
    sys.stdout.flush()
    channel = Descriptors(os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno()))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = _Printed()
    return channel


class _Printed(io.TextIOBase):
    """The replacement of `sys.stdout`: each printed line becomes a line of the log."""

    def __init__(self) -> None:
        self._line = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            logger.warning("printed to standard output: %s", line)
        return len(text)


class ClientWatch:
    """Ends the process when its client has died or has closed its end of the output.

    Shape: `on_gone` is called first, with the reason; where the process is still there a second later, it is ended.
           `last_words` takes in all that is left of a closed input, and says whether the client waits for an answer:
           the server then has a minute for it.
    """

    def __init__(self, channel: Channel, on_gone: Callable[[str], None], last_words: Callable[[], bool]) -> None:
        self._channel = channel
        self._on_gone = on_gone
        self._last_words = last_words
        self._process: int | None = None
        self._thread: Thread | None = None

    def start(self, process: int | None = None) -> None:
        """Start to watch; `process` is the client's process id, if known."""
        self._process = process if self._process is None else self._process
        if self._thread is None:
            self._thread = Thread(target=self._run, name="watch", daemon=True)
            self._thread.start()

    def input_ended(self) -> None:
        """End the process in time. Called by the thread that reads, where the input cannot be watched."""
        end_after(self._patience())

    def _patience(self) -> float:
        # what was sent before the end is served, if anybody can wait for it
        return _LAST_ANSWERS_SECONDS if self._last_words() else _GRACE_SECONDS

    def _run(self) -> None:
        poller, reads, writes = None, self._channel.reads, self._channel.writes
        if POSIX:
            poller = select.poll()
            # only errors and hang-ups are asked for: those of the input mean that the client has closed its end
            poller.register(reads, getattr(select, "POLLRDHUP", 0))
            if writes != reads:
                poller.register(writes, 0)
        deadline = float("inf")
        while True:
            if poller is None:
                time.sleep(_LOOK_SECONDS)
            else:
                ready = dict(poller.poll(_LOOK_SECONDS * 1000))
                if ready.get(writes, 0) & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                    self._gone("the client closed its end of the output")
                if reads in ready:
                    deadline = time.monotonic() + self._patience()
                    if writes == reads:
                        poller.modify(reads, 0)
                    else:
                        poller.unregister(reads)
            if self._process is not None and not _is_alive(self._process):
                self._gone(f"the client's process {self._process} has ended")
            if time.monotonic() > deadline:
                end_after(0)

    def _gone(self, reason: str) -> None:
        self._on_gone(reason)
        end_after(_GRACE_SECONDS)


def end_after(seconds: float) -> None:
    """End the process by force, unless it has ended by itself before. Blocks the calling thread."""
    time.sleep(seconds)
    os._exit(1)


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":
        # os.kill would end it
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    if sys.platform == "linux":
        # a process that has ended but that nobody has waited for is no client any more
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stat:
                return stat.read().rpartition(")")[2].split()[:1] != ["Z"]
        except OSError:
            return True
    return True


def _is_alive_on_windows(process: int) -> bool:
    if sys.platform != "win32":
        return True
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(kernel.OpenProcess(_SYNCHRONIZE, False, process))
    if not handle:
        return bool(ctypes.get_last_error() == _ACCESS_DENIED)
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
    finally:
        kernel.CloseHandle(handle)
