from collections.abc import Iterator

import pytest

from grammars.engines import Engines


@pytest.fixture(scope="session")
def engines() -> Iterator[Engines]:
    found = Engines()
    yield found
    found.close()
