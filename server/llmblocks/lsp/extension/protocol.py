"""pygls' protocol on top of a session: it runs handlers and sends what they say, and has no transport."""

from __future__ import annotations

import contextvars
import json
import logging
import uuid
from collections.abc import Callable, Generator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from cattrs import Converter, transform_error
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)
from pygls.protocol.json_rpc import MsgId

from llmblocks.lsp.extension.merge import merged_capabilities, merged_results
from llmblocks.lsp.extension.shared import SharedSession
from llmblocks.lsp.extension.workspace import SessionWorkspace, UnreadableDocumentError
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.rpc import Json, RawJson

logger = logging.getLogger(__name__)
UNKNOWN_CLIENT = types.InitializeParams(capabilities=types.ClientCapabilities())
"""What a handler of `initialize` gets of a client whose parameters are not as the protocol has them."""


class Asked(NamedTuple):
    """A request that a handler is working on. Shape: `ours` is the session's result, None where it has none."""

    method: str
    ours: Json


class ExtensionProtocol(LanguageServerProtocol):
    """What pygls does for an extension: handlers of each kind, typed parameters, requests to the client."""

    def __init__(self, shared: SharedSession, server: LanguageServer, converter: Converter) -> None:
        self._shared = shared
        self._session = shared.session
        self._asked: dict[MsgId, Asked] = {}
        self._inner: dict[MsgId, MsgId] = {}
        self.declared: dict[str, Json] = {}
        super().__init__(server, converter)

    def read(self, method: str, params: Json, request_id: MsgId | None = None) -> Any:
        """The parameters of a message as its handler gets them. Errors: `RequestError` InvalidParams."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        kind = self.get_message_type(method)
        if request_id is not None:
            message["id"] = request_id
        if kind is None:
            kind = JsonRPCNotification if request_id is None else JsonRPCRequestMessage
        try:
            return self._converter.structure(message, kind).params
        except Exception as error:
            raise rpc.invalid(f"{method}: {_reasons(error)}") from None

    def run(self, method: str, params: Any, request_id: MsgId | None = None, ours: Json = None) -> None:
        """Call the handler of a message. That of a request is answered when the handler is done.

        Shape: `params` are those of `read`; `ours` is the session's result of the same request.
        """
        if request_id is not None:
            self._asked[request_id] = Asked(method, ours)
        contextvars.copy_context().run(self._start, method, params, request_id)

    def _start(self, method: str, params: Any, request_id: MsgId | None) -> None:
        if request_id is not None:
            self._ctx_msg_id.set(request_id)
        done = partial(self._done, method=method, request_id=request_id)
        msg_id = str(uuid.uuid4()) if request_id is None else request_id
        self._execute_handler(msg_id, self._get_handler(method), done, (params,))

    def leave(self, then: Callable[[], None]) -> None:
        """Call the handler of `exit`; `then` is called when it is done, maybe in its thread."""
        handler = self.fm.features.get(types.EXIT)
        if handler is None:
            then()
            return

        def done(future: Future[Any]) -> None:
            self._done(future, method=types.EXIT, request_id=None)
            then()

        self._execute_handler(str(uuid.uuid4()), handler, done, (None,))

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        outer = self.msg_id
        if outer in self._asked and outer != msg_id:
            # the function of a command, called by the handler of all commands: it is cancelled with that
            self._inner[outer] = msg_id

        def done(future: Future[Any]) -> None:
            # pygls keeps those of notifications for ever
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _done(self, future: Future[Any], *, method: str, request_id: MsgId | None) -> None:
        """A handler is done: send its result, or say what went wrong."""
        if request_id is None:
            if not future.cancelled() and (error := future.exception()) is not None and not _is_unread(method, error):
                self._session.dispatcher.faults.report(method, None, error)
            return
        self._inner.pop(request_id, None)
        asked = self._asked.pop(request_id, None)
        if asked is None:
            return
        if future.cancelled():
            body = rpc.error(request_id, rpc.REQUEST_CANCELLED, f"{method} was cancelled")
        elif (error := future.exception()) is not None:
            body = self._failure(asked, request_id, error)
        else:
            try:
                body = rpc.reply(request_id, self._result(asked, future.result()))
            except Exception as failed:
                body = self._failure(asked, request_id, failed)
        self._session.send(body, None)

    def _failure(self, asked: Asked, request_id: MsgId, error: BaseException) -> bytes:
        if isinstance(error, JsonRpcException):
            # raised to be the answer
            answer = self._as_json(error.to_response_error())
            return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (rpc.encode(request_id), answer)
        if _is_unread(asked.method, error):
            return rpc.reply(request_id, asked.ours)
        reason = self._session.dispatcher.faults.report(asked.method, None, error)
        return rpc.error(request_id, rpc.INTERNAL_ERROR, reason)

    def _result(self, asked: Asked, result: Any) -> Json:
        theirs = self._as_json(result)
        if asked.ours is None:
            return RawJson(theirs)
        ours = json.loads(bytes(asked.ours)) if isinstance(asked.ours, RawJson) else asked.ours
        return merged_results(asked.method, json.loads(theirs), ours)

    def cancel(self, request_id: MsgId) -> None:
        """Cancel a request. A thread that has started runs to its end, and answers."""
        if request_id not in self._asked:
            return
        inner = self._inner.get(request_id, request_id)
        for each in dict.fromkeys((request_id, inner)):
            future = self._request_futures.get(each)
            if future is not None:
                future.cancel()

    def is_asked(self, request_id: MsgId) -> bool:
        """Whether an answer with this id is one to an extension."""
        return request_id in self._result_types

    def answered(self, request_id: MsgId, message: dict[str, Json]) -> None:
        """Take the client's answer to a request of an extension."""
        kind = self._result_types.pop(request_id, None) or JsonRPCResponseMessage
        future = self._request_futures.pop(request_id, None)
        if future is None:
            return
        # whoever waits may have given up at this moment
        with suppress(InvalidStateError):
            try:
                if "error" in message:
                    error = self._converter.structure(message["error"], types.ResponseError)
                    future.set_exception(JsonRpcException.from_error(error))
                else:
                    given = {"jsonrpc": "2.0", "id": request_id, "result": message.get("result")}
                    future.set_result(self._converter.structure(given, kind).result)
            except InvalidStateError:
                raise
            except Exception as error:
                future.set_exception(JsonRpcInvalidParams(f"the client's answer: {_reasons(error)}"))

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification; diagnostics of an open document are sent with those of the session."""
        if isinstance(params, types.PublishDiagnosticsParams) and self._shared.publish(
            params.uri, params.version, self._as_json(params.diagnostics)
        ):
            return
        super().notify(method, params)

    def _send_data(self, data: Any) -> None:
        self._session.send(self._as_json(data), None)

    def _as_json(self, value: Any) -> bytes:
        return json.dumps(value, default=self._serialize_message, separators=(",", ":")).encode("ascii")

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Give the session's capabilities with those of the extension."""
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        folders = list(params.workspace_folders or ())
        try:
            workspace = SessionWorkspace(self._shared, params.root_uri, folders)
        except ValueError:
            workspace = SessionWorkspace(self._shared, None, folders)
        self._workspace = workspace
        if (user_handler := self.fm.features.get(types.INITIALIZE)) is not None:
            yield user_handler, (params,), None
        with_features = self._capabilities({*self.fm.features, *self.fm.builtin_features}, list(self.fm.commands))
        given = merged_capabilities(self.declared, with_features, self._capabilities(set(self.fm.builtin_features), []))
        self.server_capabilities = self._converter.structure(given, types.ServerCapabilities)
        return types.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)

    def _capabilities(self, features: set[str], commands: list[str]) -> dict[str, Json]:
        builder = ServerCapabilitiesBuilder(
            self.client_capabilities,
            features,
            self.fm.feature_options,
            commands,
            self._server._text_document_sync_kind,
            self._server._notebook_document_sync if features != set(self.fm.builtin_features) else None,
        )
        found: dict[str, Json] = json.loads(self._as_json(builder.build()))  # type: ignore[no-untyped-call]
        return found

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Call the extension's handler; the session does the rest."""
        if (user_handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield user_handler, args, None


def _is_unread(method: str, error: BaseException) -> bool:
    """Whether a handler failed at a document that is gone or too large: it has nothing to say of it."""
    if not isinstance(error, UnreadableDocumentError):
        return False
    logger.info("%s: %s", method, error)
    return True


def _reasons(error: Exception) -> str:
    return "; ".join(transform_error(error))[:300]
