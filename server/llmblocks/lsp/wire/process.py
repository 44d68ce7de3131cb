"""What keeps the process clean while it lives, and makes it end when nobody needs it any more."""

from __future__ import annotations

import io
import logging
import os
import select
import sys
import time
from collections.abc import Callable
from threading import Thread
from typing import NamedTuple

logger = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_GRACE_SECONDS = 1.0


class Channel(NamedTuple):
    """The descriptors that belong to the protocol, and to nothing else in this process."""

    read: int
    write: int


def take_stdio() -> Channel:
    """Keep standard input and output for the protocol; whatever else is printed goes to the log or to stderr."""
    sys.stdout.flush()
    channel = Channel(os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno()))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = _Printed()
    return channel


class _Printed(io.TextIOBase):
    """What stands in for `sys.stdout`: each line printed becomes a line of the log."""

    def __init__(self) -> None:
        self._line = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            logger.warning("printed to standard output: %s", line)
        return len(text)


class Watch:
    """Ends the process when its client is gone: its process dead, or its end of the output closed.

    Shape: `on_gone` is called first, with the reason; where the process is still there a second later, it is ended.
    """

    def __init__(self, channel: Channel | None, on_gone: Callable[[str], None]) -> None:
        self._channel = channel
        self._on_gone = on_gone
        self._process: int | None = None
        self._thread: Thread | None = None

    def start(self, process: int | None = None) -> None:
        """Begin to watch; `process` is the client's process id, where it is known."""
        self._process = process if sys.platform != "win32" else None
        if self._thread is None:
            self._thread = Thread(target=self._run, name="watch", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        poller = None
        if self._channel is not None and hasattr(select, "poll"):
            poller = select.poll()
            # no event is asked for: an error or a hang-up is always told
            poller.register(self._channel.write, 0)
            if self._channel.read != self._channel.write:
                poller.register(self._channel.read, getattr(select, "POLLRDHUP", 0))
        while True:
            if poller is None:
                time.sleep(_LOOK_SECONDS)
            elif ready := poller.poll(_LOOK_SECONDS * 1000):
                if self._channel is not None and self._channel.write in dict(ready):
                    self._gone("the client closed its end of the output")
                # whoever reads comes upon the end of the input itself, unless it is too busy to
                end_after(_GRACE_SECONDS)
            if self._process is not None and not _is_alive(self._process):
                self._gone(f"the client's process {self._process} is gone")

    def _gone(self, reason: str) -> None:
        self._on_gone(reason)
        end_after(_GRACE_SECONDS)


def end_after(seconds: float) -> None:
    """End the process by force, unless it has ended by itself before. Blocks the calling thread."""
    time.sleep(seconds)
    os._exit(1)


def _is_alive(process: int) -> bool:
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
