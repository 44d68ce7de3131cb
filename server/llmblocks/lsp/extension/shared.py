"""A session that an extension's code may look at from every thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Lock

from llmblocks.lsp.documents.columns import Encoding, code_points
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.wire.params import LspChange, a_text, changes_of, uri_of
from llmblocks.lsp.wire.rpc import Json

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line as the protocol has it, with its end."""


class SharedSession:
    """A session, and what extensions add to it.

    Shape: `lock` is held while the session works, and not while an extension's code runs; `documents` are the open
           ones. `call` calls a function between two messages, with the lock held.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.documents = session.document_requests.documents
        self.lock = Lock()
        self.call: Callable[[Callable[[], None]], None] = lambda _: None
        self._published: dict[str, bytes] = {}
        session.publisher.added = lambda uri: self._published.get(uri, b"")

    def publish(self, uri: str, version: int | None, items: bytes) -> bool:
        """Send an extension's diagnostics of an open document with those of the session; says whether it is open.

        Shape: `items` is a JSON array. Diagnostics of a version that has changed meanwhile are dropped.
        """
        with self.lock:
            opened = self.documents.get(uri)
            if opened is None:
                return False
            if version is not None and version != opened.version:
                return True
            if items[1:-1] == self._published.get(opened.uri, b""):
                return True
            self._published[opened.uri] = items[1:-1]
            publisher = self.session.publisher
            publisher.mark(opened)
            if not publisher.pushes and self.session.client.refreshes_pulled:
                self.session.dispatcher.ask("workspace/diagnostic/refresh", None, lambda _: None)
        self.call(self._settle)
        return True

    def follow(self, method: str, params: Json) -> None:
        """Keep up with a document, after the session has taken the message: didOpen, didChange or didClose.

        The session keeps no text of a document of another language: an extension may want it.
        """
        opened = self.documents.get(uri_of(params))
        if opened is None:
            self._published = {uri: items for uri, items in self._published.items() if self.documents.get(uri)}
            return
        text, opened.unread = opened.unread, None
        if opened.text is not None or opened.oversize:
            return
        if method == "textDocument/didOpen":
            text = a_text(params["textDocument"].get("text"), "textDocument.text")
        else:
            for change in changes_of(params):
                known = change.range is None
                text = change.text if known else _changed(text or "", change, self.session.client.encoding)
        opened.unread = text

    def _settle(self) -> None:
        if not self.session.inbox.waiting():
            self.session.settle()


def _changed(text: str, change: LspChange, encoding: Encoding) -> str:
    span = change.range
    assert span is not None
    lines = LINE.findall(text)

    def offset(line: int, character: int) -> int:
        if line >= len(lines):
            return len(text)
        start = sum(map(len, lines[:line]))
        return start + code_points(lines[line].rstrip("\r\n"), character, encoding)

    start = offset(span.start_line, span.start_character)
    end = offset(span.end_line, span.end_character)
    return text[: min(start, end)] + change.text + text[max(start, end) :]
