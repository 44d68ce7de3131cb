"""A person at a Helix in a terminal that is set up as the page says: what is typed, and what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.flow import BLOCKS, CALLS, CHAT, prepare
from editors.hands import Press
from editors.helix.conftest import Helix
from editors.helix.test_helix import needs_a_compiler
from editors.programs import Program, output
from editors.screen import SIZE, TEXT, is_as_accepted
from editors.terminal import Terminal
from editors.typing_hands import QUIET_S, Done, Scripts, Session, Take, TypingTests, all_done
from folders import written

MARK = "¦"
"""Typed in the end: where it is in the saved file, there was the caret."""


class HelixInTerminal(Session):
    """One Helix."""

    # what the server says of its first file
    first = "outside any call"
    next_item, accept = "\x0e", "\r"
    # `C` selects the same in the next line too
    two_lines = ("\x1b", "Ci")

    def start(self) -> Terminal:
        terminal: Terminal = self.editor.show("first.gadget", "!!!GADGET_END\n")
        return terminal

    def open(self, file: Path, text: str, caret: int) -> None:
        self._file = file
        self.terminal.press(f":open {file}\r")
        self.terminal.shows(file.name)
        line = text[:caret].count("\n") + 1
        self._behind = bool(text) and caret == len(text) and text.endswith("\n")
        # Helix shows no line after the last newline: `o` begins one
        self.terminal.press(f"{line - 1}ggo" if self._behind else f"{line}ggi")
        self.terminal.shows("INS")

    def look(self) -> tuple[str, str]:
        self.terminal.press(MARK)
        self.terminal.shows(MARK)
        # the first one may close a list
        for _ in range(2):
            self._escape()
        before, _, after = self._saved().partition(MARK)
        # a mark for each caret
        after = after.replace(MARK, "")
        return before, re.sub(r"\r?\n\Z", "", after) if self._behind else after

    def undone(self) -> str:
        self.terminal.press("999u")
        return self._saved()

    def spelled(self, text: str) -> str:
        # a new line of Helix begins with the spaces of the one above, and no setting says otherwise: Ctrl-u drops them
        return re.sub(r"(?m)^([ \t]+.*\n)", "\\1\x15", text)

    def _escape(self) -> None:
        """Leave what is open. A key right after it would be one with Alt."""
        self.terminal.press("\x1b")
        self.terminal.rests(QUIET_S)

    def _saved(self) -> str:
        """Return the text, which a command writes beside the file."""
        beside = self._file.with_suffix(".beside")
        beside.unlink(missing_ok=True)
        self.terminal.press(f"%:pipe-to cat > {beside}.new; mv {beside}.new {beside}\r")
        self.terminal.until(beside.exists)
        return beside.read_bytes().decode()


TAB, DOWN, END = Press("Tab"), Press("Down"), Press("End")
SCRIPTS: Scripts = {
    CALLS: (
        *("!", Take("!!!GADGET_START:SearchCode"), TAB, "send", TAB, "re", Take("regex")),
        *("\n!", Take("!!!ARG:caseSensitive"), Take("true"), "\n!", Take("!!!ARG:maxResults"), "20"),
        *(DOWN, END, "\n!", Take("!!!GADGET_START:ReadFile", 1), "r1:", Take("s1"), TAB, "a.txt"),
    ),
    CHAT: (
        *("@", Take("system", 3), "\nBe brief.\n@", Take("user"), " ", Take("name"), "Ada", END),
        *("\nHi\n@", Take("assistant"), "\n@c", Take("call"), "find", TAB, TAB, '"limit": 20', END),
        *("\n@t", Take("tool"), "Nothing.\n@r", Take("raw"), Take("assistant")),
        *(TAB, "Sorry.", TAB, "@u", Take("user"), " ", Take("name"), Take("Ada"), END, "\nThanks\n"),
    ),
    BLOCKS: (
        *("<", Take("think"), Take("high", 1), TAB, "Hm.", END, "\nSo: <", Take("answer", 0, "an"), "a", END),
        *("\n<", Take("think"), Take("low"), TAB, "Done.", END, "\n"),
    ),
}


@pytest.fixture(scope="module")
def done(helix: Program, configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    homes = [Helix(helix, configuration, tmp_path_factory.mktemp("home")) for _ in range(5)]
    with all_done([*map(HelixInTerminal, homes)], SCRIPTS) as done:
        yield done


class TestHelix(TypingTests):
    pass


@needs_a_compiler
def test_the_picture_of_the_docs_is_what_a_person_sees(hx: Helix) -> None:
    prepare(hx.home)
    with hx.open(written(hx.home / "answer.gadget", TEXT), size=SIZE) as terminal:
        terminal.shows("Invalid option")
        terminal.press("geo!")
        terminal.shows("function")
        terminal.press("\x0e")
        terminal.shows("Required")
        version = output(hx.program.path, "--version").strip()
        is_as_accepted(terminal, "helix-session-gadget", version, hx.home / "taken.svg")
