"""A line on the terminal with the number of files read."""

from __future__ import annotations

from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

_SECONDS = 0.1


class Bar:
    """A progress bar on standard error, hidden while anything else is written."""

    def __init__(self, noun: str = "files") -> None:
        columns = BarColumn(20), TextColumn(f"{{task.completed}} {noun}")
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self._task = self._progress.add_task("check", total=None)
        self._files = 0
        self._drawn = monotonic()
        self._shown = False

    def advance(self, by: int = 1) -> None:
        """Count one or several files."""
        self._files += by
        if monotonic() - self._drawn >= _SECONDS:
            if not self._shown:
                self._progress.start()
                self._shown = True
            self._progress.update(self._task, completed=self._files, refresh=True)
            self._drawn = monotonic()

    def hide(self) -> None:
        """Erase the bar, until it is drawn again."""
        if self._shown:
            self._progress.stop()
            self._shown = False
