"""The protocol of the server: pygls's. Each overridden method names the measured fault that it corrects.

Numbers are issues and pull requests of https://github.com/openlawlibrary/pygls.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import sys
import time
import uuid
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Timer
from typing import Any

from cattrs import Converter, transform_error
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import MsgId

from llmblocks.lsp.front.connections import Connection
from llmblocks.lsp.front.extensions import Extensions, SessionWorkspace, merged_capabilities
from llmblocks.lsp.front.reader import Reader
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.dispatch import END, Arrival, arrival
from llmblocks.lsp.wire.limits import MAX_UNREAD_BYTES, MAX_WAITING_BYTES
from llmblocks.lsp.wire.outbox import Outbox
from llmblocks.lsp.wire.rpc import Json, RequestError

logger = logging.getLogger(__name__)
_HELD_SECONDS = 0.02
_SWITCH_SECONDS = 0.0005
_WATCH_SECONDS = 0.5
_GRACE_SECONDS = 1.0
_LAST_ANSWERS_SECONDS = 60.0
"""The time to answer the requests sent before the input ended."""
# the session logs these instead of pygls, and shows the user one fault
logging.getLogger("pygls").setLevel(logging.CRITICAL)


class Protocol(LanguageServerProtocol):
    """Passes messages to a session, one after the other, and to extensions those that the session leaves to them.

    `lock` is held while the session works, but not while code of extensions runs.
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.lock = Lock()
        self._documents: SessionWorkspace | None = None
        self._inner: dict[MsgId, MsgId] = {}
        super().__init__(server, converter)
        self.session = ServerSession(server.version, self._send, look=self._look, can_wait=True)
        self.extensions = Extensions(self)

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
        self._put(Arrival(rpc.checked(message), self._reader.size))

    def unreadable(self, error: Exception) -> None:
        """Answer an invalid message: pygls shows a popup, and answers nothing (#282)."""
        self._put(Arrival(None, error=error if isinstance(error, RequestError) else rpc.unreadable(error)))

    def _put(self, arrival: Arrival) -> None:
        self.session.inbox.put(arrival)
        self._news.set()

    def _look(self) -> None:
        """Take new messages while the session serves a request, which they may cancel."""
        self._reader.catch_up()
        while self._reader.has_more:
            self.session.inbox.put(arrival(self._reader.take()))

    # the loop

    def serve(self, connection: Connection) -> int:
        """Serve a client until the session is over, and return the exit status."""
        gc.disable()
        # the threads that read and write wait this long for a computing thread, and a key waits for both
        sys.setswitchinterval(_SWITCH_SECONDS)
        return asyncio.run(self._serve(connection))

    async def _serve(self, connection: Connection) -> int:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        # pygls blocks its event loop when a client does not read
        self._outbox = outbox = Outbox(connection.write, partial(self._later, partial(self._put, END)))
        self.set_writer(outbox, include_headers=connection.is_framed)
        self._reader = Reader(connection, self._is_full, self._input_ended)
        on_error = self._server.report_server_error
        reading = asyncio.create_task(run_async(Event(), self._reader, self, logging.getLogger("pygls"), on_error))
        reading.add_done_callback(lambda _: self._put(END))
        watching = asyncio.create_task(self._watch(is_parent=connection.is_parent))
        session = self.session
        while session.exit_code is None:
            if outbox.unread > MAX_UNREAD_BYTES:
                await asyncio.sleep(_HELD_SECONDS)
                continue
            with self.lock:
                is_busy = self._step()
            await (asyncio.sleep(0) if is_busy else self._rest())
        reading.cancel()
        watching.cancel()
        await self._leave()
        outbox.close()
        # a thread of an extension may never end
        timer = Timer(_GRACE_SECONDS, os._exit, (session.exit_code,))
        timer.daemon = True
        timer.start()
        with suppress(OSError):
            connection.close()
        return session.exit_code

    def _step(self) -> bool:
        """Serve a message, or do some background work; return whether there may be more to do."""
        session = self.session
        if session.inbox.waiting():
            session.serve(session.inbox.get())
        return session.exit_code is not None or session.idle() or session.inbox.waiting()

    async def _rest(self) -> None:
        """Wait for a message, or for work that is due after a while without one."""
        self._news.clear()
        if (seconds := self.session.patience()) is None:
            await self._news.wait()
            return
        timer = asyncio.get_running_loop().call_later(seconds, self._news.set)
        await self._news.wait()
        timer.cancel()
        if not self.session.inbox.waiting():
            with self.lock:
                self.session.release()

    async def _watch(self, *, is_parent: bool) -> None:
        """End when the client's process has ended: pygls survives it (#130). This also lets interrupts in."""
        while not is_parent or _is_alive(self.session.client.process_id or self._server.process_id):
            await asyncio.sleep(_WATCH_SECONDS)
        logger.info("ending: the client's process has ended")
        self._put(END)

    def _is_full(self, unread: int) -> bool:
        return unread + self.session.inbox.size > MAX_WAITING_BYTES

    def _input_ended(self) -> None:
        """End the process in time, even if the session is busy. Called by the thread that reads."""
        is_asked = self.session.is_asked or self._reader.has_more
        time.sleep(_LAST_ANSWERS_SECONDS if is_asked else _GRACE_SECONDS)
        os._exit(1)

    async def _leave(self) -> None:
        """Call the handler of `exit`, and cancel all others: pygls's ends the process in the middle of a write."""
        if (handler := self.fm.features.get(types.EXIT)) is not None:
            left = asyncio.Event()
            self._execute_handler(str(uuid.uuid4()), handler, lambda _: self._later(left.set), (None,))
            with suppress(TimeoutError):
                await asyncio.wait_for(left.wait(), _GRACE_SECONDS)
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            for each in others:
                each.cancel()
            await asyncio.wait(others, timeout=_GRACE_SECONDS)

    def _later(self, call: Callable[[], object]) -> None:
        """Call a function in the loop, from any thread."""
        # the loop may be closed already, or at this moment
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)

    # messages to the client

    def _send(self, body: bytes) -> None:
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) if self._include_headers else body)

    def _send_data(self, data: Any) -> None:
        """Send a message of an extension: pygls does not answer if a result cannot be written."""
        request_id = None if hasattr(data, "method") else data.id
        try:
            body = self._as_json(data)
            if request_id is not None:
                body = self.extensions.answer(request_id, body)
        except Exception as error:
            reason = self.session.dispatcher.report("a message of an extension", None, error)
            body = rpc.error(request_id, rpc.INTERNAL_ERROR, reason)
        if request_id is None:
            self._send(body)
        else:
            self.session.dispatcher.answer_with(request_id, body)

    def _as_json(self, value: Any) -> bytes:
        return json.dumps(value, default=self._serialize_message, separators=(",", ":")).encode("ascii")

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification. Diagnostics of an open document are sent with those of the session."""
        if isinstance(params, types.PublishDiagnosticsParams):
            items = json.loads(self._as_json(params.diagnostics))
            with self.lock:
                if self.session.publish_added(params.uri, params.version, items):
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
        self.session.dispatcher.expect(msg_id, self._take_answer)
        return super().send_request(method, params, callback, msg_id)

    def _take_answer(self, message: dict[str, Json]) -> None:
        try:
            self.pass_on(super().structure_message({"jsonrpc": "2.0", "result": None, **message}))
        except JsonRpcException:
            # pygls never notifies code that waits for such an answer
            wrong = types.ResponseError(rpc.INVALID_PARAMS, "the client's answer is not as the protocol has it")
            self.pass_on(types.ResponseErrorMessage(message["id"], wrong))

    # messages for extensions

    def pass_on(self, message: Any) -> None:
        """Let pygls serve a message without the lock, so that threads of extensions can read documents."""
        self.lock.release()
        try:
            super().handle_message(message)
        finally:
            self.lock.acquire()

    def typed(self, method: str, params: Json, request_id: MsgId | None = None) -> Any:
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

    def cancel(self, request_id: MsgId) -> None:
        """Cancel a request of an extension: pygls cancels a command, but not the function that it runs."""
        for each in (request_id, self._inner.get(request_id, request_id)):
            self.pass_on(types.CancelNotification(types.CancelParams(each)))

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Drop the future of a finished handler: pygls keeps that of each notification forever."""
        if (outer := self.msg_id) is not None and outer != msg_id:
            self._inner[outer] = msg_id

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            self._inner.pop(msg_id, None)
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
        folders = list(params.workspace_folders or ())
        self._documents = SessionWorkspace(self.session, self.lock, params.root_uri, folders)
        if (user_handler := self.fm.features.get(types.INITIALIZE)) is not None:
            yield user_handler, (params,), None
        builder = ServerCapabilitiesBuilder(
            self.client_capabilities,
            self.extensions.features,
            self.fm.feature_options,
            [*self.extensions.commands],
            self._server._text_document_sync_kind,
            self._server._notebook_document_sync,
        )
        theirs = self._converter.unstructure(builder.build())  # type: ignore[no-untyped-call]
        given = merged_capabilities(self.extensions.declared, theirs)
        self.server_capabilities = self._converter.structure(given, types.ServerCapabilities)
        return types.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Call the extension's handler; the session does the rest."""
        if (user_handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield user_handler, args, None


def _is_alive(process: int | None) -> bool:
    """Return whether a process runs. On Windows, only the end of the input shows that the client has ended."""
    if process is None or sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    try:
        # a process that has ended but was not waited for no longer counts as a client
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[:1] != ["Z"]
    except OSError:
        return True
