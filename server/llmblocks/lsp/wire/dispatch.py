"""From messages to handlers and back: the queue, life cycle, errors, cancellation; independent of documents."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.outbox import printable
from llmblocks.lsp.wire.params import at, uri_in
from llmblocks.lsp.wire.rpc import Json, RequestError, decode, is_id

logger = logging.getLogger(__name__)
Handler = Callable[[Json], Json]
Send = Callable[[bytes], None]
LATER: Final = object()
"""The result of a request that is answered later."""
MAX_ASKED = 100
"""The maximum number of unanswered requests to the client. The oldest are forgotten."""
_NEVER_CANCELLED = ("initialize", "shutdown")
_ERROR = 1


class Arrival(NamedTuple):
    """An item of the queue."""

    message: dict[str, Json] | RequestError | None
    """A message, a complaint about an invalid one, or None at the end of the input."""
    size: int = 0

    @property
    def method(self) -> Json:
        return self.message.get("method") if isinstance(self.message, dict) else None


END = Arrival(None)
"""Nothing more will come."""


def arrival(body: bytes) -> Arrival:
    """Return the item for the bytes of a message."""
    try:
        return Arrival(decode(body), len(body))
    except RequestError as error:
        return Arrival(error, len(body))


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
        self._count(arrival, 1)
        if arrival.method == "$/cancelRequest" and (wanted := _cancelled_by(arrival.message)) is not None:
            self._cancelled.add(wanted)
        self._queue.append(arrival)

    def get(self) -> Arrival:
        arrival = self._queue.popleft()
        self._count(arrival, -1)
        return arrival

    def waiting(self) -> bool:
        return bool(self._queue)

    def is_cancelled(self, request_id: int | str) -> bool:
        """Return whether a later message cancels this request."""
        return request_id in self._cancelled

    def cancellation_served(self, message: dict[str, Json]) -> int | str | None:
        """Register a served cancellation, and return the id that it was for."""
        if (wanted := _cancelled_by(message)) is not None:
            self._cancelled.discard(wanted)
        return wanted

    def will_change(self, uri: str) -> bool:
        """Return whether a later message changes this document."""
        return uri in self._changing

    def _count(self, arrival: Arrival, step: int) -> None:
        self.size += step * arrival.size
        if arrival.method == "textDocument/didChange" and (uri := uri_in(at(arrival.message, "params"))) is not None:
            self._changing[uri] = self._changing.get(uri, 0) + step
            if not self._changing[uri]:
                del self._changing[uri]


def _cancelled_by(message: Json) -> int | str | None:
    wanted = at(message, "params", "id")
    return wanted if is_id(wanted) else None


class Dispatcher:
    """Serves one message after another. Every request is answered exactly once.

    Handlers take the parameters (`{}` by default); a request's handler returns its result. `stale(method, params)` is
    whether a request may be rejected because its document is about to change.
    """

    def __init__(self, inbox: Inbox, send: Send, stale: Callable[[str, Json], bool]) -> None:
        self.requests: dict[str, Handler] = {}
        self.notifications: dict[str, Handler] = {}
        self.stage: Literal["new", "running", "shut down"] = "new"
        self.exit_code: int | None = None
        self.serving: int | str | None = None
        """The id of the request that is being served."""
        self._has_shown_fault = False
        self._inbox = inbox
        self._send = send
        self._stale = stale
        self._asked: dict[int | str, Callable[[dict[str, Json]], object]] = {}
        self._serial = 0
        self._later: dict[int | str, Callable[[], None]] = {}

    def serve(self, arrival: Arrival) -> None:
        message = arrival.message
        if message is None:
            if self.exit_code is None:
                logger.info("the client closed the input")
                self._exit()
        elif isinstance(message, RequestError):
            logger.warning("unreadable message: %s", message)
            self._send(rpc.error(None, message))
        elif "id" in message and ("method" in message or not ("result" in message or "error" in message)):
            self._request(message["id"], message)
        elif isinstance(message.get("method"), str):
            self._notification(message["method"], message)
        elif "id" in message:
            self._response(message)
        else:
            self._send(rpc.error(None, RequestError(rpc.INVALID_REQUEST, "a message needs a method or an id")))

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        self._send(rpc.encode({"jsonrpc": "2.0", "method": method, "params": params}))

    def tell(self, token: Json, value: Json) -> None:
        """Send progress, or a part of an answer, under a token."""
        self.notify("$/progress", {"token": token, "value": value})

    def ask(
        self,
        method: str,
        params: Json,
        then: Callable[[Json], object] = lambda _: None,
        refused: Callable[[], None] | None = None,
    ) -> None:
        """Send a request; `then` gets its result.

        `refused` is called if the client answers with an error; without it, the result is then None.
        """

        def answered(message: dict[str, Json]) -> None:
            if "error" in message:
                logger.info("the client answered %s with an error: %.300r", method, message["error"])
            if "error" in message and refused is not None:
                refused()
            else:
                then(message.get("result"))

        self._serial += 1
        request_id = f"llmblocks-{self._serial}"
        self.expect(request_id, answered)
        self._send(rpc.encode({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}))

    def expect(self, request_id: int | str, answered: Callable[[dict[str, Json]], object]) -> None:
        """Pass the client's answer to a request on."""
        if len(self._asked) >= MAX_ASKED:
            # a client that never answers must not make this grow
            del self._asked[next(iter(self._asked))]
        self._asked[request_id] = answered

    def postpone(self, cancelled: Callable[[], None]) -> int | str:
        """Let `answer` answer the current request, whose result is `LATER`, and return its id.

        `cancelled` is called if the client cancels it before.
        """
        assert self.serving is not None, "only a handler of a request can put it off"
        self._later[self.serving] = cancelled
        return self.serving

    def answer(self, request_id: int | str, body: bytes) -> None:
        """Answer a postponed request with a message."""
        if self._later.pop(request_id, None) is not None:
            self._send(body)

    def check(self, uri: str | None = None) -> None:
        """Read newly arrived messages.

        Raises:
            RequestError: The client has cancelled the current request, or will change its document.
        """
        self._inbox.look()
        if self.serving is not None and self._inbox.is_cancelled(self.serving):
            raise RequestError(rpc.REQUEST_CANCELLED, "the request was cancelled while it was served")
        if uri is not None and self._inbox.will_change(uri):
            raise RequestError(rpc.CONTENT_MODIFIED, "the document has changed: ask again")

    def report(self, method: str, uri: str | None, error: BaseException) -> RequestError:
        """Log an unexpected error, show the user the first, and return the answer to a request."""
        where = f"{method} of {uri}" if uri else method
        summary = printable(f"{type(error).__name__}: {error}"[:300])
        logger.error("fault while serving %s: %s", where, summary, exc_info=error)
        if not self._has_shown_fault:
            self._has_shown_fault = True
            text = f"llmblocks: {printable(method)} failed ({summary}). The server continues; the log has the details, "
            text += "and further faults are only logged."
            self.notify("window/showMessage", {"type": _ERROR, "message": text})
        return RequestError(rpc.INTERNAL_ERROR, f"{method} failed: {summary}")

    def _exit(self) -> None:
        self.exit_code = 0 if self.stage == "shut down" else 1

    def _request(self, request_id: Json, message: dict[str, Json]) -> None:
        if not is_id(request_id):
            reason = "the id of a request must be a number or a string"
            self._send(rpc.error(None, RequestError(rpc.INVALID_REQUEST, reason)))
            return
        try:
            result = self._result(request_id, message)
            if result is LATER:
                return
            body = rpc.reply(request_id, result)
        except RequestError as error:
            body = rpc.error(request_id, error)
        except Exception as error:
            # the only handler of unexpected errors
            fault = self.report(str(message.get("method")), uri_in(message.get("params")), error)
            body = rpc.error(request_id, fault)
        self._later.pop(request_id, None)
        self._send(body)

    def _result(self, request_id: int | str, message: dict[str, Json]) -> Json:
        method = message.get("method")
        if not isinstance(method, str):
            raise RequestError(rpc.INVALID_REQUEST, "method must be a string")
        if message.get("jsonrpc") != "2.0":
            raise RequestError(rpc.INVALID_REQUEST, 'jsonrpc must be "2.0"')
        self._inbox.look()
        # the client still wants the server to end
        if method not in _NEVER_CANCELLED and self._inbox.is_cancelled(request_id):
            raise RequestError(rpc.REQUEST_CANCELLED, f"{method} was cancelled before it was served")
        if self.stage == "new" and method != "initialize":
            raise RequestError(rpc.NOT_INITIALIZED, f"{method} came before initialize")
        if self.stage == "shut down":
            raise RequestError(rpc.INVALID_REQUEST, f"{method} came after shutdown")
        handler = self.requests.get(method)
        if handler is None:
            raise RequestError(rpc.METHOD_NOT_FOUND, f"{method} is not served")
        params = _params(message)
        if self._stale(method, params):
            raise RequestError(rpc.CONTENT_MODIFIED, "the document is about to change")
        self.serving = request_id
        try:
            return handler(params)
        finally:
            self.serving = None

    def _cancel(self, message: dict[str, Json]) -> None:
        cancelled = self._inbox.cancellation_served(message)
        if cancelled is not None and (end := self._later.pop(cancelled, None)) is not None:
            self._send(rpc.error(cancelled, RequestError(rpc.REQUEST_CANCELLED, "the request was cancelled")))
            end()

    def _notification(self, method: str, message: dict[str, Json]) -> None:
        handler = self.notifications.get(method)
        if method == "exit":
            self._exit()
        elif method == "$/cancelRequest":
            self._cancel(message)
        elif self.stage == "running" and handler is not None:
            try:
                handler(_params(message))
            except RequestError as error:
                logger.error("%s was ignored: %s", method, error)
            except Exception as error:
                # the same for notifications
                self.report(method, uri_in(message.get("params")), error)

    def _response(self, message: dict[str, Json]) -> None:
        answered = message["id"]
        then = self._asked.pop(answered, None) if is_id(answered) else None
        if then is None:
            logger.info("an answer without a request: %r", answered)
            return
        try:
            then(message)
        except Exception as error:
            self.report("the answer to a request", None, error)


def _params(message: dict[str, Json]) -> Json:
    params = message.get("params")
    return {} if params is None else params
