"""The protocol of the server: pygls's. Each overridden method names the measured fault that it corrects.

Numbers are issues and pull requests of https://github.com/openlawlibrary/pygls.
"""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Any, cast

from cattrs import Converter, transform_error
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import MsgId

from llmblocks.lsp.front.connections import Connection
from llmblocks.lsp.front.extensions import SessionWorkspace, is_replaced, merged_capabilities, merged_results
from llmblocks.lsp.front.loop import Loop
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.dispatch import LATER, Handler
from llmblocks.lsp.wire.params import an_object
from llmblocks.lsp.wire.rpc import Json, RequestError

logger = logging.getLogger(__name__)
_GRACE_SECONDS = 1.0
_FOLLOWED = (types.WINDOW_WORK_DONE_PROGRESS_CANCEL, types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
"""pygls follows these for extensions, even without a handler."""
# the session logs these instead of pygls, and shows the user one fault
logging.getLogger("pygls").setLevel(logging.CRITICAL)


class Protocol(LanguageServerProtocol):
    """Passes messages to a session, one after the other, and those with handlers of extensions to pygls as well.

    `features` and `commands` are those of extensions. `lock` is held while the session works, but not while code of
    extensions runs.
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.features: set[str] = set()
        self.commands: set[str] = set()
        self._lock = Lock()
        self._loop: Loop | None = None
        self._documents: SessionWorkspace | None = None
        self._inner: dict[MsgId, MsgId] = {}
        self._asked: dict[MsgId, tuple[str, Json]] = {}
        self._declared: Json = {}
        super().__init__(server, converter)
        self.session = ServerSession(server.version, self._send, look=self._look, can_wait=True)
        self._dispatcher = self.session.dispatcher
        requests = self._dispatcher.requests
        requests[types.INITIALIZE] = partial(self._initialize, requests[types.INITIALIZE])
        command = types.WORKSPACE_EXECUTE_COMMAND
        requests[command] = partial(self._command, requests[command])

    def serve(self, connection: Connection) -> int:
        """Serve a client until the session is over, and return the exit status."""
        return asyncio.run(self._serve(connection))

    async def _serve(self, connection: Connection) -> int:
        self._loop = loop = Loop(self.session, self._lock, connection, self._server.process_id)
        self.set_writer(cast(Any, loop.outbox), include_headers=connection.is_framed)
        code = await loop.run()
        if (handler := self.fm.features.get(types.EXIT)) is not None:
            left: Future[None] = Future()
            self._execute_handler(str(uuid.uuid4()), handler, lambda _: left.set_result(None), (None,))
            await asyncio.wait([asyncio.wrap_future(left)], timeout=_GRACE_SECONDS)
        await loop.close(code)
        return code

    def _look(self) -> None:
        if self._loop is not None:
            self._loop.look()

    # messages for extensions

    def add(self, method: str) -> None:
        """Let the handler of an extension serve a method, too."""
        self.features.add(method)
        requests, notifications = self._dispatcher.requests, self._dispatcher.notifications
        if method not in (types.INITIALIZE, types.EXIT):
            # the names of requests are not known
            requests[method] = partial(self._ask, method, requests.get(method))
            notifications[method] = partial(self._tell, method, notifications.get(method))

    def _initialize(self, own: Handler, params: Json) -> Json:
        result = own(params)
        if not self.features and not self.commands:
            # reading all parameters as pygls does takes longer than opening a document
            about = self.server_info
            return {**result, "serverInfo": {"name": about.name, "version": about.version}}
        notifications = self._dispatcher.notifications
        for method in {*_FOLLOWED} - self.features:
            notifications[method] = partial(self._tell, method, notifications.get(method))
        self._declared = result["capabilities"]
        try:
            return self._run(types.INITIALIZE, params)
        except RequestError as error:
            logger.warning("extensions do not know the client: %s", error)
            return self._run(types.INITIALIZE, {"capabilities": {}, "processId": None, "rootUri": None})

    def _command(self, own: Handler, params: Json) -> Json:
        if an_object(params, "params").get("command") in (*self.commands,):
            return self._run(types.WORKSPACE_EXECUTE_COMMAND, params)
        return own(params)

    def _ask(self, method: str, own: Handler | None, params: Json) -> Json:
        ours = None
        # a client to which diagnostics are pushed has those of the session
        is_known = method == types.TEXT_DOCUMENT_DIAGNOSTIC and self.session.publisher.pushes
        if own is not None and not is_replaced(method) and not is_known:
            # the client knows the result of both
            ours = own({name: value for name, value in params.items() if name != "previousResultId"})
        if method.endswith("/resolve") and ours is not None:
            params = ours
        return self._run(method, None if method == types.SHUTDOWN else params, ours)

    def _tell(self, method: str, own: Handler | None, params: Json) -> None:
        if own is not None:
            own(params)
        try:
            self._pass_on(self._typed(method, params))
        except RequestError:
            if method in self.features:
                raise

    def _run(self, method: str, params: Json, ours: Json = None) -> Json:
        message = self._typed(method, params, self._dispatcher.serving)
        self._asked[message.id] = method, ours
        self._dispatcher.postpone(partial(self._cancel, message.id))
        self._pass_on(message)
        return LATER

    def _cancel(self, request_id: MsgId) -> None:
        """Cancel a request of an extension: pygls cancels a command, but not the function that it runs."""
        self._asked.pop(request_id, None)
        for each in (request_id, self._inner.get(request_id, request_id)):
            self._pass_on(types.CancelNotification(types.CancelParams(each)))

    def _typed(self, method: str, params: Json, request_id: MsgId | None = None) -> Any:
        """Convert a message for pygls.

        Raises:
            RequestError: InvalidParams.
        """
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        try:
            return self.structure_message(message if request_id is None else {**message, "id": request_id})
        except JsonRpcException as error:
            reasons = "; ".join(transform_error(error.__cause__ or error))[:300]
            raise rpc.invalid(f"{method}: {reasons}") from None

    def _pass_on(self, message: Any) -> None:
        """Let pygls serve a message without the lock, so that threads of extensions can read documents."""
        self._lock.release()
        try:
            self.handle_message(message)
        finally:
            self._lock.acquire()

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
        self._documents = SessionWorkspace(self.session, self._lock, params.root_uri, folders)
        if (user_handler := self.fm.features.get(types.INITIALIZE)) is not None:
            yield user_handler, (params,), None
        builder = ServerCapabilitiesBuilder(
            self.client_capabilities,
            self.features,
            self.fm.feature_options,
            [*self.commands],
            self._server._text_document_sync_kind,
            self._server._notebook_document_sync,
        )
        theirs = self._converter.unstructure(builder.build())  # type: ignore[no-untyped-call]
        given = merged_capabilities(self._declared, theirs)
        self.server_capabilities = self._converter.structure(given, types.ServerCapabilities)
        return types.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Call the extension's handler; the session does the rest."""
        if (user_handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield user_handler, args, None

    # messages to the client

    def _send(self, body: bytes) -> None:
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) if self._include_headers else body)

    def _send_data(self, data: Any) -> None:
        """Send a message of an extension, or its answer joined to the session's: pygls does not answer if a result
        cannot be written.
        """
        is_answer = not hasattr(data, "method")
        method, ours = self._asked.pop(data.id, ("", None)) if is_answer else ("", None)
        try:
            message = self._as_json(data)
            if "result" in message:
                message["result"] = merged_results(method, message["result"], ours)
            body = rpc.encode(message)
        except Exception as error:
            fault = self._dispatcher.report("a message of an extension", None, error)
            body = rpc.error(data.id if is_answer else None, fault)
        if is_answer:
            self._dispatcher.answer(data.id, body)
        else:
            self._send(body)

    def _as_json(self, value: Any) -> Json:
        return json.loads(json.dumps(value, default=self._serialize_message))

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification. Diagnostics of an open document are sent with those of the session."""
        if isinstance(params, types.PublishDiagnosticsParams):
            items = self._as_json(params.diagnostics)
            with self._lock:
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
        self._dispatcher.expect(msg_id, self._take_answer)
        return super().send_request(method, params, callback, msg_id)

    def _take_answer(self, message: dict[str, Json]) -> None:
        try:
            self._pass_on(self.structure_message({"jsonrpc": "2.0", "result": None, **message}))
        except JsonRpcException:
            # pygls never notifies code that waits for such an answer
            wrong = types.ResponseError(rpc.INVALID_PARAMS, "the client's answer is not as the protocol has it")
            self._pass_on(types.ResponseErrorMessage(message["id"], wrong))
