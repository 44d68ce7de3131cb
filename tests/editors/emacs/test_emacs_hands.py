"""A person at an Emacs in a terminal that is set up as the page says: what is typed, and what is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from editors.emacs.conftest import Emacs
from editors.flow import BLOCKS, CALLS, CHAT, prepare
from editors.hands import FAST, PERSON, Press, Step
from editors.programs import EMACS, Program
from editors.screen import LIGHT, SIZE, TEXT, is_as_accepted, seen
from editors.terminal import Terminal
from editors.typing_hands import KEYS, OPEN, TELL, UNDO, Done, Scripts, Session, Take, TypingTests, all_done
from folders import written

HANDS = Path(__file__).with_name("hands.el")


class EmacsInTerminal(Session):
    """One Emacs."""

    first = "*scratch*"
    # M-down and M-RET
    next_item, accept = "\x1b[1;3B", "\x1b\r"
    keys: ClassVar = {**KEYS, "End": "\x05"}
    # a rectangle of two lines without width, and C-x r t
    two_lines, two_lines_end = ("\x18 ", "\x0e", "\x18rt"), "\r"

    def start(self) -> Terminal:
        self.editor.configured(".emacs.d/init.el")
        environment = self.editor.environment(TERM="xterm-256color", LLMBLOCKS_HANDS=str(self.home))
        return Terminal([*self.editor.program.command, "-nw", "-l", str(HANDS)], environment, self.home)

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


TAB, END = Press("Tab"), Press("End")
SCRIPTS: Scripts = {
    CALLS: (
        *("!", TAB, Take("!!!GADGET_START:SearchCode"), "send\n!", TAB, Take("!!!ARG:mode"), TAB, Take("regex", 1)),
        *("\n!", TAB, Take("!!!ARG:caseSensitive", 1), TAB, Take("true"), "\n!", TAB, Take("!!!ARG:maxResults", 1)),
        *("20\n!", TAB, Take("!!!GADGET_END"), "\n!re", TAB, Press("Up", 2), END),
        *(":", TAB, Press("Down", 2), "a.txt\n!", TAB, Take("!!!GADGET_END")),
    ),
    CHAT: (
        *("@s", TAB, Take("system"), "\nBe brief.\n@u", TAB, " n", TAB, '"Ada"\nHi\n@as', TAB, "\n@c", TAB),
        *('"find" i', TAB, '\n{"limit": 20}\n@t', TAB, "Nothing.\n@r", TAB, TAB, Take("assistant"), ", c", TAB),
        *('"Sorry."}\n', TAB, "\n@u", TAB, " n", TAB, TAB, "\nThanks\n"),
    ),
    BLOCKS: (
        *("<", TAB, Take("think"), " ", TAB, TAB, Take("high", 1), ">Hm.", END, "\nSo: <ans", TAB, ">a", END),
        *("\n<", TAB, Take("think"), " ", TAB, TAB, Take("low"), ">Done.", END, "\n"),
    ),
}


@pytest.fixture(scope="module")
def done(emacs: Program, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with all_done([EmacsInTerminal(Emacs(emacs, tmp_path_factory.mktemp("home"))) for _ in range(5)], SCRIPTS) as done:
        yield done


def test_the_hint_of_a_call_tells_of_it_as_it_is(editor: Emacs) -> None:
    text = "!!!GADGET_START:SearchCode\n!!!ARG:pattern\nsend\n!!!ARG:mode\nregexp\n!!!GADGET_END\n"
    file = written(editor.home / "a.gadget", text)
    with EmacsInTerminal(editor) as session:
        session.open(file, text, text.index("p\n!!!GADGET_END") + 1)
        session.terminal.until(lambda: "rejected: mode" in seen(session.terminal), "the hint")
        session.type((Press("Backspace"),), PERSON)
        # no key is pressed in between: Eglot asks for hints when there was none for a while
        session.terminal.until(lambda: "rejected: mode" not in seen(session.terminal), "no hint")


class TestEmacs(TypingTests):
    inserts_ends = True


def test_the_picture_of_the_docs_is_what_a_person_sees(editor: Emacs) -> None:
    editor.configured(".emacs.d/init.el")
    # the mode line has its name
    project = editor.home / "agent"
    written(project / "answer.gadget", TEXT)
    prepare(project)
    command = [*editor.program.command, "-nw", "answer.gadget"]
    with Terminal(command, editor.environment(TERM="xterm-256color"), project, SIZE) as terminal:
        terminal.shows("rejected: mode")
        terminal.press("\x1b>!\t")
        terminal.shows("possible completions")
        version = editor.program.prints(*EMACS.asked)
        is_as_accepted(terminal, "emacs-session-gadget", version, editor.home / "taken.svg", LIGHT)
