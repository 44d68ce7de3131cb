"""The guest of the session: handlers of extensions, which pygls runs after the session."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from llmblocks.lsp.wire.dispatch import LATER, Handler, MessageServer
from llmblocks.lsp.wire.params import an_object
from llmblocks.lsp.wire.rpc import Json, RequestError

if TYPE_CHECKING:
    from llmblocks.lsp.front.protocol import Protocol

logger = logging.getLogger(__name__)
_FOR_PYGLS = frozenset(
    {
        types.NOTEBOOK_DOCUMENT_DID_CHANGE,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE,
        types.NOTEBOOK_DOCUMENT_DID_OPEN,
        types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    }
)
"""The notifications that pygls needs for extensions, even without a handler."""


JOINED = frozenset(
    {
        "callHierarchy/incomingCalls",
        "callHierarchy/outgoingCalls",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/completion",
        "textDocument/diagnostic",
        "textDocument/documentHighlight",
        "textDocument/documentLink",
        "textDocument/foldingRange",
        "textDocument/inlayHint",
        "textDocument/prepareCallHierarchy",
        "textDocument/references",
        "workspace/symbol",
    }
)
"""Requests with lists of independent items: the client gets both lists. For other requests, the extension's answer
counts.
"""

_ENCODING = "positionEncoding"
_REPLACED = "semanticTokensProvider"
"""The legend of the results defines their numbers, so two results cannot be mixed."""


def is_replaced(method: str) -> bool:
    """Return whether only the extension answers a request that both serve, even without a result."""
    # the session answers a request for the findings of the workspace later
    return method.startswith("textDocument/semanticTokens") or method == "workspace/diagnostic"


def merged_capabilities(ours: dict[str, Json], theirs: dict[str, Json]) -> dict[str, Json]:
    """Merge the capabilities of the session with those of the extension alone, as pygls builds them."""
    known = {name: value for name, value in theirs.items() if name != _ENCODING}
    found: dict[str, Json] = _merged(ours, known)
    return found | {name: theirs[name] for name in (_REPLACED,) if name in theirs}


def _merged(ours: Json, theirs: Json) -> Json:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        # pygls also lists capabilities that an extension lacks
        told = {name: value for name, value in theirs.items() if value not in (None, False, {})}
        return ours | {name: _merged(ours.get(name), value) for name, value in told.items()}
    if isinstance(ours, list) and isinstance(theirs, list):
        return ours + [each for each in theirs if each not in ours]
    # `true` promises less than options do
    return ours if theirs is True and isinstance(ours, dict) else theirs


def merged_results(method: str, theirs: Json, ours: Json) -> Json:
    """Return the result of a request that both serve: both for those in `JOINED`, otherwise the extension's, if any."""
    if theirs is None:
        return ours
    if method not in JOINED or ours is None:
        return theirs
    if isinstance(theirs, list) and isinstance(ours, list):
        return theirs + ours
    if isinstance(theirs, list) and isinstance(ours, dict):
        # ours is a completion list
        return ours | {"items": theirs + ours.get("items", [])}
    if isinstance(theirs, dict):
        # a completion list, or a report of diagnostics, whose id stands for its own items alone
        more = ours.get("items", []) if isinstance(ours, dict) else ours
        kept = {name: value for name, value in theirs.items() if name != "resultId"}
        kind = {"kind": "full"} if "kind" in theirs else {}
        return kept | kind | {"items": theirs.get("items", []) + more}
    return theirs


class Extensions(MessageServer):
    """Passes messages to the handlers of extensions: those of `server.feature` that are not the session's own."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._published: dict[str, list[Json]] = {}
        self.added_commands: set[str] = set()
        self.added_features: set[str] = set()

    @property
    def keeps_all(self) -> bool:
        """Whether an extension may read a document of any language."""
        return bool(self.added_features or self.added_commands)

    def request(self, request_id: int | str, method: str, own: Handler | None) -> Handler | None:
        if method == types.INITIALIZE and own is not None:
            return partial(self._initialize, request_id, own)
        if method == types.WORKSPACE_EXECUTE_COMMAND and own is not None:
            return partial(self._command, request_id, own)
        if own is not None and self._completes(method):
            return partial(self._resolve, request_id, method, own)
        return partial(self._ask, request_id, method, own) if method in self.added_features else own

    def _completes(self, method: str) -> bool:
        """Return whether an item to resolve may belong to an extension."""
        kind, slash, _ = method.partition("/resolve")
        return bool(slash) and not self.added_features.isdisjoint((method, f"textDocument/{kind}"))

    def notification(self, method: str, own: Handler | None) -> Handler | None:
        if method == types.TEXT_DOCUMENT_DID_CLOSE and own is not None:
            own = partial(self._closed, own)
        if method in self.added_features or (self.keeps_all and method in _FOR_PYGLS):
            return partial(self._tell, method, own)
        return own

    def response(self, message: dict[str, Json]) -> bool:
        with self._unlocked():
            return self._protocol.answered(message)

    def cancel(self, request_id: int | str) -> None:
        with self._unlocked():
            self._protocol.cancel(request_id)

    def added(self, uri: str) -> list[Json]:
        return self._published.get(uri, [])

    def publish(self, uri: str, version: int | None, items: list[Json]) -> bool:
        """Send an extension's diagnostics of an open document with those of the session; return whether it is open.

        Diagnostics of an older version are dropped.
        """
        session = self._protocol.session
        with self._protocol.lock:
            opened = session.document_requests.documents.get(uri)
            if opened is None:
                return False
            is_old = version is not None and version != opened.version
            if is_old or items == self._published.get(opened.uri, []):
                return True
            self._published[opened.uri] = items
            session.publisher.mark(opened)
            if not session.publisher.pushes and session.client.refreshes_pulled:
                session.dispatcher.ask("workspace/diagnostic/refresh", None)
        self._protocol.settle()
        return True

    def _initialize(self, request_id: int | str, own: Handler, params: Json) -> Json:
        result = own(params)
        if not self.keeps_all:
            # reading all parameters as pygls does takes longer than opening a document
            about = self._protocol.server_info
            return {**result, "serverInfo": {"name": about.name, "version": about.version}}
        self._protocol.declared = result["capabilities"]
        try:
            self._protocol.typed(types.INITIALIZE, params, request_id)
        except RequestError as error:
            logger.warning("extensions do not know the client: %s", error.message)
            params = {"capabilities": {}, "processId": None, "rootUri": None}
        return self._run(types.INITIALIZE, params, request_id)

    def _command(self, request_id: int | str, own: Handler, params: Json) -> Json:
        if an_object(params, "params").get("command") in (*self.added_commands,):
            return self._run(types.WORKSPACE_EXECUTE_COMMAND, params, request_id)
        return own(params)

    def _resolve(self, request_id: int | str, method: str, own: Handler, params: Json) -> Json:
        """Complete an item that may belong to the session or the extension."""
        try:
            params = own(params)
        except RequestError as error:
            logger.debug("%s may be about an item of an extension: %s", method, error.message)
        return self._run(method, params, request_id) if method in self.added_features else params

    def _ask(self, request_id: int | str, method: str, own: Handler | None, params: Json) -> Json:
        ours = None
        if method == types.SHUTDOWN and own is not None:
            own(params)
            params = None
        elif own is not None and not is_replaced(method) and not self._is_pushed(method):
            # the client knows the result of both
            ours = own({name: value for name, value in params.items() if name != "previousResultId"})
        return self._run(method, params, request_id, ours)

    def _is_pushed(self, method: str) -> bool:
        """Return whether the client already has the session's result."""
        return method == types.TEXT_DOCUMENT_DIAGNOSTIC and self._protocol.session.publisher.pushes

    def _closed(self, own: Handler, params: Json) -> None:
        own(params)
        documents = self._protocol.session.document_requests.documents
        self._published = {uri: items for uri, items in self._published.items() if documents.get(uri)}

    def _tell(self, method: str, own: Handler | None, params: Json) -> None:
        if own is not None:
            own(params)
        try:
            self._run(method, params)
        except RequestError:
            if method in self.added_features:
                raise

    def _run(self, method: str, params: Json, request_id: int | str | None = None, ours: Json = None) -> Json:
        message = self._protocol.typed(method, params, request_id)
        with self._unlocked():
            self._protocol.run(message, method, ours)
        return LATER

    @contextmanager
    def _unlocked(self) -> Iterator[None]:
        """Release the lock while the extension's code runs, so that its threads can read documents."""
        self._protocol.lock.release()
        try:
            yield
        finally:
            self._protocol.lock.acquire()
