"""A session that an extension's code may look at from every thread."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock
from typing import Any

from llmblocks.lsp.session.session import Session


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
        self._published: dict[str, list[Any]] = {}
        session.publisher.added = lambda uri: self._published.get(uri, [])

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
            added = json.loads(items)
            if added == self._published.get(opened.uri, []):
                return True
            self._published[opened.uri] = added
            publisher = self.session.publisher
            publisher.mark(opened)
            if not publisher.pushes and self.session.client.refreshes_pulled:
                self.session.dispatcher.ask("workspace/diagnostic/refresh", None, lambda _: None)
        self.call(self._settle)
        return True

    def forget_closed(self) -> None:
        """Forget what was published for documents that are closed."""
        self._published = {uri: items for uri, items in self._published.items() if self.documents.get(uri)}

    def _settle(self) -> None:
        if not self.session.inbox.waiting():
            self.session.settle()
