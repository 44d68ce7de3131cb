"""The end of the process after that of its client."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

_LOOK_SECONDS = 0.5
GRACE_SECONDS = 1.0
LAST_ANSWERS_SECONDS = 60.0
"""The time to answer the requests sent before the input ended."""
# from the Windows API
_SYNCHRONIZE, _ACCESS_DENIED, _WAIT_TIMEOUT = 0x0010_0000, 5, 0x102


def wake_for_interrupts(loop: asyncio.AbstractEventLoop) -> None:
    """Let an interrupt wake the loop of the main thread, even if the system delivers it to another thread.

    The handler of interrupts is unchanged. Source: `signal.set_wakeup_fd`, which `add_signal_handler` calls.
    """
    handler = signal.getsignal(signal.SIGINT)
    # Windows wakes the loop itself, and interrupts only the main thread
    with suppress(NotImplementedError, RuntimeError):
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        signal.signal(signal.SIGINT, handler)


class ClientWatch:
    """Ends the process when its client has died or closed its end of the output: pygls survives both (#130).

    `on_gone` is called first, with the reason; if the process is still alive a second later, it is ended. `writes` is
    the descriptor of the output, if its end must be watched; `process` is the client's.
    """

    def __init__(self, on_gone: Callable[[str], None], writes: int | None, process: int | None) -> None:
        self._on_gone = on_gone
        self._writes = writes
        self.process = process
        Thread(target=self._run, name="watch", daemon=True).start()

    def _run(self) -> None:
        poller = None
        if self._writes is not None and hasattr(select, "poll"):
            poller = select.poll()
            # only errors and hang-ups are requested
            poller.register(self._writes, 0)
        while True:
            if poller is None:
                time.sleep(_LOOK_SECONDS)
            elif poller.poll(_LOOK_SECONDS * 1000):
                self._gone("the client closed its end of the output")
            if self.process is not None and not _is_alive(self.process):
                self._gone(f"the client's process {self.process} has ended")

    def _gone(self, reason: str) -> None:
        self._on_gone(reason)
        end_after(GRACE_SECONDS)


def end_after(seconds: float) -> None:
    """End the process by force, unless it ends by itself before. Blocks the calling thread."""
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
        # a process that has ended but was not waited for no longer counts as a client
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
