"""The delivery of findings: pushed after every batch of changes, or fetched by the client."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.facts.finding import Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.columns import Encoding, place_in
from llmblocks.lsp.documents.diagnostics import (
    ALL_TAGS,
    TOP,
    diagnostic,
    notice,
    with_known_tags,
    with_markup,
    without_line,
)
from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.session.dispatch import Send
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import identity

if TYPE_CHECKING:
    from llmblocks.settings.file import SettingsFile
    from llmblocks.settings.gadgets import SchemaFile

_CALM_SECONDS = 1.5


class Publisher:
    """Tracks the documents that have changed since their diagnostics were sent.

    Shape: `pushes` is false for a client that fetches: it gets nothing that it did not ask for.
           `settings_findings` gives what is shown at the top of a document: the client's settings are in no file.
           To a calm `client`, what is found on the line that is being typed is told once another line is changed,
           or nothing is for `_CALM_SECONDS`; `can_wait` says that somebody calls `release` then.
           `judge` gives the text of an open settings file with its findings.
           `added` gives the diagnostics of extensions for a document.
    """

    def __init__(
        self,
        send: Send,
        settings_findings: Callable[[str], tuple[Finding, ...]],
        judge: Callable[[str, str], SettingsFile | None],
        added: Callable[[str], list[Json]],
        *,
        can_wait: bool,
    ) -> None:
        self.pushes = True
        self.client = Client(tags=ALL_TAGS)
        self._settings_findings = settings_findings
        self._added = added
        self._judge = judge
        self.can_wait = can_wait
        self._typed: dict[str, int] = {}
        self._held: dict[str, tuple[float, OpenDocument]] = {}
        self._send = send
        self._due: dict[str, OpenDocument] = {}
        self._results: dict[str, tuple[str, list[Json]]] = {}
        self._files: dict[str, list[Json]] = {}
        self._open_settings: set[str] = set()
        self._serial = 0
        self._changed: dict[str, None] = {}

    @property
    def due(self) -> bool:
        return bool(self._due)

    def take_changed(self) -> Collection[str]:
        """The documents that were opened, changed or closed since this was asked last."""
        changed, self._changed = self._changed, {}
        return changed

    def mark(self, opened: OpenDocument, typed: int | None = None) -> None:
        """Send the document's diagnostics once all waiting messages are served. Shape: `typed` is the line typed on.

        Those of a settings file are always pushed: they are known of a closed one, too.
        """
        self._changed[opened.uri] = None
        if opened.is_settings:
            self._open_settings.add(identity(opened.uri))
        if self.pushes or opened.is_settings:
            self._due[opened.uri] = opened
            self._typed.pop(opened.uri, None)
            if typed is not None and self.client.calm and self.can_wait:
                self._typed[opened.uri] = typed

    def settle(self) -> None:
        """Send the due diagnostics, and those of documents that depend on what these have become."""
        while self._due:
            due, self._due = self._due, {}
            for opened in due.values():
                # a file that defines gadgets has been sent what is wrong with it
                if opened.is_settings or opened.uri not in self._files:
                    self.push(opened.uri, opened.version, self.items(opened))

    def patience(self) -> float | None:
        """The seconds until something that is held back is due; None where nothing is."""
        return max(min(until for until, _ in self._held.values()) - time.monotonic(), 0.0) if self._held else None

    def release(self) -> None:
        """Send what has been held back long enough."""
        now = time.monotonic()
        for until, opened in [*self._held.values()]:
            if until <= now:
                self.mark(opened)
        self.settle()

    def clear(self, uri: str) -> None:
        """Clear the diagnostics of a closed document, but for those of a settings file as it is saved."""
        self._changed[uri] = None
        self._due.pop(uri, None)
        self._results.pop(uri, None)
        self._held.pop(uri, None)
        if identity(uri) in self._open_settings:
            self._open_settings.remove(identity(uri))
            saved = (items for each, items in self._files.items() if identity(each) == identity(uri))
            self.push(uri, None, next(saved, []))
        elif self.pushes and uri not in self._files:
            self.push(uri, None, [])

    def publish_files(self, files: Mapping[Path, SettingsFile | SchemaFile]) -> None:
        """Publish the diagnostics of settings files, and clear those of files without problems now.

        A client that fetches is sent them too: it fetches those of open documents alone. Of an open settings file,
        those of its text count.
        """
        items = {path.as_uri(): _file_items(file, self.client.encoding) for path, file in files.items()}
        for uri in {**self._files, **items}:
            if identity(uri) not in self._open_settings and self._files.get(uri, []) != items.get(uri, []):
                self.push(uri, None, items.get(uri, []))
        self._files = {uri: found for uri, found in items.items() if found}

    def report(self, opened: OpenDocument, previous: Json) -> dict[str, Json]:
        """The report of a pull: full, or unchanged where it is what `previous` was the id of."""
        uri, items = opened.uri, self.marked(self.items(opened)) if not opened.is_settings else []
        result_id, known = self._results.get(uri, ("", []))
        if not result_id or known != items:
            self._serial += 1
            result_id = str(self._serial)
            self._results[uri] = (result_id, items)
        elif previous == result_id:
            return {"kind": "unchanged", "resultId": result_id}
        return {"kind": "full", "resultId": result_id, "items": items}

    def push(self, uri: str, version: int | None, items: list[Json]) -> None:
        """Send diagnostics."""
        stated = {} if version is None else {"version": version}
        params = {"uri": uri, **stated, "diagnostics": self.marked(items)}
        self._send(rpc.notification("textDocument/publishDiagnostics", params))

    def marked(self, items: list[Json]) -> list[Json]:
        """Diagnostics with messages as the client shows them."""
        return with_markup(items) if self.client.marks_diagnostics else items

    def _shown(self, opened: OpenDocument, items: list[Json]) -> list[Json]:
        """The diagnostics without those of the line that is being typed."""
        self._held.pop(opened.uri, None)
        line = self._typed.get(opened.uri)
        shown = items if line is None else without_line(items, line)
        if len(shown) < len(items):
            self._held[opened.uri] = time.monotonic() + _CALM_SECONDS, opened
        return shown

    def items(self, opened: OpenDocument) -> list[Json]:
        """The diagnostics of a document."""
        text = opened.text
        items = [] if text is None else self._shown(opened, text.diagnostics())
        if opened.hosted is not None:
            from llmblocks.lsp.answers.hosted import diagnostics

            items = self._shown(opened, diagnostics(opened.hosted))
        if opened.is_settings and opened.plain and (judged := self._judge(opened.uri, opened.plain.text)) is not None:
            items = self._shown(opened, _file_items(judged, self.client.encoding))
        if opened.oversize and opened.is_ours:
            items = [notice(_oversize(opened), Severity.INFORMATION)]
        items = with_known_tags(items, self.client.tags)
        if settings := self._settings_findings(opened.uri):
            items = [*[diagnostic(each, TOP) for each in settings], *items]
        if added := self._added(opened.uri):
            items = [*items, *added]
        return items


def _oversize(opened: OpenDocument) -> FindingMessage:
    return FindingMessage(
        f"not analysed: the document has {opened.oversize / 1e6:.1f} MB",
        "that is more than llmblocks.files.maxSizeMB allows",
        "raise that setting",
    )


def _file_items(file: SettingsFile | SchemaFile, encoding: Encoding) -> list[Json]:
    items = []
    for finding in file.findings:
        span = {
            "start": place_in(file.text, finding.start, encoding),
            "end": place_in(file.text, finding.end, encoding),
        }
        items.append(diagnostic(finding, span))
    return items
