"""Background work between messages, and its progress, which some clients show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.rpc import Json

_SHOWN_FROM = 32
"""The minimum number of files: fewer are read too quickly."""


class Chore:
    """One kind of background work, in steps. Each time it shows its progress under another token with its `name`."""

    def __init__(self, name: str, dispatcher: Dispatcher, schedule: Callable[[Iterator[None]], None]) -> None:
        self.is_shown = False
        """Whether the client can show progress."""
        self.is_busy = False
        self.is_cancelled = False
        """Whether the client has cancelled the current work."""
        self._dispatcher = dispatcher
        self._schedule = schedule
        self._name, self._serial = name, 0
        self._token = ""
        self._stage: Literal["none", "asked", "shown"] = "none"
        self._percentage = -1

    def start(self, work: Callable[[], Iterator[None]]) -> None:
        if not self.is_busy:
            self.is_busy = True
            self._schedule(self._steps(work))

    def _steps(self, work: Callable[[], Iterator[None]]) -> Iterator[None]:
        try:
            yield from work()
        finally:
            self.end()
            self.is_busy = False

    def cancel(self, token: Json) -> None:
        """Cancel the work shown under a token."""
        self.is_cancelled = self.is_cancelled or (token == self._token and self._stage != "none")

    def show(self, title: str, count: int) -> None:
        """Show the beginning of work on a number of files, once the client agrees."""
        if count < _SHOWN_FROM or not self.is_shown or self._stage != "none":
            return
        self._serial += 1
        self._token = token = f"llmblocks-{self._name}-{self._serial}"
        self._stage, self._percentage = "asked", -1

        def agreed(_: Json) -> None:
            if self._stage == "asked" and token == self._token:
                self._stage = "shown"
                begin = {"kind": "begin", "title": f"llmblocks: {title}", "cancellable": True, "percentage": 0}
                self._dispatcher.tell(token, begin)

        def refused() -> None:
            # it is not asked again
            self.is_shown = False
            self._stage = "none"

        self._dispatcher.ask("window/workDoneProgress/create", {"token": token}, agreed, refused)

    def report(self, done: int, total: int) -> None:
        percentage = 100 * done // max(total, 1)
        if self._stage == "shown" and percentage > self._percentage:
            self._percentage = percentage
            message = f"{done} of {total} files"
            self._dispatcher.tell(self._token, {"kind": "report", "percentage": percentage, "message": message})

    def end(self) -> None:
        if self._stage == "shown":
            self._dispatcher.tell(self._token, {"kind": "end"})
        self._stage = "none"
        self.is_cancelled = False
