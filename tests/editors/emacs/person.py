"""A person at an Emacs in a terminal that is set up as the page says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from editors.emacs.asking import configuration, environment_of
from editors.emacs.emacs_install import Emacs
from editors.hands import FAST, Press, Step
from editors.terminal import Terminal
from editors.typing_hands import KEYS, OPEN, TELL, UNDO, Session

HANDS = Path(__file__).with_name("hands.el")


class EmacsInTerminal(Session):
    """One Emacs."""

    first = "*scratch*"
    # M-down and M-RET
    next_item, accept = "\x1b[1;3B", "\x1b\r"
    keys: ClassVar = {**KEYS, "Home": "\x01", "End": "\x05"}
    # a rectangle of two lines without width, and C-x r t
    two_lines, two_lines_end = ("\x18 ", "\x0e", "\x18rt"), "\r"

    def __init__(self, emacs: Emacs, home: Path) -> None:
        self._emacs = emacs
        super().__init__(home)

    def start(self) -> Terminal:
        (self.home / ".emacs.d").mkdir()
        (self.home / ".emacs.d" / "init.el").write_text(configuration(), encoding="utf-8")
        environment = environment_of(self._emacs, self.home) | {"TERM": "xterm-256color"}
        environment["LLMBLOCKS_HANDS"] = str(self.home)
        return Terminal([*self._emacs.command, "-nw", "-l", str(HANDS)], environment, self.home)

    def open(self, file: Path, text: str, caret: int) -> None:
        self.ask(OPEN, file=str(file), offset=len(text[:caret].replace("\r", "")))
        # it connects when the command is over
        self.ask(TELL)

    def type(self, steps: Sequence[Step], pace: str) -> None:
        for step in steps:
            # the keys behind TAB wait for the answer to it, and nobody has to
            super().type((step,), FAST if step == Press("Tab") else pace)

    def listed(self, label: str) -> None:
        """The keys that go to an item wait for the list that TAB opens."""

    def settle(self) -> None:
        """The next key may be as fast as it likes."""

    def look(self) -> tuple[str, str]:
        told = self.ask(TELL)
        return told["before"], told["after"]

    def undone(self) -> str:
        self.ask(UNDO)
        return "".join(self.look())
