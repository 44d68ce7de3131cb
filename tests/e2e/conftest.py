"""Fixtures of the end-to-end tests: each runs on both fronts of the server."""

from __future__ import annotations

import pytest

from wire import FRONTS, TRANSPORTS, Wire

ALL_PAIRS = "test_endings.py"
"""Tests that depend on how a front waits for each transport.

Elsewhere the extended front runs on the first transport alone: the transports are one implementation, and
test_extensions.py has each of them with extensions.
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    is_plain = metafunc.definition.get_closest_marker("plain") is not None
    metafunc.parametrize("front", ["plain"] if is_plain else list(FRONTS), indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [each for each in items if _is_left_out(each)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [each for each in items if each not in left_out]


def _is_left_out(item: pytest.Item) -> bool:
    given = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    transport = given.get("transport", TRANSPORTS[0])
    return given.get("front") == "extended" and transport != TRANSPORTS[0] and item.path.name != ALL_PAIRS


@pytest.fixture(autouse=True)
def front(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each front of the server in turn; the plain one alone for tests that are marked `plain`."""
    monkeypatch.setattr(Wire, "front", FRONTS[request.param])
    return str(request.param)


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    """Each transport in turn: the same abuse gets the same answers on all of them."""
    return str(request.param)
