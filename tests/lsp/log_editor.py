"""A client that opens the logs of a folder, in the process of the server's session."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import arrival
from wire import serve_waiting

Json = Any


def call(name: str, needs: str = "") -> str:
    return f"!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


class Editor:
    """A client that opens files of a folder, and keeps what it is reported."""

    def __init__(
        self,
        folder: Path,
        *,
        workspace: bool = False,
        pulls: bool = False,
        versions: bool = False,
        refreshes: tuple[str, ...] = (),
        of_workspace: Json = None,
        options: Json = None,
        name: str = "",
        **capabilities: Json,
    ) -> None:
        self.folder = folder
        self.told: dict[str, list[Json]] = {}
        self.sent: list[Json] = []
        self._serial = count(1)
        self._answers: dict[int, Json] = {}
        self._session = ServerSession("0", self._take)
        if pulls:
            capabilities |= {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
        if versions:
            capabilities |= {
                "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}
            }
        if of_workspace is not None:
            capabilities |= {"workspace": of_workspace}
        if refreshes:
            capabilities |= {"workspace": {name: {"refreshSupport": True} for name in refreshes}}
        folders = [{"uri": folder.as_uri(), "name": "w"}] if workspace else None
        about = {"capabilities": capabilities, "workspaceFolders": folders, "clientInfo": {"name": name}}
        about |= {"initializationOptions": {"keepsCaret": True} | (options or {})}
        self.capabilities = self.ask("initialize", about)
        self.tell("initialized", {})
        self.wait()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def touch(self, *names: str, kind: int = 2) -> None:
        changes = [{"uri": self.uri(name), "type": kind} for name in names]
        self.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    def open(self, name: str, text: str | None = None, language_id: str = "gadget") -> None:
        text = (self.folder / name).read_bytes().decode() if text is None else text
        item = {"uri": self.uri(name), "languageId": language_id, "version": 0, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def close(self, name: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def replace(self, name: str, line: int, start: int, end: int, text: str) -> None:
        span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        changes = [{"range": span, "text": text}]
        self.tell(
            "textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": 1}, "contentChanges": changes}
        )

    def codes(self, name: str) -> list[str]:
        return [each["code"] for each in self.told[self.uri(name)]]

    def pull(self, name: str) -> list[str]:
        items = self.ask("textDocument/diagnostic", {"textDocument": {"uri": self.uri(name)}})["items"]
        return [each["code"] for each in items]

    def ask(self, method: str, params: Json) -> Json:
        request_id = next(self._serial)
        self._put({"id": request_id, "method": method, "params": params})
        serve_waiting(self._session)
        answer = self._answers.pop(request_id)
        assert "error" not in answer, answer
        return answer["result"]

    def begin(self, method: str, params: Json) -> int:
        """Send a request that is answered later. Returns its id."""
        request_id = next(self._serial)
        self._put({"id": request_id, "method": method, "params": params})
        serve_waiting(self._session)
        return request_id

    def answered(self, request_id: int) -> Json:
        """Return the answer to a request, or its error, or None."""
        found = self._answers.pop(request_id, None)
        return None if found is None else found.get("result", found.get("error"))

    def refused(self, method: str, params: Json) -> Json:
        """Return the error that a request is answered with."""
        request_id = next(self._serial)
        self._put({"id": request_id, "method": method, "params": params})
        serve_waiting(self._session)
        return self._answers.pop(request_id)["error"]

    def interrupted(self, method: str, params: Json, by: str, uri: str = "") -> Json:
        """Return the error of a request while which is served the client cancels it, or changes a document."""
        looks = count()

        def look() -> None:
            # the first look is before the request
            if next(looks) == 1:
                self._session.inbox.look = lambda: None
                self._put({"method": by, "params": change if uri else {"id": request_id}})

        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": []}
        self._session.inbox.look = look
        request_id = next(self._serial)
        self._put({"id": request_id, "method": method, "params": params})
        serve_waiting(self._session)
        return self._answers.pop(request_id)["error"]

    def tell(self, method: str, params: Json) -> None:
        """Send a notification, and let the server serve it; `wait` lets it do what it does while nothing waits."""
        self._put({"method": method, "params": params})
        serve_waiting(self._session)

    def answer(self, request: Json, **answer: Json) -> None:
        self._put({"id": request["id"], **(answer or {"result": None})})
        serve_waiting(self._session)

    def wait(self) -> None:
        while self.step():
            pass

    def step(self) -> bool:
        return self._session.idle()

    def requests(self, method: str) -> list[Json]:
        return [each for each in self.sent if each["method"] == method]

    def _put(self, message: Json) -> None:
        self._session.inbox.put(arrival(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def _take(self, body: bytes) -> None:
        message = json.loads(body)
        if "method" not in message:
            self._answers[message["id"]] = message
        elif message["method"] == "textDocument/publishDiagnostics":
            self.told[message["params"]["uri"]] = message["params"]["diagnostics"]
        else:
            assert message["method"] != "window/showMessage", message
            self.sent.append(message)
