"""Work that a client waits for: it shows its progress, and ends when its result is no longer needed."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from llmblocks.lsp.wire.rpc import Json


class Work:
    """One piece of work, begun when it is created.

    Shape: `check` raises `RequestError` once the request is cancelled, or the document that is given is about to
           change; `tell` sends progress under the client's token. Without a token, there is none to show. It is shown
           once the work takes longer than `PATIENCE_SECONDS`.
    """

    PATIENCE_SECONDS = 0.5

    def __init__(
        self, check: Callable[[str], None], tell: Callable[[Json, Json], None], uri: str, token: Json, title: str
    ) -> None:
        self._check = check
        self._tell = tell
        self._uri = uri
        self._token = token if type(token) in (str, int) else None
        self._title = title
        self._began = time.monotonic()
        self._is_shown = False
        self._percentage = 0

    def __enter__(self) -> Work:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._is_shown:
            self._tell(self._token, {"kind": "end"})

    def pause(self, done: int = 0, total: int = 0) -> None:
        """Show that the work continues, and its progress, if that is known. Errors: `RequestError`."""
        self._check(self._uri)
        if self._token is None or time.monotonic() - self._began < self.PATIENCE_SECONDS:
            return
        percentage = 100 * done // total if total else 0
        known = {"percentage": percentage} if total else {}
        if not self._is_shown:
            self._is_shown = True
            self._tell(self._token, {"kind": "begin", "title": self._title, "cancellable": True, **known})
        elif percentage > self._percentage:
            self._tell(self._token, {"kind": "report", **known})
        self._percentage = max(percentage, self._percentage)
