"""The progress of work that nobody asked for, as a client is reported of it."""

from __future__ import annotations

import json

from llmblocks.lsp.session.chore import Chore
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import Arrival
from llmblocks.lsp.wire.rpc import Json


class Client:
    """A client that answers when it is reported to."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Json]] = []
        self.asked: list[tuple[str, Json]] = []
        self.session = ServerSession("0", self._receive)
        self.chore = Chore("files", self.session.dispatcher, lambda _: None)
        self.chore.is_shown = True

    def _receive(self, body: bytes) -> None:
        message = json.loads(body)
        if "id" in message:
            assert message["method"] == "window/workDoneProgress/create"
            self.asked.append((message["params"]["token"], message["id"]))
        else:
            assert message["method"] == "$/progress"
            self.told.append((message["params"]["token"], message["params"]["value"]))

    def answer(self, number: int, **content: Json) -> None:
        """Answer a request."""
        self.session.serve(Arrival({"jsonrpc": "2.0", "id": self.asked[number][1], **content}, 0))


def test_a_percentage_is_reported_once() -> None:
    client = Client()
    client.chore.show("reading", 400)
    ((token, _),) = client.asked
    client.answer(0, result=None)
    for done in range(1, 401):
        client.chore.report(done, 400)
    client.chore.end()
    kinds = [(value["kind"], value.get("percentage")) for name, value in client.told if name == token]
    assert kinds == [("begin", 0), *[("report", number) for number in range(101)], ("end", None)]


def test_an_answer_about_work_that_is_over_shows_no_other() -> None:
    client = Client()
    client.chore.show("one", 400)
    client.chore.end()
    client.chore.show("other", 400)
    _, (token, _) = client.asked
    client.answer(0, result=None)
    client.chore.report(1, 2)
    assert client.told == []
    client.answer(1, result=None)
    assert [(name, value["title"]) for name, value in client.told] == [(token, "llmblocks: other")]


def test_a_client_that_refuses_is_not_asked_again() -> None:
    client = Client()
    client.chore.show("one", 400)
    client.answer(0, error={"code": -32603, "message": "no"})
    client.chore.end()
    client.chore.show("other", 400)
    assert len(client.asked) == 1
    assert client.told == []
