"""The queue of messages from the client."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from llmblocks.lsp.wire.params import at, uri_in
from llmblocks.lsp.wire.rpc import Json, RequestError, decode, is_id


class Arrival(NamedTuple):
    """An item of the queue: a message, a complaint about an invalid one, or the end."""

    message: dict[str, Json] | None
    """None for a complaint."""
    size: int = 0
    error: RequestError | None = None
    """The complaint; None for the end of the input."""


END = Arrival(None)
"""Nothing more will come."""


def arrival(body: bytes) -> Arrival:
    """Return the item for the bytes of a message."""
    try:
        return Arrival(decode(body), len(body))
    except RequestError as error:
        return Arrival(None, len(body), error)


class Inbox:
    """The waiting messages, with a look ahead for cancellations and changes of documents.

    `look` adds newly arrived messages, which may cancel a request.
    """

    __slots__ = ("_cancelled", "_changing", "_queue", "look", "size")

    def __init__(self, look: Callable[[], None] = lambda: None) -> None:
        self._queue: deque[Arrival] = deque()
        self._cancelled: set[int | str] = set()
        self._changing: dict[str, int] = {}
        self.look = look
        self.size = 0
        """All waiting messages together."""

    def put(self, arrival: Arrival) -> None:
        """Add an item, and record a cancellation at once."""
        message = arrival.message
        if message is not None:
            method = message.get("method")
            if method == "textDocument/didChange":
                self._count(message, 1)
            elif method == "$/cancelRequest":
                wanted = _cancelled_by(message)
                if wanted is not None:
                    self._cancelled.add(wanted)
        self.size += arrival.size
        self._queue.append(arrival)

    def get(self) -> Arrival:
        """Take the next item."""
        arrival = self._queue.popleft()
        self.size -= arrival.size
        message = arrival.message
        if message is not None and message.get("method") == "textDocument/didChange":
            self._count(message, -1)
        return arrival

    def waiting(self) -> bool:
        """Return whether an item is waiting."""
        return bool(self._queue)

    def is_cancelled(self, request_id: int | str) -> bool:
        """Return whether a later message cancels this request."""
        return request_id in self._cancelled

    def cancellation_served(self, message: dict[str, Json]) -> int | str | None:
        """Register a served cancellation, and return the id that it was for."""
        wanted = _cancelled_by(message)
        if wanted is not None:
            self._cancelled.discard(wanted)
        return wanted

    def will_change(self, uri: str) -> bool:
        """Return whether a later message changes this document."""
        return uri in self._changing

    def _count(self, message: dict[str, Json], step: int) -> None:
        if (uri := uri_in(message.get("params"))) is not None:
            left = self._changing.get(uri, 0) + step
            if left:
                self._changing[uri] = left
            else:
                del self._changing[uri]


def _cancelled_by(message: dict[str, Json]) -> int | str | None:
    wanted = at(message, "params", "id")
    return wanted if is_id(wanted) else None
