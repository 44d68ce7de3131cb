"""A person at a Neovim in a terminal that is set up as the page and the help say: what is typed, and what is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from editors.flow import BLOCKS, CALLS, CHAT, prepare
from editors.hands import Press, Step
from editors.homes import environment_of
from editors.neovim.conftest import Neovim, as_you_type
from editors.programs import output
from editors.screen import SIZE, TEXT, is_as_accepted
from editors.terminal import Terminal
from editors.typing_hands import OPEN, TELL, Done, Scripts, Session, Take, TypingTests, all_done
from folders import written

HANDS = Path(__file__).with_name("hands.lua")


class NeovimInTerminal(Session):
    """One Neovim."""

    first = "[No Name]"
    next_item, accept = "\x0e", "\x19"
    # a block of one column; what is inserted shows in its first line until Escape
    two_lines, two_lines_end = ("\x1b", "\x16jI"), "\x1b"

    def start(self) -> Terminal:
        environment = environment_of(self.home, TERM="xterm-256color", LLMBLOCKS_HANDS=str(self.home))
        return Terminal([*self.editor.command(as_you_type()), "-c", f"luafile {HANDS}"], environment, self.home)

    def open(self, file: Path, text: str, caret: int) -> None:
        above = text[:caret].split("\n")
        behind = text and caret == len(text) and not above[-1]
        # Vim shows no line after the last newline: `o` begins one
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


TAB, DOWN, END = Press("Tab"), Press("Down"), Press("End")
SCRIPTS: Scripts = {
    CALLS: (
        *("!", Take("!!!GADGET_START:SearchCode"), TAB, "send", TAB, Take("regex", 1)),
        *("\n!", Take("!!!ARG:caseSensitive"), Take("true"), "\n!", Take("!!!ARG:maxResults"), "20"),
        *(DOWN, END, "\n!", Take("!!!GADGET_START:ReadFile", 0, "re"), "r1:", Take("s1"), TAB, "a.txt"),
    ),
    CHAT: (
        *("@", Take("system", 0, "s"), "\nBe brief.\n@", Take("user"), " ", Take("name"), "Ada", END),
        *("\nHi\n@", Take("assistant"), "\n@", Take("call", 0, "c"), "find", TAB, TAB, '"limit": 20', END),
        *("\n@", Take("tool", 0, "t"), "Nothing.\n@", Take("raw", 0, "r"), Take("assistant")),
        *(TAB, "Sorry.", TAB, "@", Take("user", 0, "u"), " ", Take("name"), Take("Ada"), END, "\nThanks\n"),
    ),
    BLOCKS: (
        *("<", Take("think"), Take("high", 1), TAB, "Hm.", END, "\nSo: <", Take("answer", 0, "an"), "a", END),
        *("\n<", Take("think"), Take("low"), TAB, "Done.", END, "\n"),
    ),
}


@pytest.fixture(scope="module")
def done(neovim: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with all_done(
        [NeovimInTerminal(Neovim(neovim, tmp_path_factory.mktemp("home"))) for _ in range(5)], SCRIPTS
    ) as done:
        yield done


class TestNeovim(TypingTests):
    pass


def test_the_picture_of_the_docs_is_what_a_person_sees(nvim: Neovim) -> None:
    prepare(nvim.home)
    written(nvim.home / "answer.gadget", TEXT)
    environment = environment_of(nvim.home, TERM="xterm-256color", COLORTERM="truecolor")
    version = output(nvim.program, "--version").splitlines()[0]
    with Terminal([*nvim.command(as_you_type()), "answer.gadget"], environment, nvim.home, SIZE) as terminal:
        terminal.shows("E:1")
        # a terminal says its background: without it, Neovim waits and complains
        terminal.press("\x1b]11;rgb:1414/1616/1b1b\x1b\\")
        terminal.press("Go!")
        terminal.shows("Function")
        terminal.press("\x0e")
        terminal.shows("Required")
        is_as_accepted(terminal, "neovim-session-gadget", version, nvim.home / "taken.svg")
