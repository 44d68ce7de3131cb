"""What has come from the client and waits to be served."""

from __future__ import annotations

from queue import SimpleQueue
from typing import NamedTuple

from llmblocks.lsp.wire.rpc import Json

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

    Who fills and who serves may be two threads: everything counted here is written by one of them only, so that neither
    ever waits for a lock.
    """

    __slots__ = ("_cancelled", "_changes_put", "_changes_served", "_put", "_queue", "_served")

    def __init__(self) -> None:
        self._queue: SimpleQueue[Arrival] = SimpleQueue()
        self._cancelled: set[int | str] = set()
        self._changes_put: dict[str, int] = {}
        self._changes_served: dict[str, int] = {}
        self._put = self._served = 0

    def put(self, arrival: Arrival) -> None:
        """Add what came; a cancellation is noted at once."""
        message = arrival.message
        if message is not None:
            method = message.get("method")
            if method == "textDocument/didChange":
                _count(self._changes_put, message)
            elif method == "$/cancelRequest":
                wanted = _cancelled_id(message)
                if wanted is not None:
                    self._cancelled.add(wanted)
        self._put += arrival.size
        self._queue.put(arrival)

    def get(self) -> Arrival:
        """The next in turn; waits for it."""
        arrival = self._queue.get()
        self._served += arrival.size
        message = arrival.message
        if message is not None and message.get("method") == "textDocument/didChange":
            _count(self._changes_served, message)
        return arrival

    @property
    def full(self) -> bool:
        """Whether so much is waiting that no more should be read."""
        return self._put - self._served > MAX_WAITING_BYTES

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
        return self._changes_put.get(uri, 0) != self._changes_served.get(uri, 0)


def _cancelled_id(message: dict[str, Json]) -> int | str | None:
    params = message.get("params")
    wanted = params.get("id") if isinstance(params, dict) else None
    return wanted if isinstance(wanted, int | str) else None


def _count(changes: dict[str, int], message: dict[str, Json]) -> None:
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    if isinstance(uri, str):
        changes[uri] = changes.get(uri, 0) + 1
