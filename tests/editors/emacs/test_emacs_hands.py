"""Text typed in Emacs arrives unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.emacs.emacs_install import Emacs
from editors.emacs.person import EmacsInTerminal
from editors.flow import BLOCKS, CALLS, CHAT
from editors.hands import PERSON, Press
from editors.screen import seen
from editors.typing_hands import Done, Scripts, Take, all_done
from editors.typing_tests import TypingTests

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
def done(emacs: Emacs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with all_done([EmacsInTerminal(emacs, tmp_path_factory.mktemp("home")) for _ in range(5)], SCRIPTS) as done:
        yield done


def test_the_hint_of_a_call_tells_of_it_as_it_is(emacs: Emacs, tmp_path: Path) -> None:
    file = tmp_path / "a.gadget"
    text = "!!!GADGET_START:SearchCode\n!!!ARG:pattern\nsend\n!!!ARG:mode\nregexp\n!!!GADGET_END\n"
    file.write_text(text, encoding="utf-8")
    with EmacsInTerminal(emacs, tmp_path) as session:
        session.open(file, text, text.index("p\n!!!GADGET_END") + 1)
        session.terminal.until(lambda: "rejected: mode" in seen(session.terminal), "the hint")
        session.type((Press("Backspace"),), PERSON)
        # no key is pressed in between: Eglot asks for hints when there was none for a while
        session.terminal.until(lambda: "rejected: mode" not in seen(session.terminal), "no hint")


class TestEmacs(TypingTests):
    inserts_ends = True
