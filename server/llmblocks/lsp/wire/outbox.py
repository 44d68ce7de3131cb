"""The output to the client, written without blocking the server."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread

from llmblocks.lsp.wire.channel import Channel
from llmblocks.lsp.wire.limits import MAX_UNREAD_BYTES

Frame = Callable[[bytes], bytes]
_PIECE = 1 << 18


class Outbox:
    """Messages on their way to the client.

    A message that the channel takes at once is written on the spot; everything else goes to a thread of its own, so
    that a client that stops reading cannot block the server. Of messages put with the same key, only the newest still
    waits.

    Shape: `frame` makes the bytes of a message; `on_closed` is called once, from whichever thread finds that nobody
           reads any more.
    """

    def __init__(self, channel: Channel, frame: Frame, on_closed: Callable[[], None]) -> None:
        self._channel = channel
        self._frame = frame
        self._on_closed = on_closed
        self._queue: dict[object, bytes] = {}
        self._bytes = 0
        self._changed = Condition()
        self._busy = False
        self._closed = False
        self._finishing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(self, body: bytes, key: object = None) -> None:
        """Send a message. Errors: none; after the client's end, messages are dropped."""
        self.put_framed(self._frame(body), key)

    def put_framed(self, data: bytes, key: object = None) -> None:
        """Send bytes that need no frame."""
        with self._changed:
            if self._closed:
                return
            if self._channel.write_now is not None and not self._queue and not self._busy:
                try:
                    sent = self._channel.write_now(data)
                except BlockingIOError:
                    sent = 0
                except OSError:
                    self._close()
                    return
                if sent == len(data):
                    return
                # the rest of a half-written message goes first, under a key that nothing replaces
                data = data[sent:]
                key = None if sent else key
            slot = object() if key is None else key
            self._bytes += len(data) - len(self._queue.pop(slot, b""))
            self._queue[slot] = data
            self._changed.notify_all()

    def wait_for_room(self) -> None:
        """Wait while too much output is unread."""
        if self._bytes <= MAX_UNREAD_BYTES:
            return
        with self._changed:
            while self._bytes > MAX_UNREAD_BYTES and not self._closed:
                self._changed.wait()

    def finish(self, seconds: float) -> None:
        """Wait until everything is written, as long as the client reads: it may pause for `seconds`."""
        with self._changed:
            self._finishing = True
            self._changed.notify_all()
        left = self._bytes + 1
        while self._thread.is_alive() and self._bytes < left:
            left = self._bytes
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
                    sent = self._channel.write(view[:_PIECE])
                    view = view[sent:]
                    with self._changed:
                        self._bytes -= sent
                        self._changed.notify_all()
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
            self._bytes = 0
            self._changed.notify_all()
            self._on_closed()
