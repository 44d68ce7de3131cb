"""What a person types in Neovim, with the help's lines for completion, is what Neovim holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
