"""Work that the session does while nothing waits."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from llmblocks.lsp.documents.text import Languages
from llmblocks.lsp.session import garbage
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import Arrival, arrival
from wire import serve_waiting


def message(method: str, params: Any, request_id: int | None = None) -> Arrival:
    content = {"jsonrpc": "2.0", "method": method, "params": params}
    if request_id is not None:
        content["id"] = request_id
    return arrival(json.dumps(content).encode())


def started(send: Callable[[bytes], None] = lambda _: None, *, can_wait: bool = False) -> ServerSession:
    session = ServerSession("0", send, can_wait=can_wait)
    session.inbox.put(message("initialize", {"capabilities": {}}, 1))
    serve_waiting(session)
    return session


def test_a_step_that_fails_is_reported_and_its_work_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: Languages) -> Iterator[None]:
        yield
        raise KeyError("gone")

    monkeypatch.setattr(Languages, "prepare", fails)
    told: list[Any] = []
    session = started(lambda body: told.append(json.loads(body)))
    told.clear()
    with caplog.at_level(logging.ERROR, "llmblocks"):
        while session.idle():
            pass
    assert "KeyError" in caplog.text
    assert [each["method"] for each in told] == ["window/showMessage"]
    session.inbox.put(message("shutdown", None, 2))
    serve_waiting(session)
    assert told[-1] == {"jsonrpc": "2.0", "id": 2, "result": None}


def test_no_step_is_done_before_a_message_that_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []

    def counted(_: Languages) -> Iterator[None]:
        for number in range(2):
            steps.append(number)
            yield

    monkeypatch.setattr(Languages, "prepare", counted)
    session = started()
    assert session.idle()
    assert steps == [0]
    # it has arrived, but is unread
    session.inbox.look = lambda: session.inbox.put(message("$/setTrace", {"value": "off"}))
    assert not session.idle()
    assert steps == [0]
    session.inbox.look = lambda: None
    serve_waiting(session)
    while session.idle():
        pass
    assert steps == [0, 1]


@pytest.mark.parametrize("can_wait", [False, True])
def test_garbage_is_looked_for_when_nobody_has_typed_for_a_while(
    can_wait: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[bool] = []
    session = started(can_wait=can_wait)
    while session.idle():
        pass
    monkeypatch.setattr(garbage, "is_due", lambda: not swept)
    monkeypatch.setattr(garbage, "sweep", lambda: swept.append(True))
    session.idle()
    # where nobody can wait, the first moment is taken
    assert len(swept) == (not can_wait)
    session.inbox.look = lambda: session.inbox.put(message("$/setTrace", {"value": "off"}))
    session.release()
    assert len(swept) == (not can_wait)
    session.inbox.look = lambda: None
    serve_waiting(session)
    assert session.patience() == (1.0 if can_wait else None)
    session.release()
    assert len(swept) == 1
    assert session.patience() is None
