"""What a person types in Helix is what Helix holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.hands import PACES, Deed, without_ends, wrong
from editors.hands_texts import DEEDS
from editors.helix.helix_install import Helix
from editors.helix.person import Person
from editors.typing_hands import Done, all_done


@pytest.fixture(scope="module")
def done(helix: Helix, configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with all_done([Person(helix, configuration, tmp_path_factory.mktemp("home")) for _ in range(5)]) as done:
        yield done


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("deed", DEEDS, ids=str)
def test_what_is_typed_is_there_once(done: Done, deed: Deed, pace: str) -> None:
    before, after = done[deed, pace].result()
    assert not wrong(without_ends(deed), before + after, len(before))
