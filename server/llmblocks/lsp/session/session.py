"""The session of one client, from `initialize` to `exit`."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial

from llmblocks.lsp.answers.ask import Workspace
from llmblocks.lsp.answers.table import TABLE, WORKSPACE_TABLE, capabilities
from llmblocks.lsp.client.client import Client, read_client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import Documents
from llmblocks.lsp.session import garbage
from llmblocks.lsp.session.chore import Chore
from llmblocks.lsp.session.configuration import Configuration
from llmblocks.lsp.session.logs import Logs
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
        self._can_wait = can_wait
        self._watches = watches
        self._work: deque[Iterator[None]] = deque()
        self._last_work: deque[Iterator[None]] = deque()
        self._settled = time.monotonic()
        self.inbox = Inbox(look)
        self.config = config = Config()
        self.documents = documents = Documents()
        self.dispatcher = dispatcher = Dispatcher(self.inbox, send, self._is_stale)
        begin, begin_later = self._work.append, self._last_work.append
        chores = (("logs", begin), ("check", begin_later))
        self._chores = reading, checking = [Chore(name, dispatcher, when) for name, when in chores]
        self.logs = logs = Logs(config, reading, visible)
        self.publisher = publisher = Publisher(dispatcher, config, logs, documents)
        self._files = files = WorkspaceFiles(config)
        self.requests = requests = DocumentRequests(publisher, config, logs, dispatcher, documents)
        self._checks = checks = WorkspaceDiagnostics(config, dispatcher, requests, publisher, files, checking)
        self.configuration = Configuration(config, requests, publisher, logs, files, checks, dispatcher, begin)
        follow = publisher.follow
        self._workspace = Workspace(documents, config, files.names, logs.text, logs.catch_up, dispatcher, follow)
        self._register()

    @property
    def client(self) -> Client:
        return self.config.client

    @property
    def exit_code(self) -> int | None:
        """The exit status once the session is over."""
        return self.dispatcher.exit_code

    @property
    def is_asked(self) -> bool:
        """Whether the client may wait for an answer."""
        return self.dispatcher.serving is not None or self.inbox.waiting()

    def step(self) -> bool:
        """Serve a message, or do a short step of background work; return whether there may be more to do."""
        if self.inbox.waiting():
            self.serve(self.inbox.get())
        return self.exit_code is not None or self.idle() or self.inbox.waiting()

    def serve(self, arrival: Arrival) -> None:
        """Serve one message, and send diagnostics once no message is waiting."""
        self.dispatcher.serve(arrival)
        self._deliver()

    def idle(self) -> bool:
        """Do a short step of background work, unless messages are waiting; return whether there was any.

        Messages wait for one step, so steps are short.
        """
        work = self._work or self._last_work
        if not work:
            if not self._can_wait:
                self._sweep()
            return False
        if self._more_waits():
            return False
        steps = work.popleft()
        try:
            next(steps)
            work.append(steps)
        except StopIteration:
            pass
        except Exception as error:
            # like the dispatcher's: errors in background work do not end the server
            self.dispatcher.report("work between messages", None, error)
        if self.logs.wants_refresh:
            self.logs.wants_refresh = False
            self.publisher.refresh_answers()
        self._deliver()
        return True

    def patience(self) -> float | None:
        """Return the seconds without a message after which `release` has work, or None."""
        held = self.publisher.patience()
        return _QUIET_SECONDS if held is None and garbage.is_due() else held

    def release(self) -> None:
        """Publish the held-back diagnostics that are due, and collect garbage."""
        self.publisher.release()
        self._deliver()
        self._sweep()

    def publish_added(self, uri: str, version: int | None, items: list[Json]) -> bool:
        """Publish an extension's diagnostics of an open document with those of the session; return whether it is open.

        Diagnostics of an older version are dropped.
        """
        opened = self.documents.get(uri)
        if opened is not None and version in (None, opened.version):
            self.publisher.add(opened, items)
            self._deliver()
        return opened is not None

    def _deliver(self) -> None:
        """Publish the diagnostics that are due, once no message is waiting."""
        if self.publisher.take_changed():
            self._checks.documents_changed()
        is_late = time.monotonic() - self._settled > _LONGEST_SILENCE_SECONDS
        if self.publisher.due and (not self._more_waits() or is_late):
            try:
                self.publisher.settle()
            except Exception as error:
                # as in the dispatcher: an error in one document does not end the server
                self.dispatcher.report("textDocument/publishDiagnostics", None, error)
            self._settled = time.monotonic()

    def _sweep(self) -> None:
        if garbage.is_due() and not self._more_waits():
            garbage.sweep()

    def _more_waits(self) -> bool:
        if not self.inbox.waiting():
            self.inbox.look()
        return self.inbox.waiting()

    def _is_stale(self, method: str, params: Json) -> bool:
        """Return whether ContentModified is allowed: the client must have announced that it repeats the request."""
        uri = uri_in(params) if method in self.client.retries else None
        return uri is not None and self.inbox.will_change(uri)

    def _register(self) -> None:
        requests, configuration = self.requests, self.configuration
        answers = self.dispatcher.requests
        answers["initialize"] = self._initialize
        answers["shutdown"] = self._shutdown
        answers["textDocument/diagnostic"] = requests.pull
        answers["workspace/diagnostic"] = self._checks.ask
        for feature in TABLE:
            answers[feature.method] = partial(requests.ask, feature)
            if feature.resolves is not None:
                answers[feature.resolves.method] = partial(requests.resolve, feature.resolves)
        for each in WORKSPACE_TABLE:
            answers[each.method] = partial(each.answer, self._workspace)
        self.dispatcher.notifications |= {
            "initialized": self._initialized,
            "workspace/didChangeConfiguration": configuration.changed,
            "workspace/didChangeWatchedFiles": configuration.files_changed,
            "workspace/didChangeWorkspaceFolders": configuration.folders_changed,
            "textDocument/didSave": configuration.files_changed,
            "textDocument/didOpen": configuration.opened,
            "textDocument/didChange": configuration.edited,
            "textDocument/didClose": configuration.closed,
            "window/workDoneProgress/cancel": self._cancel,
        }

    def _initialize(self, params: Json) -> Json:
        if self.dispatcher.stage != "new":
            raise RequestError(INVALID_REQUEST, "initialize came twice")
        client = read_client(params)
        client = replace(
            client,
            registers_watched_files=client.registers_watched_files and self._watches,
            calm=client.calm and self._can_wait,
        )
        self.configuration.start(client)
        self.dispatcher.stage = "running"
        self._work.append(self._prepare())
        logger.info("client %s, positions in %s", client.name or "(no name)", client.encoding)
        checks = client.pulls and bool(self.config.checked_folders(client.folders))
        return {
            "capabilities": capabilities(client, checks_workspace=checks),
            "serverInfo": {"name": "llmblocks", "version": self.version},
        }

    def _prepare(self) -> Iterator[None]:
        yield from self.config.of("").languages.prepare()

    def _initialized(self, params: Json) -> None:
        registrations = self.client.registrations()
        if registrations:
            self.dispatcher.ask("client/registerCapability", {"registrations": registrations})
        self.configuration.ask()
        for each in self._chores:
            each.is_shown = self.client.shows_progress
        for disk in (self._files, self._checks):
            disk.reconfigured()

    def _cancel(self, params: Json) -> None:
        for each in self._chores:
            each.cancel(at(params, "token"))

    def _shutdown(self, params: Json) -> None:
        self.dispatcher.stage = "shut down"
        self._checks.end()
        self.config.end()
