"""A person at an Emacs in a terminal that is set up as the page says."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from editors.emacs.asking import configuration, environment_of
from editors.emacs.emacs_install import Emacs
from editors.hands import Deed, apart
from editors.terminal import Terminal
from editors.typing_hands import OPEN, TELL, act, ask

HANDS = Path(__file__).with_name("hands.el")


class Person:
    """One session of Emacs for many deeds, as a context manager. Everything it keeps is in `home`."""

    def __init__(self, emacs: Emacs, home: Path) -> None:
        self._home = home
        (home / ".emacs.d").mkdir()
        (home / ".emacs.d" / "init.el").write_text(configuration(), encoding="utf-8")
        environment = environment_of(emacs, home) | {"TERM": "xterm-256color", "LLMBLOCKS_HANDS": str(home)}
        self._terminal = Terminal([*emacs.command, "-nw", "-l", str(HANDS)], environment, home)

    def __enter__(self) -> Self:
        self._terminal.__enter__()
        self._terminal.shows("*scratch*")
        return self

    def __exit__(self, *_: object) -> None:
        self._terminal.__exit__(None, None, None)

    def do(self, deed: Deed, pace: str) -> tuple[str, str]:
        """The text before the caret, and behind it, when all is done."""
        text, caret = apart(deed.start)
        # in one folder, so that one server serves them all
        file = self._home / f"{pace}-{deed.file}"
        file.write_bytes(text.encode())
        ask(self._terminal, self._home, OPEN, file=str(file), offset=len(text[:caret].replace("\r", "")))
        # it connects when the command is over
        ask(self._terminal, self._home, TELL)
        act(self._terminal, deed.steps, pace)
        told = ask(self._terminal, self._home, TELL)
        return told["before"], told["after"]
