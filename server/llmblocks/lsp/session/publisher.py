"""The delivery of findings, pushed after every batch of changes or pulled by the client, and of other news."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.diagnostics import TOP, diagnostic, in_markdown, notice, with_baseline, without_lines
from llmblocks.lsp.documents.plain import Documents, OpenDocument, PlainText
from llmblocks.lsp.session.logs import Logs
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import identity
from llmblocks.lsp.wire.values import Diagnostic

if TYPE_CHECKING:
    from llmblocks.settings.gadgets import SchemaFile
    from llmblocks.settings.sources import SettingsFile

_CALM_SECONDS = 1.5


@dataclass(eq=False)
class Publisher:
    """Tracks the documents that have changed since their diagnostics were sent, and the views that show them.

    For a calm client, findings on the line at the caret, or about arguments of the same call without a value yet, are
    sent once another line is changed, or after `_CALM_SECONDS`.
    """

    _dispatcher: Dispatcher
    _config: Config
    _logs: Logs
    _documents: Documents
    _typed: dict[str, tuple[int, float]] = field(default_factory=dict)
    """By document, the line at the caret, and the time when its findings are sent."""
    _due: dict[str, OpenDocument] = field(default_factory=dict)
    _added: dict[str, list[Json]] = field(default_factory=dict)
    _files: dict[str, list[Diagnostic]] = field(default_factory=dict)
    _views: dict[str, str] = field(default_factory=dict)
    """The identity of the document that a read-only document of the client shows."""
    _changed: dict[str, None] = field(default_factory=dict)

    @property
    def pushes(self) -> bool:
        """False for a client that pulls, which gets nothing unrequested."""
        return not self._config.client.pulls

    @property
    def due(self) -> bool:
        return bool(self._due)

    def take_changed(self) -> bool:
        """Mark documents with findings that others have changed, refresh views, and return whether any has changed."""
        for opened in self._logs.take_changed():
            self.mark(opened)
        changed, self._changed = self._changed, {}
        if changed and self._views:
            self.refresh_views({*map(identity, changed)})
        return bool(changed)

    def mark(self, opened: OpenDocument, typed: int | None = None) -> None:
        """Send the document's diagnostics once all waiting messages are served. `typed` is the line at the caret.

        Those of a settings file are always pushed, since a closed one has some, too.
        """
        self._changed[opened.uri] = None
        if self.pushes or opened.is_settings:
            self._due[opened.uri] = opened
            self._typed.pop(opened.uri, None)
            if typed is not None and self._config.client.calm:
                self._typed[opened.uri] = typed, time.monotonic() + _CALM_SECONDS

    def add(self, opened: OpenDocument, items: list[Json]) -> None:
        """Send an extension's diagnostics with those of a document."""
        if items != self._added.get(opened.uri, []):
            self._added[opened.uri] = items
            self.mark(opened)
            self.refresh()

    def settle(self) -> None:
        """Send the due diagnostics, and those of documents that depend on them."""
        while self._due:
            due, self._due = self._due, {}
            for opened in due.values():
                # files that define gadgets already have their diagnostics
                if opened.is_settings or opened.uri not in self._files:
                    self.push(opened.uri, opened.version, self.items(opened))
                self._logs.edited(opened)
            for opened in self._logs.take_changed():
                self.mark(opened)

    def patience(self) -> float | None:
        return max(min(until for _, until in self._typed.values()) - time.monotonic(), 0.0) if self._typed else None

    def release(self) -> None:
        """Mark the documents with held-back findings that are due."""
        for uri, (_, until) in [*self._typed.items()]:
            if until <= time.monotonic():
                del self._typed[uri]
                if (opened := self._documents.get(uri)) is not None:
                    self.mark(opened)

    def clear(self, opened: OpenDocument) -> None:
        """Clear the diagnostics of a closed document, except those of a saved settings file."""
        uri = opened.uri
        self._changed[uri] = None
        for each in (self._due, self._typed, self._added):
            each.pop(uri, None)
        if opened.is_settings:
            saved = (items for each, items in self._files.items() if identity(each) == identity(uri))
            self.push(uri, None, next(saved, []))
        elif self.pushes and uri not in self._files:
            self.push(uri, None, [])

    def publish_files(self, files: Mapping[Path, SettingsFile | SchemaFile]) -> None:
        """Publish the diagnostics of settings files, and clear those of corrected ones.

        A client that pulls gets them too, since it fetches those of open documents only. For an open settings file,
        those of its text count.
        """
        items = {path.as_uri(): self._for_client(self._file_items(each)) for path, each in files.items()}
        for uri in {**self._files, **items}:
            opened = self._documents.get(uri)
            is_open = opened is not None and opened.is_settings
            if not is_open and self._files.get(uri, []) != items.get(uri, []):
                self.push(uri, None, items.get(uri, []))
        self._files = {uri: found for uri, found in items.items() if found}

    def report(self, opened: OpenDocument, previous: Json) -> dict[str, Json]:
        """Return the report of a pull: full, or unchanged if its id is `previous`."""
        items = self.items(opened) if not opened.is_settings else []
        result_id = result_id_of(items)
        if previous == result_id:
            return {"kind": "unchanged", "resultId": result_id}
        return {"kind": "full", "resultId": result_id, "items": items}

    def push(self, uri: str, version: int | None, items: list[Diagnostic]) -> None:
        stated = {} if version is None else {"version": version}
        self._dispatcher.notify("textDocument/publishDiagnostics", {"uri": uri, **stated, "diagnostics": items})

    def items(self, opened: OpenDocument) -> list[Diagnostic]:
        """Return the diagnostics of a document for the client."""
        items: list[Diagnostic] = []
        if opened.oversize:
            items = [notice(_oversize(opened), Severity.INFORMATION)]
        elif opened.text is not None:
            items = self._shown(opened, opened.text.diagnostics())
        elif opened.hosted is not None:
            items = self._shown(opened, opened.hosted.diagnostics())
        elif opened.is_settings and opened.plain:
            judged = self._config.judged_text(opened.uri, opened.plain.text)
            items = [] if judged is None else self._shown(opened, self._file_items(judged))
        baseline = self._config.baseline(opened.uri)
        if baseline is not None and items:
            items = with_baseline(items, *baseline)
        settings = [diagnostic(each, TOP) for each in self._config.of(opened.uri).findings]
        return [*self._for_client([*settings, *items]), *self._added.get(opened.uri, ())]

    def _shown(self, opened: OpenDocument, items: list[Diagnostic]) -> list[Diagnostic]:
        """Return the diagnostics without those of the line at the caret, and of values that are still to be typed."""
        if (typed := self._typed.get(opened.uri)) is None:
            return items
        line = typed[0]
        shown = without_lines(items, {line} if opened.text is None else opened.text.incomplete_lines(line))
        if len(shown) == len(items):
            del self._typed[opened.uri]
        return shown

    def _for_client(self, items: list[Diagnostic]) -> list[Diagnostic]:
        return in_markdown(items) if self._config.client.marks_diagnostics else items

    def _file_items(self, file: SettingsFile | SchemaFile) -> list[Diagnostic]:
        places = PlainText(file.text, self._config.client.encoding)
        return [diagnostic(each, places.span(each.start, each.end)) for each in file.findings]

    def refresh(self) -> None:
        """Make a client that pulls diagnostics fetch them again."""
        if not self.pushes and self._config.client.refreshes_pulled:
            self._dispatcher.ask("workspace/diagnostic/refresh", None)

    def refresh_answers(self) -> None:
        """Make a client fetch again everything that may have changed without an edit."""
        for method in self._config.client.refreshes:
            self._dispatcher.ask(method, None)
        self.refresh()

    def follow(self, uri: str, document: str) -> None:
        """Make the client fetch a view of a document again: once, after the next change."""
        self._views[uri] = identity(document)

    def refresh_views(self, documents: Collection[str] | None = None) -> None:
        """Refresh the views of some documents, by their identity; None is all, since sessions are read from files."""
        for uri in [uri for uri, document in self._views.items() if documents is None or document in documents]:
            del self._views[uri]
            self._dispatcher.ask("workspace/textDocumentContent/refresh", {"uri": uri})


def result_id_of(items: list[Json]) -> str:
    """Return the id of a result: equal ones have the same."""
    return blake2b(rpc.encode(items), digest_size=8).hexdigest()


def _oversize(opened: OpenDocument) -> FindingMessage:
    return FindingMessage(
        f"not analysed: the document has {opened.oversize / 1e6:.1f} MB",
        "that is more than llmblocks.files.maxSizeMB allows",
        "raise that setting",
    )
