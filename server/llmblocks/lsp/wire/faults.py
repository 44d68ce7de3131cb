"""Unexpected errors: each is logged, the user sees the first, and the server continues."""

from __future__ import annotations

import logging
from collections.abc import Callable

from llmblocks.lsp.wire.log import LineFormatter, printable

logger = logging.getLogger(__name__)
Notify = Callable[[str, dict[str, object]], None]
_ERROR, _WARNING = 1, 2


class Faults:
    """Logs every fault, and shows the user the first."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._shown = False

    def report(self, method: str, uri: str | None, error: BaseException) -> str:
        """Record a fault while serving a message; return the answer to a request."""
        where = f"{method} of {uri}" if uri else method
        summary = printable(f"{type(error).__name__}: {error}"[:300])
        logger.error("fault while serving %s: %s", where, summary, exc_info=error)
        if not self._shown:
            self._shown = True
            self._notify(
                "window/showMessage",
                {
                    "type": _ERROR,
                    "message": f"llmblocks: {printable(method)} failed ({summary}). The server continues; "
                    "the log has the details, and further faults are only logged.",
                },
            )
        return f"{method} failed: {summary}"


class ClientLog(logging.Handler):
    """Sends warnings and worse to the client's log, as `window/logMessage`."""

    _MOST = 500

    def __init__(self, notify: Notify) -> None:
        super().__init__(logging.WARNING)
        self._notify = notify
        self._left = self._MOST

    def emit(self, record: logging.LogRecord) -> None:
        if self._left <= 0:
            return
        self._left -= 1
        text = printable(record.getMessage())
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + (self.formatter or LineFormatter()).formatException(record.exc_info)
        if not self._left:
            text += f"\n(that was message {self._MOST}: further messages are only in the server's own log)"
        level = _ERROR if record.levelno >= logging.ERROR else _WARNING
        try:
            self._notify("window/logMessage", {"type": level, "message": text})
        except Exception:
            self.handleError(record)
