"""The progress of background work, shown by clients that support it."""

from __future__ import annotations

from typing import Literal

from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.rpc import Json

_SHOWN_FROM = 32
"""The minimum number of files: fewer are read too quickly."""


class Progress:
    """Shows successive pieces of work, each under a separate token, until the client cancels one.

    `is_shown` if the client can show progress; `name` is part of the tokens.
    """

    def __init__(self, name: str, dispatcher: Dispatcher) -> None:
        self.is_shown = self.is_cancelled = False
        self._dispatcher = dispatcher
        self._name, self._serial = name, 0
        self._token = ""
        self._stage: Literal["none", "asked", "shown"] = "none"
        self._percentage = -1

    def cancel(self, token: object) -> None:
        """Cancel the work shown under a token."""
        self.is_cancelled = self.is_cancelled or (token == self._token and self._stage != "none")

    def start(self, title: str, count: int) -> None:
        """Show the beginning of work on a number of files, once the client agrees."""
        if count < _SHOWN_FROM or not self.is_shown or self._stage != "none":
            return
        self._serial += 1
        self._token = f"llmblocks-{self._name}-{self._serial}"
        self._stage, self._percentage = "asked", -1
        serial = self._serial
        begin: Json = {"kind": "begin", "title": title, "cancellable": True, "percentage": 0}

        def agreed(_: Json) -> None:
            if self._stage == "asked" and serial == self._serial:
                self._stage = "shown"
                self._tell(begin)

        def refused() -> None:
            # it is not asked again
            self.is_shown = False
            self._stage = "none"

        self._dispatcher.ask("window/workDoneProgress/create", {"token": self._token}, agreed, refused)

    def report(self, done: int, total: int) -> None:
        """Show the amount of work done."""
        percentage = 100 * done // max(total, 1)
        if self._stage == "shown" and percentage > self._percentage:
            self._percentage = percentage
            self._tell({"kind": "report", "percentage": percentage, "message": f"{done} of {total} files"})

    def end(self) -> None:
        """Show the end of the work."""
        if self._stage == "shown":
            self._tell({"kind": "end"})
        self._stage = "none"
        self.is_cancelled = False

    def _tell(self, value: Json) -> None:
        self._dispatcher.tell(self._token, value)
