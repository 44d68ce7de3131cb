"""The progress of work that nobody asked for, as a client is reported of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from llmblocks.lsp.session.progress import Progress
from llmblocks.lsp.wire.rpc import Json


class Client:
    """A client that answers when it is reported to."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Json]] = []
        self.asked: list[tuple[str, Callable[[Json], None], Callable[[], None]]] = []
        self.progress = Progress("files", self.ask, self.notify)
        self.progress.is_shown = True

    def ask(
        self, method: str, params: Json, then: Callable[[Json], None], refused: Callable[[], None] | None = None
    ) -> None:
        assert method == "window/workDoneProgress/create"
        assert refused is not None
        self.asked.append((params["token"], then, refused))

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        assert method == "$/progress"
        self.told.append((str(params["token"]), params["value"]))


def test_a_percentage_is_reported_once() -> None:
    client = Client()
    client.progress.start("reading")
    ((token, agree, _),) = client.asked
    agree(None)
    for done in range(1, 401):
        client.progress.report(done, 400)
    client.progress.end()
    kinds = [(value["kind"], value.get("percentage")) for name, value in client.told if name == token]
    assert kinds == [("begin", 0), *[("report", number) for number in range(101)], ("end", None)]


def test_an_answer_about_work_that_is_over_shows_no_other() -> None:
    client = Client()
    client.progress.start("one")
    client.progress.end()
    client.progress.start("other")
    (_, agree_to_one, _), (token, agree, _) = client.asked
    agree_to_one(None)
    client.progress.report(1, 2)
    assert client.told == []
    agree(None)
    assert [(name, value["title"]) for name, value in client.told] == [(token, "other")]


def test_a_client_that_refuses_is_not_asked_again() -> None:
    client = Client()
    client.progress.start("one")
    client.asked[0][2]()
    client.progress.end()
    client.progress.start("other")
    assert len(client.asked) == 1
    assert client.told == []
