"""The queue of messages from the client."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple

from llmblocks.lsp.wire.limits import MAX_WAITING_BYTES
from llmblocks.lsp.wire.params import at, uri_in
from llmblocks.lsp.wire.rpc import Json, is_id


class Arrival(NamedTuple):
    """An item of the queue: a message, a complaint about invalid bytes, or the end.

    Shape: `message` is None for a complaint, which `code` and `reason` describe; `code` 0 is the end of the input;
           `request_id` is the id of the request that the complaint is about, None where there is none.
    """

    message: dict[str, Json] | None
    size: int
    code: int = 0
    reason: str = ""
    request_id: Json = None


END = Arrival(None, 0)
"""Nothing more will come."""


class Inbox:
    """A queue that one thread fills and another serves. It looks ahead: is this request cancelled, will this document
    change, does the client wait for an answer?

    Shape: `look` puts in what has come meanwhile: a request may have been cancelled.

    What is counted in two numbers is written by one thread each, so that neither waits for a lock.
    """

    __slots__ = (
        "_asked_put",
        "_asked_served",
        "_cancelled",
        "_changing",
        "_changing_lock",
        "_in_service",
        "_put",
        "_queue",
        "_served",
        "look",
    )

    def __init__(self) -> None:
        self._queue: SimpleQueue[Arrival] = SimpleQueue()
        self._cancelled: set[int | str] = set()
        self._changing: dict[str, int] = {}
        self._changing_lock = Lock()
        self.look: Callable[[], None] = lambda: None
        self._put = self._served = 0
        self._asked_put = self._asked_served = self._in_service = 0

    def put(self, arrival: Arrival) -> None:
        """Add an item; a cancellation is recorded at once."""
        message = arrival.message
        if message is not None:
            method = message.get("method")
            if method == "textDocument/didChange":
                self._count(message, 1)
            elif method == "$/cancelRequest":
                wanted = cancelled_id(message)
                if wanted is not None:
                    self._cancelled.add(wanted)
            if "id" in message or method == "exit":
                self._asked_put += _is_asked(message)
        if arrival.size:
            self._put += arrival.size
        self._queue.put(arrival)

    def get(self) -> Arrival:
        """Wait for the next item."""
        self._asked_served += self._in_service
        self._in_service = 0
        arrival = self._queue.get()
        self._served += arrival.size
        message = arrival.message
        if message is not None:
            method = message.get("method")
            if method == "textDocument/didChange":
                self._count(message, -1)
            if "id" in message or method == "exit":
                self._in_service = _is_asked(message)
        return arrival

    @property
    def full(self) -> bool:
        """Whether the queue is full and reading must pause."""
        return self._put - self._served > MAX_WAITING_BYTES

    @property
    def asked(self) -> bool:
        """Whether the client waits for an answer or for the exit."""
        return self._asked_put != self._asked_served

    def waiting(self) -> bool:
        """Whether an item is waiting."""
        return not self._queue.empty()

    def is_cancelled(self, request_id: int | str) -> bool:
        """Whether a later message cancels this request."""
        return request_id in self._cancelled

    def cancellation_served(self, message: dict[str, Json]) -> int | str | None:
        """The cancellation itself has had its turn: whatever waited is over. Gives the id that it was for."""
        wanted = cancelled_id(message)
        if wanted is not None:
            self._cancelled.discard(wanted)
        return wanted

    def will_change(self, uri: str) -> bool:
        """Whether a later message changes this document."""
        return uri in self._changing

    def _count(self, message: dict[str, Json], step: int) -> None:
        if (uri := uri_in(message.get("params"))) is not None:
            with self._changing_lock:
                left = self._changing.get(uri, 0) + step
                if left:
                    self._changing[uri] = left
                else:
                    del self._changing[uri]


def cancelled_id(message: dict[str, Json]) -> int | str | None:
    """The id of the request that a cancellation is for."""
    wanted = at(message, "params", "id")
    return wanted if is_id(wanted) else None


def _is_asked(message: dict[str, Json]) -> int:
    return 1 if "method" in message and ("id" in message or message["method"] == "exit") else 0
