"""Text typed in Helix arrives unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.flow import BLOCKS, CALLS, CHAT
from editors.hands import Press
from editors.helix.helix_install import Helix
from editors.helix.person import HelixInTerminal
from editors.typing_hands import Done, Scripts, Take, all_done
from editors.typing_tests import TypingTests

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
def done(helix: Helix, configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    homes = [tmp_path_factory.mktemp("home") for _ in range(5)]
    with all_done([HelixInTerminal(helix, configuration, home) for home in homes], SCRIPTS) as done:
        yield done


class TestHelix(TypingTests):
    pass
