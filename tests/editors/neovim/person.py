"""A person at a Neovim in a terminal that is set up as the page and the help say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from editors.hands import Deed, apart
from editors.neovim.asking import as_you_type, command_of, environment_of
from editors.terminal import Terminal
from editors.typing_hands import OPEN, TELL, act, ask, follow

HANDS = Path(__file__).with_name("hands.lua")


class Person:
    """One session of Neovim for many deeds, as a context manager. Everything it keeps is in `home`."""

    def __init__(self, neovim: Path, home: Path, more: str = "") -> None:
        self._home = home
        command = command_of(neovim, home, f"{as_you_type()}\n{more}\n")
        environment = environment_of(home) | {"TERM": "xterm-256color", "LLMBLOCKS_HANDS": str(home)}
        self._terminal = Terminal([*command, "-c", f"luafile {HANDS}"], environment, home)

    def __enter__(self) -> Self:
        self._terminal.__enter__()
        self._terminal.shows("[No Name]")
        return self

    def __exit__(self, *_: object) -> None:
        self._terminal.__exit__(None, None, None)

    def do(self, deed: Deed, pace: str) -> tuple[str, str]:
        """The text before the caret, and behind it, when all is done."""
        text, caret = apart(deed.start)
        file = self._home / pace / deed.name.replace(" ", "-") / deed.file
        file.parent.mkdir(parents=True)
        file.write_bytes(text.encode())
        above = text[:caret].split("\n")
        behind = text and caret == len(text) and not above[-1]
        # there is no line behind the last newline in Vim: `o` begins one
        line, column = (len(above) - 1, 0) if behind else (len(above), len(above[-1].encode()) + 1)
        served = file.suffix != ".toml"
        ask(self._terminal, self._home, OPEN, file=str(file), line=line, column=column, served=served)
        self._terminal.press("o" if behind else "i" if text[caret : caret + 1].strip() else "a")
        act(self._terminal, deed.steps, pace)
        told = ask(self._terminal, self._home, TELL)
        # the newline at the end of a file is no line in Vim
        return told["before"], told["after"] + ("\n" if text.endswith("\n") and not behind else "")

    def write(self, file: Path, keys: Sequence[str]) -> tuple[str, int]:
        """The text of an empty file after keys, and their number."""
        ask(self._terminal, self._home, OPEN, file=str(file), line=1, column=1, served=True)
        self._terminal.press("i")
        pressed = follow(self._terminal, keys)
        told = ask(self._terminal, self._home, TELL)
        return told["before"] + told["after"], pressed
