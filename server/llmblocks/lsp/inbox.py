"""What has come from the client and waits to be served."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Condition
from typing import NamedTuple

from llmblocks.lsp.rpc import Json

MAX_WAITING_BYTES = 256 << 20


class Arrival(NamedTuple):
    """Something to be served in its turn: a message, a complaint about bytes that are none, or the end.

    Shape: `message` is None for a complaint, which `code` and `reason` describe; `code` 0 is the end of the input.
    """

    message: dict[str, Json] | None
    size: int
    code: int = 0
    reason: str = ""


END = Arrival(None, 0)
"""Nothing more will come."""


class Inbox:
    """A queue that one thread fills and another serves, and that can be asked what is further back in it.

    A reader that is far ahead waits: `put` blocks while too many bytes are waiting.
    """

    __slots__ = ("_cancelled", "_changes", "_queue", "_room", "_waiting")

    def __init__(self) -> None:
        self._queue: SimpleQueue[Arrival] = SimpleQueue()
        self._cancelled: set[int | str] = set()
        self._changes: dict[str, int] = {}
        self._waiting = 0
        self._room = Condition()

    def put(self, arrival: Arrival) -> None:
        """Add what came; a cancellation is noted at once."""
        message = arrival.message
        if message is not None:
            method = message.get("method")
            if method == "$/cancelRequest":
                wanted = _cancelled_id(message)
                if wanted is not None:
                    self._cancelled.add(wanted)
            elif method == "textDocument/didChange":
                uri = changed_uri(message)
                if uri is not None:
                    self._changes[uri] = self._changes.get(uri, 0) + 1
        with self._room:
            self._waiting += arrival.size
            while self._waiting > MAX_WAITING_BYTES and self._waiting > arrival.size:
                self._room.wait()
        self._queue.put(arrival)

    def get(self, timeout: float | None = None) -> Arrival | None:
        """The next in turn, or None where nothing comes in time."""
        try:
            arrival = self._queue.get(timeout=timeout)
        except Empty:
            return None
        with self._room:
            self._waiting -= arrival.size
            self._room.notify()
        message = arrival.message
        if message is not None and message.get("method") == "textDocument/didChange":
            self._served_change(message)
        return arrival

    def waiting(self) -> bool:
        """Whether more has come already."""
        return not self._queue.empty()

    def is_cancelled(self, request_id: int | str) -> bool:
        """Whether a cancellation of this request waits further back."""
        return request_id in self._cancelled

    def cancellation_served(self, message: dict[str, Json]) -> None:
        """The cancellation itself has had its turn: whatever it was for is over."""
        wanted = _cancelled_id(message)
        if wanted is not None:
            self._cancelled.discard(wanted)

    def will_change(self, uri: str) -> bool:
        """Whether a change of this document waits further back."""
        return uri in self._changes

    def _served_change(self, message: dict[str, Json]) -> None:
        uri = changed_uri(message)
        if uri is None:
            return
        left = self._changes.get(uri, 0) - 1
        if left > 0:
            self._changes[uri] = left
        else:
            self._changes.pop(uri, None)


def _cancelled_id(message: dict[str, Json]) -> int | str | None:
    params = message.get("params")
    wanted = params.get("id") if isinstance(params, dict) else None
    return wanted if isinstance(wanted, int | str) else None


def changed_uri(message: dict[str, Json]) -> str | None:
    """The document that a didChange is about, if it says so."""
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else None
