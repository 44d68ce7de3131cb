"""The settings of a session: requests to the client, and its notifications of changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from llmblocks.lsp.client.client import Client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.session.logs import Logs
from llmblocks.lsp.session.publisher import Publisher
from llmblocks.lsp.session.requests import DocumentRequests
from llmblocks.lsp.session.workspace_diagnostics import WorkspaceDiagnostics
from llmblocks.lsp.session.workspace_files import WorkspaceFiles
from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.params import an_object, uri_of
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import path_of
from llmblocks.settings.files import NAMES
from llmblocks.settings.given import own_settings
from llmblocks.workspace.listing import FilesBeside

_STEP_SECONDS = 0.02
_IMPORT = "Import"


@dataclass(eq=False)
class Configuration:
    """Keeps the settings up to date: of all documents, and of each folder of the workspace."""

    _config: Config
    _requests: DocumentRequests
    _publisher: Publisher
    _logs: Logs
    _files: WorkspaceFiles
    _checks: WorkspaceDiagnostics
    _dispatcher: Dispatcher
    _begin: Callable[[Iterator[None]], None]
    _imports: bool = False
    _has_asked_for_trust: bool = False
    _watched: list[str] = field(default_factory=list)

    def start(self, client: Client) -> None:
        self._config.client = client
        self._config.project.trust(trusted=client.trusted)
        self._config.take_roots(client.folders)
        self._config.take_client(own_settings(client.options))
        self._requests.reconfigure()

    def ask(self) -> None:
        if self._config.client.has_configuration:
            folders = [folder.as_uri() for folder in self._config.roots]
            items = [{"section": "llmblocks"}, *[{"scopeUri": each, "section": "llmblocks"} for each in folders]]
            self._dispatcher.ask("workspace/configuration", {"items": items}, partial(self._take, folders))

    def changed(self, params: Json) -> None:
        """Handle workspace/didChangeConfiguration."""
        if self._config.client.has_configuration:
            self.ask()
        else:
            self._take((), [own_settings(params)])

    def files_changed(self, params: Json) -> None:
        """Handle workspace/didChangeWatchedFiles and textDocument/didSave of settings files and logs."""
        given = an_object(params, "params")
        changes = given.get("changes")
        documents = [given.get("textDocument"), *(changes if isinstance(changes, list) else ())]
        uris = [each["uri"] for each in documents if isinstance(each, dict) and isinstance(each.get("uri"), str)]
        paths = {*filter(None, map(path_of, uris))}
        if any(map(self._config.project.reads, paths)):
            self._config.saved(paths)
            self._config.forget_files()
            self._config.take_files(paths)
            self._reconfigure()
        for each in (self._logs, self._files, self._checks):
            each.files_changed(paths)
        self._publisher.refresh_views()
        self._embedded_changed(paths)

    def _embedded_changed(self, paths: set[str]) -> None:
        """Check the files that open documents embed again."""
        has_changed = False
        for opened in self._requests.documents:
            text = opened.text
            if text is None or not isinstance(text.other_files, FilesBeside) or not text.other_files.looked:
                continue
            # saving a document also triggers this, if the client watches none of its files
            if paths.isdisjoint((path_of(opened.uri), *text.other_files.looked)):
                continue
            text.settle()
            if text.told.other_files_changed():
                self._publisher.mark(opened)
                has_changed = True
        if has_changed:
            self._publisher.refresh_answers()

    def folders_changed(self, params: Json) -> None:
        """Handle workspace/didChangeWorkspaceFolders. Raises `RequestError`."""
        event = an_object(an_object(params, "params").get("event"), "event")
        self._config.client = client = self._config.client.with_folders(event)
        self._config.take_roots(client.folders)
        self._reconfigure()
        self.ask()

    def opened(self, params: Json) -> None:
        """Handle textDocument/didOpen. Raises `RequestError`."""
        self._config.take_files(filter(None, [path_of(uri_of(params))]))
        self._requests.opened(params)
        self.take_edit(uri_of(params))
        self._watch_named_files()
        self._ask_for_trust()

    def take_edit(self, uri: str) -> None:
        """Apply an edit of the settings that the client has accepted, before it is saved."""
        path = path_of(uri)
        if path is None or os.path.basename(path) not in NAMES:
            return
        opened = self._requests.documents.get(uri)
        if opened is not None and opened.content is not None and self._config.took_edit(path, opened.content.text):
            self._reconfigure()

    def edited(self, params: Json) -> None:
        """Handle textDocument/didChange. Raises `RequestError`."""
        opened = self._requests.changed(params)
        if opened is not None and opened.is_settings:
            self.take_edit(opened.uri)

    def closed(self, params: Json) -> None:
        """Handle textDocument/didClose. Raises `RequestError`."""
        uri = uri_of(params)
        self._requests.closed(params)
        self._config.forget_document(uri)
        path = path_of(uri)
        if path is not None and self._config.saved([path]):
            self._reconfigure()

    def _take(self, scopes: Sequence[str], result: Json) -> None:
        first, *others = result or [None] if isinstance(result, list) else [result]
        # null means that nothing is set: the initialization options stay in force
        value = own_settings(self._config.client.options if first is None else first)
        scoped = {uri: own_settings(other) for uri, other in zip(scopes, others, strict=False)}
        self._config.take_client(value, scoped)
        self._reconfigure()

    def _reconfigure(self) -> None:
        self._requests.reconfigure()
        for each in (self._logs, self._files, self._checks):
            each.reconfigured()
        self._publisher.refresh_views()
        self._watch_named_files()
        self._publisher.refresh_answers()

    def _ask_for_trust(self) -> None:
        """Ask once whether to import the rules of a workspace of which the client does not say if it is trusted."""
        client, extensions = self._config.client, self._config.project.extensions
        is_told = isinstance(client.options, dict) and "trusted" in client.options
        if self._has_asked_for_trust or is_told or not (client.takes_answers and extensions.faults):
            return
        self._has_asked_for_trust = True
        names = ", ".join(map(os.path.basename, extensions.faults))
        message = f"Import the rules of {names}? They are code of this workspace: import them only if you trust it."
        actions = [{"title": _IMPORT}, {"title": "Not now"}]
        self._dispatcher.ask(
            "window/showMessageRequest", {"type": 3, "message": message, "actions": actions}, self._take_trust
        )

    def _take_trust(self, answer: Json) -> None:
        if isinstance(answer, dict) and answer.get("title") == _IMPORT:
            self._config.project.trust(trusted=True)
            self._config.forget_files()
            self._reconfigure()

    def _import_models(self) -> Iterator[None]:
        """Wait for the models that settings name, a short time at each step."""
        while (news := self._config.import_models(_STEP_SECONDS)) is not None:
            if news:
                self._reconfigure()
            yield
        self._imports = False

    def _watch_named_files(self) -> None:
        """Let the client watch the files that settings name, and import models in the settings in the background."""
        if not self._imports and self._config.project.schemas.imports:
            self._imports = True
            self._begin(self._import_models())
        client = self._config.client
        named = sorted(path for path in self._config.project.named_files() if os.path.basename(path) not in NAMES)
        if not client.registers_watched_files or named == self._watched:
            return
        known = {"id": "named-by-settings", "method": "workspace/didChangeWatchedFiles"}
        if self._watched:
            self._dispatcher.ask("client/unregisterCapability", {"unregisterations": [known]})
        if named:
            registration = {**known, "registerOptions": {"watchers": client.watchers(named)}}
            self._dispatcher.ask("client/registerCapability", {"registrations": [registration]})
        self._watched = named
