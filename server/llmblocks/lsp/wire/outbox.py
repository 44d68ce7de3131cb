"""What goes to the client, written without ever making the server wait."""

from __future__ import annotations

import logging
import os
import socket
import stat
import sys
from collections.abc import Callable
from threading import Condition, Thread

logger = logging.getLogger(__name__)
_PIPE_BYTES = 1 << 20


class Outbox:
    """A byte sink over a file descriptor.

    A message that the pipe takes at once is written on the spot; everything else goes to a thread of its own, so that
    a client that does not read stops nothing here. Of messages put with the same key, only the newest still waits.

    Shape: `on_closed` is called once, from whichever thread finds that nobody reads any more.
    """

    def __init__(self, descriptor: int, on_closed: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_closed = on_closed
        self._write_now = _immediate(descriptor)
        self._queue: dict[object, bytes] = {}
        self._changed = Condition()
        self._busy = False
        self._closed = False
        self._finishing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(self, body: bytes, key: object = None) -> None:
        """Send one message. Errors: none; what cannot be sent any more is dropped."""
        data = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        with self._changed:
            if self._closed:
                return
            if self._write_now is not None and not self._queue and not self._busy:
                try:
                    sent = self._write_now(data)
                except BlockingIOError:
                    sent = 0
                except OSError:
                    self._close()
                    return
                if sent == len(data):
                    return
                # the rest of a message that is half out must go first: it takes a place that nothing replaces
                data = data[sent:]
                key = None if sent else key
            slot = object() if key is None else key
            self._queue.pop(slot, None)
            self._queue[slot] = data
            self._changed.notify()

    def finish(self, seconds: float) -> None:
        """Wait until everything is written, but no longer than this."""
        with self._changed:
            self._finishing = True
            self._changed.notify()
        self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._queue:
                    if self._closed or self._finishing:
                        return
                    self._changed.wait()
                data = self._queue.pop(next(iter(self._queue)))
                self._busy = True
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._descriptor, view) :]
            except OSError:
                with self._changed:
                    self._close()
                return
            finally:
                self._busy = False

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            self._queue.clear()
            self._changed.notify()
            self._on_closed()


def _immediate(descriptor: int) -> Callable[[bytes], int] | None:
    """A write that takes what fits and never blocks, for the kinds of descriptor that have one.

    The descriptor itself must not be made non-blocking: its description may be shared with other processes.
    """
    if sys.platform == "win32":
        return None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISSOCK(mode):
        duplicate = socket.socket(fileno=os.dup(descriptor))
        return lambda data: duplicate.send(data, socket.MSG_DONTWAIT)
    if stat.S_ISFIFO(mode) and sys.platform == "linux":
        import fcntl

        try:
            # opening it anew gives a description of our own
            own = os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.fcntl(own, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        except OSError:
            logger.debug("the pipe to the client keeps its size")
        return lambda data: os.write(own, data)
    return None
