"""Text typed in Neovim, with the help's lines for completion, arrives unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.flow import BLOCKS, CALLS, CHAT
from editors.hands import Press
from editors.neovim.person import Neovim
from editors.typing_hands import Done, Scripts, Take, all_done
from editors.typing_tests import TypingTests

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
    with all_done([Neovim(neovim, tmp_path_factory.mktemp("home")) for _ in range(5)], SCRIPTS) as done:
        yield done


class TestNeovim(TypingTests):
    pass
