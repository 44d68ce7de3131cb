"""The session of one client, from `initialize` to `exit`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial

from llmblocks.lsp.answers.ask import Workspace
from llmblocks.lsp.answers.table import TABLE, WORKSPACE_TABLE, capabilities
from llmblocks.lsp.client.client import Client, read_client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.session import garbage
from llmblocks.lsp.session.configuration import Configuration
from llmblocks.lsp.session.contents import Contents
from llmblocks.lsp.session.log_reader import LogReader
from llmblocks.lsp.session.logs import Logs
from llmblocks.lsp.session.progress import Progress
from llmblocks.lsp.session.publisher import Publisher
from llmblocks.lsp.session.requests import DocumentRequests
from llmblocks.lsp.session.workspace_diagnostics import WorkspaceDiagnostics
from llmblocks.lsp.session.workspace_files import WorkspaceFiles
from llmblocks.lsp.wire.dispatch import Arrival, Dispatcher, Inbox, Send
from llmblocks.lsp.wire.params import at, uri_in
from llmblocks.lsp.wire.rpc import INVALID_REQUEST, Json, RequestError

logger = logging.getLogger(__name__)
_LONGEST_SILENCE_SECONDS = 0.2
_QUIET_SECONDS = 1.0
"""After this time without a message, nobody types: there is time for a full collection."""


class ServerSession:
    """The state of one client, independent of the transport.

    A call of `serve` serves one message; `exit_code` is None until the session is over.

    Args:
        send: Delivers a message, in the serving thread or in one of an extension.
        look: Puts newly arrived messages into the inbox.
        can_wait: Somebody calls `release` after `patience` seconds.
        watches: Files can change without the server, so that the client is asked to watch them.
        visible: The only folders whose files it can see; None is all.
    """

    def __init__(
        self,
        version: str,
        send: Send,
        *,
        look: Callable[[], None] = lambda: None,
        can_wait: bool = False,
        watches: bool = True,
        visible: Collection[str] | None = None,
    ) -> None:
        self.version = version
        self._watches = watches
        self._chores: list[Iterator[None]] = []
        self._spare: list[Iterator[None]] = []
        self._settled = time.monotonic()
        self.inbox = Inbox(look)
        self.config = config = Config()
        self.dispatcher = dispatcher = Dispatcher(self.inbox, send, self._is_stale)
        self.progress = {name: Progress(name, dispatcher) for name in ("logs", "files", "check")}
        begin, begin_later = self._chores.append, self._spare.append
        self.logs = logs = Logs(config, LogReader(config, self.progress["logs"]), begin, visible)
        self.publisher = publisher = Publisher(send, config, logs, can_wait)
        self.files = WorkspaceFiles(config, self.progress["files"], begin_later)
        self.document_requests = requests = DocumentRequests(publisher, config, logs, dispatcher)
        self.workspace_diagnostics = WorkspaceDiagnostics(
            config, dispatcher, requests, publisher, self.files, self.progress["check"], begin_later
        )
        self.contents = Contents(dispatcher)
        self._workspace = Workspace(
            requests.documents,
            config,
            self.files,
            logs.text,
            logs.catch_up,
            dispatcher,
            self.contents.follow,
        )
        self.configuration = Configuration(
            config, requests, publisher, logs, self.files, self.workspace_diagnostics, self.contents, dispatcher, begin
        )
        self._register()

    @property
    def client(self) -> Client:
        """The client, as described in `initialize`."""
        return self.config.client

    @property
    def exit_code(self) -> int | None:
        """The exit status once the session is over."""
        return self.dispatcher.exit_code

    @property
    def is_asked(self) -> bool:
        """Whether the client may wait for an answer."""
        return self.dispatcher.serving is not None or self.inbox.waiting()

    def serve(self, arrival: Arrival) -> None:
        """Serve one message, and send diagnostics once no message is waiting."""
        self.dispatcher.serve(arrival)
        self._follow()
        if self.publisher.due and (
            not self._more_waits() or time.monotonic() - self._settled > _LONGEST_SILENCE_SECONDS
        ):
            self.settle()

    def idle(self) -> bool:
        """Do a short step of background work, unless messages are waiting; return whether there was any.

        Messages wait for one step, so steps are short.
        """
        # background work comes last
        chores = self._chores or self._spare
        if not chores:
            # with a waiting caller, `release` does this
            if garbage.is_due() and not self.publisher.can_wait and not self._more_waits():
                garbage.sweep()
            return False
        if self._more_waits():
            return False
        chore = chores[0]
        try:
            next(chore)
        except StopIteration:
            chores.remove(chore)
        except Exception as error:
            # like the dispatcher's: errors in background work do not end the server
            chores.remove(chore)
            self.dispatcher.report("work between messages", None, error)
        self._follow()
        if self.logs.wants_refresh:
            self.logs.wants_refresh = False
            self.configuration.refresh()
        if self.publisher.due and not self._more_waits():
            self.settle()
        return True

    def _follow(self) -> None:
        """Register changed documents, and those whose findings have changed because of others."""
        self.publisher.mark_changed()
        if changed := self.publisher.take_changed():
            self.workspace_diagnostics.documents_changed()
            self.contents.documents_changed(changed)

    def _more_waits(self) -> bool:
        if not self.inbox.waiting():
            self.inbox.look()
        return self.inbox.waiting()

    def settle(self) -> None:
        """Publish the diagnostics that are due."""
        self._publish(self.publisher.settle)

    def publish_added(self, uri: str, version: int | None, items: list[Json]) -> bool:
        """Publish an extension's diagnostics of an open document with those of the session; return whether it is open.

        Diagnostics of an older version are dropped.
        """
        opened = self.document_requests.documents.get(uri)
        if opened is not None and version in (None, opened.version) and self.publisher.add(opened, items):
            if not self.publisher.pushes and self.client.refreshes_pulled:
                self.dispatcher.ask("workspace/diagnostic/refresh", None)
            if not self.inbox.waiting():
                self.settle()
        return opened is not None

    def patience(self) -> float | None:
        """Return the seconds without a message after which `release` has work, or None."""
        held = self.publisher.patience()
        return _QUIET_SECONDS if held is None and garbage.is_due() else held

    def release(self) -> None:
        """Publish the held-back diagnostics that are due, and collect garbage."""
        self._publish(self.publisher.release)
        if garbage.is_due() and not self._more_waits():
            garbage.sweep()

    def _publish(self, publish: Callable[[], None]) -> None:
        try:
            publish()
        except Exception as error:
            # as in the dispatcher: an error in one document does not end the server
            self.dispatcher.report("textDocument/publishDiagnostics", None, error)
        self._settled = time.monotonic()

    def _is_stale(self, method: str, params: Json) -> bool:
        """Return whether ContentModified is allowed: the client must have announced that it repeats the request."""
        uri = uri_in(params) if method in self.client.retries else None
        return uri is not None and self.inbox.will_change(uri)

    def _register(self) -> None:
        requests, notifications = self.dispatcher.requests, self.dispatcher.notifications
        document_requests, configuration = self.document_requests, self.configuration
        requests["initialize"] = self._initialize
        requests["shutdown"] = self._shutdown
        requests["textDocument/diagnostic"] = document_requests.pull
        requests["workspace/diagnostic"] = self.workspace_diagnostics.ask
        for feature in TABLE:
            requests[feature.method] = partial(document_requests.ask, feature)
            if feature.resolves is not None:
                requests[feature.resolves.method] = partial(document_requests.resolve, feature.resolves)
        for each in WORKSPACE_TABLE:
            requests[each.method] = partial(each.answer, self._workspace)
        notifications["initialized"] = self._initialized
        notifications["workspace/didChangeConfiguration"] = configuration.changed
        notifications["workspace/didChangeWatchedFiles"] = configuration.files_changed
        notifications["workspace/didChangeWorkspaceFolders"] = configuration.folders_changed
        notifications["textDocument/didSave"] = configuration.files_changed
        notifications["textDocument/didOpen"] = configuration.opened
        notifications["textDocument/didChange"] = configuration.edited
        notifications["textDocument/didClose"] = configuration.closed
        notifications["window/workDoneProgress/cancel"] = self._cancel_progress

    def _initialize(self, params: Json) -> Json:
        if self.dispatcher.stage != "new":
            raise RequestError(INVALID_REQUEST, "initialize came twice")
        client = read_client(params)
        if not self._watches:
            client = replace(client, registers_watched_files=False)
        self.configuration.start(client)
        self.dispatcher.stage = "running"
        self._chores.append(self._prepare())
        logger.info("client %s, positions in %s", client.name or "(no name)", client.encoding)
        checks = client.pulls and bool(self.config.checked_folders(client.folders))
        return {
            "capabilities": capabilities(client, checks_workspace=checks),
            "serverInfo": {"name": "llmblocks", "version": self.version},
        }

    def _prepare(self) -> Iterator[None]:
        """Load what the first documents need."""
        yield from self.config.of("").languages.prepare()

    def _initialized(self, params: Json) -> None:
        registrations = self.client.registrations()
        if registrations:
            self.dispatcher.ask("client/registerCapability", {"registrations": registrations})
        self.configuration.ask()
        for each in self.progress.values():
            each.is_shown = self.client.shows_progress
        for disk in (self.files, self.workspace_diagnostics):
            disk.take_roots(self.client.folders)

    def _cancel_progress(self, params: Json) -> None:
        for each in self.progress.values():
            each.cancel(at(params, "token"))

    def _shutdown(self, params: Json) -> None:
        self.dispatcher.stage = "shut down"
        self.workspace_diagnostics.end()
        self.config.end()
