"""The document that types itself, on the client's side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from llmblocks.cli.demo.editor import DemoEditor, ServerError
from llmblocks.cli.demo.script import DemoStep, Scene


class Squiggle(NamedTuple):
    """A diagnostic of the server on one line of the text, with columns from 0."""

    line: int
    start: int
    end: int
    severity: int
    code: str
    message: str


@dataclass(slots=True)
class Page:
    """Text, cursor and squiggles of a document."""

    client: DemoEditor
    scene: Scene
    text: str
    uri: str
    version: int = 0
    cursor: int = 0
    answer_ms: float = 0.0
    """The server's time for the last key."""
    squiggles: list[Squiggle] = field(default_factory=list)

    @classmethod
    def open(cls, client: DemoEditor, scene: Scene, folder: Path) -> Page:
        """Open an example in the server, and wait for its diagnostics."""
        path = folder / scene.file
        page = cls(client, scene, path.read_bytes().decode("utf-8"), path.resolve().as_uri())
        item = types.TextDocumentItem(page.uri, scene.language_id, 0, page.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        page._listen()
        page.expect(())
        return page

    def close(self) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri)))

    def play(self, step: DemoStep) -> Iterator[None]:
        """Type a step, one key per iteration. After each key, the squiggles are those of the current text."""
        found = self.text.find(step.after)
        if found < 0:
            raise ServerError(f"{self.scene.file} has changed: {step.after!r} not found")
        self.cursor = found + len(step.after)
        yield
        for _ in range(step.back):
            self._edit(self.cursor - 1, self.cursor, "")
            yield
        for key in step.keys:
            self._edit(self.cursor, self.cursor, key)
            yield
        self.expect(step.expected)

    def expect(self, codes: tuple[str, ...]) -> None:
        """Raise `ServerError` if the server's findings are not exactly these."""
        found = tuple(each.code for each in self.squiggles)
        if found != codes:
            raise ServerError(
                f"expected {' '.join(codes) or 'no finding'}, the server found {' '.join(found) or 'none'}"
            )

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 0."""
        return self.text.count("\n", 0, offset), offset - (self.text.rfind("\n", 0, offset) + 1)

    def _edit(self, start: int, end: int, text: str) -> None:
        span = types.Range(types.Position(*self.place(start)), types.Position(*self.place(end)))
        change = types.TextDocumentContentChangePartial(span, text)
        self.version += 1
        self.text = self.text[:start] + text + self.text[end:]
        self.cursor = start + len(text)
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        began = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        self._listen()
        self.answer_ms = (time.perf_counter() - began) * 1000

    def _listen(self) -> None:
        lines = self.text.split("\n")
        found = self.client.diagnostics(self.uri, self.version)
        self.squiggles = [_squiggle(each, lines) for each in found]


def _squiggle(diagnostic: types.Diagnostic, lines: list[str]) -> Squiggle:
    start, end = diagnostic.range.start, diagnostic.range.end
    # for a finding over several lines, show the first line
    last = end.character if end.line == start.line else len(lines[start.line])
    return Squiggle(
        start.line,
        start.character,
        max(last, start.character + 1),
        diagnostic.severity or types.DiagnosticSeverity.Error,
        str(diagnostic.code or ""),
        diagnostic.message,
    )
