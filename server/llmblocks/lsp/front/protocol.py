"""The protocol of the server: pygls's. Each overridden method names the measured fault that it corrects.

Numbers are issues and pull requests of https://github.com/openlawlibrary/pygls.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import uuid
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Timer
from typing import Any, NamedTuple

from cattrs import Converter, transform_error
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import MsgId

from llmblocks.lsp.front.documents import SessionWorkspace, UnreadableDocumentError
from llmblocks.lsp.front.extensions import Extensions, merged_capabilities, merged_results
from llmblocks.lsp.front.process import GRACE_SECONDS, LAST_ANSWERS_SECONDS, ClientWatch, end_after, wake_for_interrupts
from llmblocks.lsp.front.transport import Reader, Transport
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.inbox import END, Arrival, arrival, complaint
from llmblocks.lsp.wire.limits import MAX_UNREAD_BYTES
from llmblocks.lsp.wire.outbox import Outbox
from llmblocks.lsp.wire.rpc import Json, RequestError

logger = logging.getLogger(__name__)
_HELD_SECONDS = 0.02
_SWITCH_SECONDS = 0.0005
# the session logs these instead of pygls, and shows the user one fault
logging.getLogger("pygls").setLevel(logging.CRITICAL)


class Asked(NamedTuple):
    """A request that an extension serves."""

    method: str
    ours: Json
    """The session's result, or None."""


class Protocol(LanguageServerProtocol):
    """Passes messages to a session, one after the other, and to extensions those that the session leaves to them.

    `lock` is held while the session works, but not while code of extensions runs; `declared` are the capabilities of
    the session.
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.lock = Lock()
        self.declared: dict[str, Json] = {}
        self._asked: dict[MsgId, Asked] = {}
        self._sent: set[MsgId] = set()
        self._inner: dict[MsgId, MsgId] = {}
        self._documents: SessionWorkspace | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reader: Reader | None = None
        self._outbox: Outbox | None = None
        self._watch: ClientWatch | None = None
        self._is_due = False
        self._rest: asyncio.TimerHandle | None = None
        super().__init__(server, converter)
        self.extensions = Extensions(self)
        self.session = ServerSession(
            server.version,
            self._send,
            look=self._look,
            guest=self.extensions,
            can_wait=True,
        )

    # messages from the client

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Keep messages unchanged: pygls makes an object of each value, which costs more than serving a key, and drops
        messages with a wrong optional value (#326).
        """
        return data

    def handle_message(self, message: Json) -> None:
        """Queue a message: pygls serves it at once, although its cancellation may be next (#517).

        Raises:
            RequestError: It is invalid.
        """
        self._put(Arrival(rpc.checked(message), self._reader.size if self._reader is not None else 0))

    def unreadable(self, error: Exception) -> None:
        """Answer an invalid message: pygls shows a popup, and answers nothing (#282)."""
        self._put(complaint(error if isinstance(error, RequestError) else rpc.unreadable(error)))

    def _put(self, arrival: Arrival) -> None:
        self.session.inbox.put(arrival)
        self._wake()

    def _look(self) -> None:
        """Take new messages while the session serves a request, which they may cancel."""
        if self._reader is not None:
            self._reader.catch_up()
        while self._reader is not None and (body := self._reader.take()) is not None:
            self.session.inbox.put(arrival(body))

    # turns

    def serve(self, transport: Transport) -> int:
        """Serve a client until the session is over, and return the exit status."""
        # the threads that read and write wait this long for a computing thread, and a key waits for both
        sys.setswitchinterval(_SWITCH_SECONDS)
        with asyncio.Runner() as runner:
            status = runner.run(self._serve(transport))
            # a handler that does not end must not keep the process alive: neither a task nor, below, a thread
            timer = self._end_after_grace(status)
        timer.cancel()
        self._finish()
        self._end_after_grace(status)
        return status

    async def _serve(self, transport: Transport) -> int:
        self._loop = loop = asyncio.get_running_loop()
        wake_for_interrupts(loop)
        self._over: asyncio.Future[int] = loop.create_future()
        # pygls blocks its event loop when a client does not read
        on_end = partial(self._abandon, "the client no longer reads")
        self._outbox = Outbox(transport.write, transport.close, on_end)
        self._reader = Reader(transport, lambda: self.session.inbox.size, self._input_ended)
        self._watch = ClientWatch(self._abandon, transport.writes, self._server.process_id)
        self.set_writer(self._outbox, include_headers=transport.is_framed)
        on_error = self._server.report_server_error
        reading = asyncio.create_task(run_async(Event(), self._reader, self, logging.getLogger("pygls"), on_error))
        reading.add_done_callback(lambda _: self._put(END))
        status = await self._over
        reading.cancel()
        await self._leave()
        return status

    def _wake(self) -> None:
        if not self._is_due and self._loop is not None:
            self._is_due = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._is_due = False
        if self._over.done():
            return
        if self._outbox is not None and self._outbox.unread > MAX_UNREAD_BYTES:
            self._rest_for(_HELD_SECONDS, self._wake)
            return
        self._guarded(self._step)

    def _step(self) -> None:
        session = self.session
        if session.inbox.waiting():
            session.serve(session.inbox.get())
            if self._watch is not None and self._watch.process is None:
                self._watch.process = session.client.process_id
        elif self._outbox is not None:
            # what follows is background work
            self._outbox.catch_up()
        if session.exit_code is not None:
            self._over.set_result(session.exit_code)
        elif session.idle() or session.inbox.waiting():
            self._wake()
        elif (seconds := session.patience()) is not None:
            self._rest_for(seconds, lambda: self._guarded(self._release))

    def _release(self) -> None:
        if not self.session.inbox.waiting():
            self.session.release()
        self._wake()

    def _rest_for(self, seconds: float, then: Callable[[], None]) -> None:
        if self._rest is not None:
            self._rest.cancel()
        if self._loop is not None:
            self._rest = self._loop.call_later(seconds, then)

    def _guarded(self, work: Callable[[], None]) -> None:
        if self._over.done():
            return
        try:
            with self.lock:
                work()
        except BaseException as error:
            # the event loop would log it and wait forever
            self._over.set_exception(error)
            raise

    def settle(self) -> None:
        """Send due diagnostics. May be called from any thread."""
        self._later(lambda: self._guarded(self._settle))

    def _settle(self) -> None:
        if not self.session.inbox.waiting():
            self.session.settle()

    # the end

    def _later(self, call: Callable[[], object]) -> None:
        # the loop may be closed already, or at this moment
        with suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call)

    def _abandon(self, reason: str) -> None:
        """End the session, because the client is gone. May be called from any thread."""
        logger.info("ending: %s", reason)
        self._later(lambda: self._put(END))

    def _input_ended(self) -> None:
        """End the process in time, even if the session is busy. Called by the thread that reads."""
        is_asked = self.session.is_asked or (self._reader is not None and self._reader.has_more)
        end_after(LAST_ANSWERS_SECONDS if is_asked else GRACE_SECONDS)

    async def _leave(self) -> None:
        """Call the handler of `exit`: pygls's ends the process in the middle of a write."""
        handler = self.fm.features.get(types.EXIT)
        if handler is None:
            return
        left = asyncio.Event()
        self._execute_handler(str(uuid.uuid4()), handler, lambda _: self._later(left.set), (None,))
        with suppress(TimeoutError):
            await asyncio.wait_for(left.wait(), GRACE_SECONDS)

    def _finish(self) -> None:
        if self._outbox is not None:
            self._outbox.close()

    def _end_after_grace(self, status: int) -> Timer:
        def end() -> None:
            self._finish()
            os._exit(status)

        timer = Timer(GRACE_SECONDS, end)
        timer.daemon = True
        timer.start()
        return timer

    # messages to the client

    def _send(self, body: bytes) -> None:
        if self._outbox is not None:
            self._outbox.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) if self._include_headers else body)

    def _send_data(self, data: Any) -> None:
        """Send a message of an extension: pygls does not answer if a result cannot be written."""
        request_id = None if hasattr(data, "method") else data.id
        asked = self._asked.pop(request_id, None) if request_id is not None else None
        try:
            body = self._as_json(data)
            if asked is not None and asked.ours is not None and not isinstance(data, types.ResponseErrorMessage):
                body = rpc.reply(request_id, merged_results(asked.method, json.loads(body)["result"], asked.ours))
        except Exception as error:
            reason = self.session.dispatcher.faults.report(asked.method if asked else "a message", None, error)
            body = rpc.error(request_id, rpc.INTERNAL_ERROR, reason)
        self._send(body)

    def _as_json(self, value: Any) -> bytes:
        return json.dumps(value, default=self._serialize_message, separators=(",", ":")).encode("ascii")

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification. Diagnostics of an open document are sent with those of the session."""
        if isinstance(params, types.PublishDiagnosticsParams) and self.extensions.publish(
            params.uri, params.version, json.loads(self._as_json(params.diagnostics))
        ):
            return
        super().notify(method, params)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: MsgId | None = None,
    ) -> Future[Any]:
        """Send a request, and remember its id: pygls takes an answer to any request, even the client's own."""
        msg_id = str(uuid.uuid4()) if msg_id is None else msg_id
        self._sent.add(msg_id)
        return super().send_request(method, params, callback, msg_id)

    # what extensions serve

    def typed(self, method: str, params: Json, request_id: MsgId | None) -> Any:
        """Convert a message for pygls.

        Raises:
            RequestError: InvalidParams.
        """
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request_id is not None:
            message["id"] = request_id
        try:
            return super().structure_message(message)
        except JsonRpcException as error:
            reasons = "; ".join(transform_error(error.__cause__ or error))[:300]
            raise rpc.invalid(f"{method}: {reasons}") from None

    def run(self, message: Any, method: str, ours: Json) -> None:
        """Let pygls serve a message; the session's result is joined to that of a request."""
        if (request_id := getattr(message, "id", None)) is not None:
            self._asked[request_id] = Asked(method, ours)
        self._pass_on(message)

    def _pass_on(self, message: Any) -> None:
        super().handle_message(message)

    def answered(self, message: dict[str, Json]) -> bool:
        """Take the client's answer to a request of an extension; return whether it is one."""
        answered = message["id"]
        if answered not in self._sent:
            return False
        self._sent.remove(answered)
        given = {"jsonrpc": "2.0", "id": answered, "result": None, **message}
        try:
            self._pass_on(super().structure_message(given))
        except JsonRpcException:
            # pygls never notifies code that waits for such an answer
            wrong = types.ResponseError(rpc.INVALID_PARAMS, "the client's answer is not as the protocol has it")
            self._pass_on(types.ResponseErrorMessage(answered, wrong))
        return True

    def cancel(self, request_id: MsgId) -> None:
        """Cancel a request of an extension: pygls cancels a command, but not the function that it runs."""
        if request_id in self._asked:
            for each in (request_id, self._inner.get(request_id, request_id)):
                self._pass_on(types.CancelNotification(types.CancelParams(each)))

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Drop the future of a finished handler: pygls keeps that of each notification forever."""
        outer = self.msg_id
        if outer is not None and outer != msg_id:
            self._inner[outer] = msg_id

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            self._inner.pop(msg_id, None)
            error = None if future.cancelled() else future.exception()
            if isinstance(error, UnreadableDocumentError):
                # the handler has no answer for a document that is gone or too large
                logger.info("%s", error)
                future = Future()
                future.set_result(None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    @property
    def workspace(self) -> SessionWorkspace:
        """The documents of the session: pygls splits the whole text for each change, at other line ends."""
        if self._documents is None:
            raise RuntimeError("the workspace is not available before `initialize`")
        return self._documents

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Return the session's capabilities with those of extensions: pygls does not know the session's options."""
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        made = partial(SessionWorkspace, self.session, self.lock, folders=list(params.workspace_folders or ()))
        try:
            self._documents = made(root_uri=params.root_uri)
        except ValueError:
            self._documents = made(root_uri=None)
        if (user_handler := self.fm.features.get(types.INITIALIZE)) is not None:
            yield user_handler, (params,), None
        builder = ServerCapabilitiesBuilder(
            self.client_capabilities,
            self.extensions.added_features,
            self.fm.feature_options,
            [*self.extensions.added_commands],
            self._server._text_document_sync_kind,
            self._server._notebook_document_sync,
        )
        theirs = self._converter.unstructure(builder.build())  # type: ignore[no-untyped-call]
        given = merged_capabilities(self.declared, theirs)
        self.server_capabilities = self._converter.structure(given, types.ServerCapabilities)
        return types.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Call the extension's handler; the session does the rest."""
        if (user_handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield user_handler, args, None
