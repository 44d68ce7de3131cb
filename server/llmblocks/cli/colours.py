"""Colours and a progress bar: on a terminal, unless `NO_COLOR` or `--color` says otherwise."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_OFF, _ON = "NO_COLOR", "FORCE_COLOR"
"""Variables of the environment that many programs read; one that is empty is not set."""
_SECONDS = 0.1


def set_color(choice: str) -> None:
    """Let an option override the environment. `choice` is one of the choices of `--color`."""
    if choice != "auto":
        set_one, other = (_OFF, _ON) if choice == "never" else (_ON, _OFF)
        os.environ[set_one] = "1"
        # an empty FORCE_COLOR would mean "not a terminal" to rich
        os.environ.pop(other, None)


def is_coloured(out: TextIO) -> bool:
    """Return whether an output is coloured."""
    return not os.environ.get(_OFF) and (bool(os.environ.get(_ON)) or out.isatty())


def console(out: TextIO, **options: Any) -> Console:
    """Return a console for an output, without escapes if there are no colours."""
    from rich.console import Console

    if is_coloured(out):
        return Console(file=out, force_terminal=True, **options)
    # a terminal without colours still has a width, and can be cleared
    return Console(file=out, color_system=None, **options)


class Bar:
    """A progress bar on standard error, hidden while anything else is written."""

    def __init__(self, noun: str = "files") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = BarColumn(20), TextColumn(f"{{task.completed}} {noun}")
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self._task = self._progress.add_task("check", total=None)
        self._count, self._drawn = 0, monotonic()

    def advance(self, by: int = 1) -> None:
        """Count one or several files."""
        self._count += by
        if monotonic() - self._drawn >= _SECONDS:
            self._progress.start()
            self._progress.update(self._task, completed=self._count, refresh=True)
            self._drawn = monotonic()

    def hide(self) -> None:
        """Erase the bar, until it is drawn again."""
        self._progress.stop()


@contextmanager
def progress(noun: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal while a block runs, which passes the function the counts."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = Bar(noun)
    try:
        yield bar.advance
    finally:
        bar.hide()
