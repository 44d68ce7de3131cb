"""What a person types in Emacs is what Emacs holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from editors.emacs.emacs_install import Emacs
from editors.emacs.person import Person
from editors.hands import PACES, Deed, wrong
from editors.hands_texts import DEEDS
from editors.typing_hands import Done, all_done


@pytest.fixture(scope="module")
def done(emacs: Emacs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with all_done([Person(emacs, tmp_path_factory.mktemp("home")) for _ in range(5)]) as done:
        yield done


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("deed", DEEDS, ids=str)
def test_what_is_typed_is_there_once(done: Done, deed: Deed, pace: str) -> None:
    before, after = done[deed, pace].result()
    assert not wrong(deed.expected, before + after, len(before))
