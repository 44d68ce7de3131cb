"""Fixtures of the end-to-end tests."""

from __future__ import annotations

import pytest

from wire import TRANSPORTS


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    """Each transport in turn: the same abuse gets the same answers on all of them."""
    return str(request.param)
