"""The delivery of findings: pushed after every batch of changes, or pulled by the client."""

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
from llmblocks.lsp.documents.diagnostics import (
    TOP,
    diagnostic,
    for_client,
    notice,
    with_baseline,
    without_lines,
)
from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.plain import PlainText
from llmblocks.lsp.session.logs import Logs
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import identity
from llmblocks.lsp.wire.values import Diagnostic

if TYPE_CHECKING:
    from llmblocks.settings.file import SettingsFile
    from llmblocks.settings.gadgets import SchemaFile

_CALM_SECONDS = 1.5


@dataclass(eq=False)
class Publisher:
    """Tracks the documents that have changed since their diagnostics were sent.

    For a calm client, findings on the line at the caret, or about arguments of the same call without a value yet, are
    sent once another line is changed, or after `_CALM_SECONDS`.
    """

    _dispatcher: Dispatcher
    _config: Config
    _logs: Logs
    can_wait: bool
    """Somebody calls `release` later."""
    _typed: dict[str, int] = field(default_factory=dict)
    _held: dict[str, tuple[float, OpenDocument]] = field(default_factory=dict)
    _due: dict[str, OpenDocument] = field(default_factory=dict)
    _added: dict[str, list[Json]] = field(default_factory=dict)
    _files: dict[str, list[Diagnostic]] = field(default_factory=dict)
    _open_settings: set[str] = field(default_factory=set)
    _changed: dict[str, None] = field(default_factory=dict)

    @property
    def pushes(self) -> bool:
        """False for a client that pulls, which gets nothing unrequested."""
        return not self._config.client.pulls

    @property
    def due(self) -> bool:
        return bool(self._due)

    def take_changed(self) -> Collection[str]:
        """Return the documents that were opened, changed or closed since the last call."""
        changed, self._changed = self._changed, {}
        return changed

    def mark(self, opened: OpenDocument, typed: int | None = None) -> None:
        """Send the document's diagnostics once all waiting messages are served. `typed` is the line at the caret.

        Those of a settings file are always pushed, since a closed one has some, too.
        """
        self._changed[opened.uri] = None
        if opened.is_settings:
            self._open_settings.add(identity(opened.uri))
        if self.pushes or opened.is_settings:
            self._due[opened.uri] = opened
            self._typed.pop(opened.uri, None)
            if typed is not None and self._config.client.calm and self.can_wait:
                self._typed[opened.uri] = typed

    def add(self, opened: OpenDocument, items: list[Json]) -> bool:
        """Send an extension's diagnostics with those of a document; return whether they have changed."""
        is_new = items != self._added.get(opened.uri, [])
        self._added[opened.uri] = items
        if is_new:
            self.mark(opened)
        return is_new

    def settle(self) -> None:
        """Send the due diagnostics, and those of documents that depend on them."""
        while self._due:
            due, self._due = self._due, {}
            for opened in due.values():
                # files that define gadgets already have their diagnostics
                if opened.is_settings or opened.uri not in self._files:
                    self.push(opened.uri, opened.version, self.items(opened))
                self._logs.edited(opened)
            self.mark_changed()

    def mark_changed(self) -> None:
        """Mark the documents whose findings have changed because of other files."""
        for opened in self._logs.take_changed():
            self.mark(opened)

    def patience(self) -> float | None:
        """Return the seconds until held-back findings are due, or None."""
        return max(min(until for until, _ in self._held.values()) - time.monotonic(), 0.0) if self._held else None

    def release(self) -> None:
        """Send the held-back findings that are due."""
        now = time.monotonic()
        for until, opened in [*self._held.values()]:
            if until <= now:
                self.mark(opened)
        self.settle()

    def clear(self, uri: str) -> None:
        """Clear the diagnostics of a closed document, except those of a saved settings file."""
        self._changed[uri] = None
        for each in (self._due, self._held, self._added):
            each.pop(uri, None)
        if identity(uri) in self._open_settings:
            self._open_settings.remove(identity(uri))
            saved = (items for each, items in self._files.items() if identity(each) == identity(uri))
            self.push(uri, None, next(saved, []))
        elif self.pushes and uri not in self._files:
            self.push(uri, None, [])

    def publish_files(self, files: Mapping[Path, SettingsFile | SchemaFile]) -> None:
        """Publish the diagnostics of settings files, and clear those of corrected ones.

        A client that pulls gets them too, since it fetches those of open documents only. For an open settings file,
        those of its text count.
        """
        encoding = self._config.client.encoding
        items = {path.as_uri(): self._for_client(_file_items(each, encoding)) for path, each in files.items()}
        for uri in {**self._files, **items}:
            if identity(uri) not in self._open_settings and self._files.get(uri, []) != items.get(uri, []):
                self.push(uri, None, items.get(uri, []))
        self._files = {uri: found for uri, found in items.items() if found}

    def report(self, opened: OpenDocument, previous: Json) -> dict[str, Json]:
        """Return the report of a pull: full, or unchanged if its id is `previous`."""
        items = self.items(opened) if not opened.is_settings else []
        result_id = result_id_of(items)
        if previous == result_id:
            return {"kind": "unchanged", "resultId": result_id}
        return {"kind": "full", "resultId": result_id, "items": items}

    def _for_client(self, items: list[Diagnostic]) -> list[Diagnostic]:
        client = self._config.client
        return for_client(items, client.tags, markup=client.marks_diagnostics)

    def push(self, uri: str, version: int | None, items: list[Diagnostic]) -> None:
        """Send diagnostics."""
        stated = {} if version is None else {"version": version}
        params = {"uri": uri, **stated, "diagnostics": items}
        self._dispatcher.notify("textDocument/publishDiagnostics", params)

    def _shown(self, opened: OpenDocument, items: list[Diagnostic]) -> list[Diagnostic]:
        """Return the diagnostics without those of the line at the caret, and of values that are still to be typed."""
        self._held.pop(opened.uri, None)
        line = self._typed.get(opened.uri)
        if line is None or not items:
            return items
        shown = without_lines(items, {line} if opened.text is None else opened.text.incomplete_lines(line))
        if len(shown) < len(items):
            self._held[opened.uri] = time.monotonic() + _CALM_SECONDS, opened
        return shown

    def items(self, opened: OpenDocument) -> list[Diagnostic]:
        """Return the diagnostics of a document for the client."""
        text = opened.text
        items = [] if text is None else self._shown(opened, text.diagnostics())
        if opened.hosted is not None:
            items = self._shown(opened, opened.hosted.diagnostics())
        if opened.is_settings and opened.plain:
            judged = self._config.judged_text(opened.uri, opened.plain.text)
            items = self._shown(opened, [] if judged is None else _file_items(judged, self._config.client.encoding))
        if opened.oversize and opened.is_ours:
            items = [notice(_oversize(opened), Severity.INFORMATION)]
        baseline = self._config.baseline(opened.uri)
        if baseline is not None and items:
            items = with_baseline(items, *baseline)
        settings = [diagnostic(each, TOP) for each in self._config.of(opened.uri).findings]
        return [*self._for_client([*settings, *items]), *self._added.get(opened.uri, ())]


def result_id_of(items: list[Json]) -> str:
    """Return the id of a result: equal ones have the same."""
    return blake2b(rpc.encode(items), digest_size=8).hexdigest()


def _oversize(opened: OpenDocument) -> FindingMessage:
    return FindingMessage(
        f"not analysed: the document has {opened.oversize / 1e6:.1f} MB",
        "that is more than llmblocks.files.maxSizeMB allows",
        "raise that setting",
    )


def _file_items(file: SettingsFile | SchemaFile, encoding: Encoding) -> list[Diagnostic]:
    places = PlainText(file.text, encoding)
    return [diagnostic(each, places.span(each.start, each.end)) for each in file.findings]
