"""Work that a client waits for: it shows its progress, and ends when nobody wants its result any more."""

from __future__ import annotations

import time
from types import TracebackType

from llmblocks.lsp.answers.workspace import Workspace
from llmblocks.lsp.wire.rpc import Json


class Work:
    """One piece of work, begun when it is created.

    Shape: `uri` is the document that it reads, `token` the client's for the progress, None without one. Progress is
           shown once the work takes longer than `PATIENCE_SECONDS`.
    """

    PATIENCE_SECONDS = 0.5

    def __init__(self, workspace: Workspace, uri: str, token: Json, title: str) -> None:
        self._workspace = workspace
        self._uri = uri
        self._token = token if type(token) in (str, int) else None
        self._title = title
        self._began = time.monotonic()
        self._percentage = -1

    def __enter__(self) -> Work:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._percentage >= 0:
            self._workspace.tell(self._token, {"kind": "end"})

    def pause(self, done: int, total: int) -> None:
        """Show what is done. Errors: `RequestError` once the request is cancelled, or its document has changed."""
        self._workspace.check(self._uri)
        if self._token is None or time.monotonic() - self._began < self.PATIENCE_SECONDS:
            return
        percentage = 100 * done // max(total, 1)
        if self._percentage < 0:
            begin = {"kind": "begin", "title": self._title, "cancellable": True, "percentage": percentage}
            self._workspace.tell(self._token, begin)
        elif percentage > self._percentage:
            self._workspace.tell(self._token, {"kind": "report", "percentage": percentage})
        self._percentage = max(percentage, self._percentage)
