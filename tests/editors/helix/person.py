"""A person at a Helix in a terminal that is set up as the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Self

from editors.hands import Deed, Step, apart
from editors.helix.helix_install import Helix
from editors.helix.test_helix import opened
from editors.typing_hands import QUIET_S, act

MARK = "¦"
"""Typed in the end: where it is in the saved file, there was the caret."""


class Person:
    """One session of Helix for many deeds, as a context manager. Everything it keeps is in `home`."""

    def __init__(self, helix: Helix, configuration: Path, home: Path) -> None:
        self._home = home
        first = home / "first.gadget"
        first.write_text("Hi.\n", encoding="utf-8")
        self._terminal = opened(helix, configuration, home, first)

    def __enter__(self) -> Self:
        self._terminal.__enter__()
        self._terminal.shows("Hi.")
        return self

    def __exit__(self, *_: object) -> None:
        self._terminal.__exit__(None, None, None)

    def do(self, deed: Deed, pace: str) -> tuple[str, str]:
        """The text before the caret, and behind it, when all is done."""
        text, caret = apart(deed.start)
        # in one folder, so that one server serves them all
        file = self._home / f"{pace}-{deed.file}"
        file.write_bytes(text.encode())
        self._terminal.press(f":open {file}\r")
        self._terminal.shows(file.name)
        line = text[:caret].count("\n") + 1
        behind = bool(text) and caret == len(text) and text.endswith("\n")
        # there is no line behind the last newline in Helix: `o` begins one
        self._terminal.press(f"{line - 1}ggo" if behind else f"{line}ggi")
        self._terminal.shows("INS")
        act(self._terminal, [without_blanks_of_helix(step) for step in deed.steps], pace)
        self._terminal.press(MARK)
        self._terminal.shows(MARK)
        # the first one may close a list; what follows it at once would be a key with Alt
        for _ in range(2):
            self._terminal.press("\x1b")
            self._terminal.rests(QUIET_S)
        self._terminal.press(":write\r")
        self._terminal.until(lambda: MARK in saved(file))
        before, _, after = saved(file).partition(MARK)
        return before, re.sub(r"\r?\n\Z", "", after) if behind else after


def saved(file: Path) -> str:
    """A file's text; empty while Helix puts a new one in its place."""
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return ""


def without_blanks_of_helix(step: Step) -> Step:
    """A new line of Helix begins with the blanks of the one above, and no setting says otherwise: Ctrl-u drops them."""
    return re.sub(r"(?m)^([ \t]+.*\n)", "\\1\x15", step) if isinstance(step, str) else step
