"""What a person types in Neovim, with the help's lines for completion, is what Neovim holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors import flow
from editors.hands import PACES, Deed, without_ends, wrong
from editors.hands_texts import DEEDS
from editors.neovim.person import Person
from editors.typing_hands import Done, all_done


@pytest.fixture(scope="module")
def done(neovim: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with all_done([Person(neovim, tmp_path_factory.mktemp("home")) for _ in range(5)]) as done:
        yield done


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("deed", DEEDS, ids=str)
def test_what_is_typed_is_there_once(done: Done, deed: Deed, pace: str) -> None:
    before, after = done[deed, pace].result()
    assert not wrong(without_ends(deed), before + after, len(before))


WITH_COMPLETION = (
    *("!!", "Next", "Accept", "Tab", "send", "Tab", "Next", "Next", "Accept"),
    *("Enter", "!!", "Next", "Accept", "Next", "Accept"),
    *("Enter", "!!", "Next", "Accept", "20", "Down", "End"),
    *("Enter", "!!", "Next", "Next", "Accept", "r1:", "Next", "Accept", "Tab", "a.txt"),
)


def test_completion_alone_writes_calls(neovim: Path, tmp_path: Path) -> None:
    file = flow.prepare(tmp_path)
    with Person(neovim, tmp_path) as person:
        text, pressed = person.write(file, WITH_COMPLETION)
    assert text == flow.TEXT
    assert flow.share(pressed) <= flow.MOST
