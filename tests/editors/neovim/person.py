"""A person at a Neovim in a terminal that is set up as the page and the help say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from editors.hands import Press, Step
from editors.neovim.asking import as_you_type, command_of, environment_of
from editors.terminal import Terminal
from editors.typing_hands import OPEN, TELL, Session

HANDS = Path(__file__).with_name("hands.lua")


class Neovim(Session):
    """One Neovim."""

    first = "[No Name]"
    next_item, accept = "\x0e", "\x19"
    # a block of one column; what is inserted shows in its first line until Escape
    two_lines, two_lines_end = ("\x1b", "\x16jI"), "\x1b"

    def __init__(self, neovim: Path, home: Path) -> None:
        self._neovim = neovim
        super().__init__(home)

    def start(self) -> Terminal:
        command = command_of(self._neovim, self.home, f"{as_you_type()}\n")
        environment = environment_of(self.home) | {"TERM": "xterm-256color", "LLMBLOCKS_HANDS": str(self.home)}
        return Terminal([*command, "-c", f"luafile {HANDS}"], environment, self.home)

    def open(self, file: Path, text: str, caret: int) -> None:
        above = text[:caret].split("\n")
        behind = text and caret == len(text) and not above[-1]
        # there is no line after the last newline in Vim: `o` begins one
        line, column = (len(above) - 1, 0) if behind else (len(above), len(above[-1].encode()) + 1)
        self.ask(OPEN, file=str(file), line=line, column=column, served=file.suffix != ".toml")
        self.terminal.press("o" if behind else "i" if text[caret : caret + 1].strip() else "a")
        # the newline at the end of a file is not a line in Vim
        self._end = text[len(text.rstrip("\r\n")) :]
        self._end_behind = "" if behind else self._end

    def look(self) -> tuple[str, str]:
        told = self.ask(TELL)
        return told["before"], told["after"] + self._end_behind

    def type(self, steps: Sequence[Step], pace: str) -> None:
        for step in steps:
            super().type((step,), pace)
            if step == Press("Tab"):
                # it moves to the next place by its own keys, after those already queued
                self.ask(TELL)

    def listed(self, label: str) -> None:
        self.terminal.until(lambda: label in self.ask(TELL)["list"], f"a list with {label}")

    def go_to(self, label: str, above: int) -> None:
        # an answer to the last key draws the list again, with nothing chosen: a person sees that and chooses again
        super().go_to(label, above)
        while (told := self.ask(TELL)).get("chosen") != label:
            self.terminal.press(self.next_item)
        assert told["list"].index(label) == above

    def settle(self) -> None:
        # a snippet is expanded when the server has said more of its item
        self.ask(TELL)

    def undone(self) -> str:
        self.terminal.press("\x1b")
        self.terminal.press("999u")
        told = self.ask(TELL)
        return str(told["before"] + told["after"] + self._end)
