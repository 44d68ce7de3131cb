"""Which messages an extension serves, alone or together with the session."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from lsprotocol import types

from llmblocks.lsp.extension.merge import is_replaced
from llmblocks.lsp.extension.protocol import UNKNOWN_CLIENT, ExtensionProtocol
from llmblocks.lsp.extension.shared import SharedSession
from llmblocks.lsp.session.dispatch import LATER, Handler
from llmblocks.lsp.wire.params import an_object
from llmblocks.lsp.wire.rpc import Json, RequestError, invalid

logger = logging.getLogger(__name__)
_DOCUMENTS = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE)
_FOR_PYGLS = frozenset(
    {
        types.NOTEBOOK_DOCUMENT_DID_CHANGE,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE,
        types.NOTEBOOK_DOCUMENT_DID_OPEN,
        types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    }
)
"""What pygls itself wants to know, whether the extension has a handler or not."""


class ExtensionGuest:
    """Gives messages to the handlers of an extension, after the session has had them."""

    def __init__(self, shared: SharedSession, protocol: ExtensionProtocol) -> None:
        self._shared = shared
        self._protocol = protocol
        self._features = protocol.fm.features
        self._commands = protocol.fm.commands

    def request(self, request_id: int | str, method: str, own: Handler | None) -> Handler | None:
        """The handler of a request: the extension's if it has one."""
        if method == types.INITIALIZE and own is not None:
            return partial(self._initialize, request_id, own)
        if method == types.WORKSPACE_EXECUTE_COMMAND and self._commands:
            return partial(self._command, request_id, own)
        if own is not None and method.endswith("/resolve"):
            return partial(self._resolve, request_id, method, own)
        if method in self._features:
            return partial(self._ask, request_id, method, own)
        return own

    def notification(self, method: str, own: Handler | None) -> Handler | None:
        """The handler of a notification: the session's, then the extension's."""
        if method in _DOCUMENTS and own is not None:
            return partial(self._document, method, own)
        if method in self._features or method in _FOR_PYGLS:
            return partial(self._tell, method, own)
        return own

    def response(self, message: dict[str, Json]) -> bool:
        """Take an answer of the client, if it is one to the extension."""
        if not self._protocol.is_asked(message["id"]):
            return False
        with self._unlocked():
            self._protocol.answered(message["id"], message)
        return True

    def cancel(self, request_id: int | str) -> None:
        """End a request that the extension is working on."""
        with self._unlocked():
            self._protocol.cancel(request_id)

    def _initialize(self, request_id: int | str, own: Handler, params: Json) -> Json:
        result = own(params)
        self._protocol.declared = result["capabilities"]
        try:
            given = self._protocol.read(types.INITIALIZE, params, request_id)
        except RequestError as error:
            logger.warning("extensions are not told who the client is: %s", error.message)
            given = UNKNOWN_CLIENT
        return self._call(types.INITIALIZE, given, request_id)

    def _command(self, request_id: int | str, own: Handler | None, params: Json) -> Json:
        name = an_object(params, "params").get("command")
        if not isinstance(name, str) or name not in self._commands:
            if own is not None:
                return own(params)
            raise invalid(f"there is no command {name!r:.100}")
        method = types.WORKSPACE_EXECUTE_COMMAND
        return self._call(method, self._protocol.read(method, params, request_id), request_id)

    def _resolve(self, request_id: int | str, method: str, own: Handler, params: Json) -> Json:
        """The item may be the session's or the extension's: each completes its own."""
        try:
            params = own(params)
        except RequestError:
            of_extension = f"textDocument/{method.removesuffix('/resolve')}" in self._features
            if not of_extension and method not in self._features:
                raise
        if method not in self._features:
            return params
        return self._call(method, self._protocol.read(method, params, request_id), request_id)

    def _ask(self, request_id: int | str, method: str, own: Handler | None, params: Json) -> Json:
        ours = None
        if method == types.SHUTDOWN:
            params = own(params) if own is not None else None
        elif own is not None and not is_replaced(method) and not self._is_pushed(method):
            # what the client knows is the result of both
            ours = own({name: value for name, value in params.items() if name != "previousResultId"})
        return self._call(method, self._protocol.read(method, params, request_id), request_id, ours)

    def _is_pushed(self, method: str) -> bool:
        """Whether the client has the session's result already."""
        return method == types.TEXT_DOCUMENT_DIAGNOSTIC and self._shared.session.publisher.pushes

    def _document(self, method: str, own: Handler, params: Json) -> None:
        own(params)
        self._shared.forget_closed()
        if method in self._features:
            self._call(method, self._protocol.read(method, params))

    def _tell(self, method: str, own: Handler | None, params: Json) -> None:
        if own is not None:
            own(params)
        try:
            given = self._protocol.read(method, params)
        except RequestError:
            if method in self._features:
                raise
            return
        self._call(method, given)

    def _call(self, method: str, params: object, request_id: int | str | None = None, ours: Json = None) -> Json:
        with self._unlocked():
            self._protocol.run(method, params, request_id, ours)
        return LATER

    @contextmanager
    def _unlocked(self) -> Iterator[None]:
        """While code of the extension runs, its threads may read documents."""
        self._shared.lock.release()
        try:
            yield
        finally:
            self._shared.lock.acquire()
