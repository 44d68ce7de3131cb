"""A client in the process of the server's session, which opens the files of a folder, and what tests say of texts."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

from folders import written
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import arrival
from wire import serve_waiting

Json = Any
TWICE = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
"""A call with one finding, G101."""
ACTIONS: Json = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
"""The capability of a client that takes code actions, and edits with them."""


def call(name: str, needs: str = "") -> str:
    return f"!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


def position(marked: str, text: str = "") -> Json:
    """Return the place of `$0`, in UTF-16: in a text, or in a part of this other text."""
    before = marked.partition("$0")[0]
    if text:
        before = text[: text.index(marked.replace("$0", ""))] + before
    lines = re.split(r"\r\n|\r|\n", before)
    return {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}


def span(line: int, start: int, end: int) -> Json:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def applied(text: str, edits: list[Json]) -> str:
    """Return the text after edits of a client that counts in UTF-16."""
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)

    def offset(place: Json) -> int:
        line = lines[place["line"]] if place["line"] < len(lines) else ""
        inside = len(line.encode("utf-16-le")[: 2 * place["character"]].decode("utf-16-le"))
        return len("".join(lines[: place["line"]])) + inside

    for each in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        start, end = offset(each["range"]["start"]), offset(each["range"]["end"])
        text = text[:start] + each["newText"] + text[end:]
    return text


class Editor:
    """A client that opens files of a folder, and keeps what it is reported."""

    def __init__(
        self,
        folder: Path,
        *,
        workspace: bool = False,
        folders: tuple[Path, ...] = (),
        pulls: bool = False,
        versions: bool = False,
        refreshes: tuple[str, ...] = (),
        of_workspace: Json = None,
        options: Json = None,
        name: str = "",
        answers: Json = None,
        **capabilities: Json,
    ) -> None:
        self.folder = folder
        self.told: dict[str, list[Json]] = {}
        self.published: list[Json] = []
        self.sent: list[Json] = []
        self.answers: Json = answers or {}
        """The results of the requests of the server that are answered at once, by method."""
        self._serial = count(1)
        self._answers: dict[int, Json] = {}
        self._session = ServerSession("0", self._take)
        if pulls:
            capabilities |= {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
        if versions:
            of_workspace = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}
        if refreshes:
            of_workspace = {name: {"refreshSupport": True} for name in refreshes}
        if of_workspace is not None:
            capabilities |= {"workspace": of_workspace}
        roots = [{"uri": each.as_uri(), "name": "w"} for each in folders or (folder,) * workspace]
        about = {"capabilities": capabilities, "workspaceFolders": roots or None, "clientInfo": {"name": name}}
        about |= {"initializationOptions": {"keepsCaret": True} | (options or {})}
        self.capabilities = self.ask("initialize", about)["capabilities"]
        self.tell("initialized", {})
        self.wait()

    def uri(self, name: str) -> str:
        return name if name.startswith("untitled:") else (self.folder / name).as_uri()

    def write(self, name: str, text: str) -> None:
        written(self.folder / name, text)

    def save(self, name: str, text: str) -> None:
        """Write a file, and report its change."""
        self.write(name, text)
        self.touch(name)

    def remove(self, name: str) -> None:
        (self.folder / name).unlink()
        self.touch(name, kind=3)

    def touch(self, *names: str, kind: int = 2) -> None:
        changes = [{"uri": self.uri(name), "type": kind} for name in names]
        self.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    def open(self, name: str, text: str | None = None, language_id: str = "gadget") -> None:
        text = (self.folder / name).read_bytes().decode() if text is None else text
        item = {"uri": self.uri(name), "languageId": language_id, "version": 0, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def close(self, name: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def did_save(self, name: str) -> None:
        self.tell("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})

    def change(self, name: str, change: Json, version: int = 1) -> None:
        document = {"uri": self.uri(name), "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def replace(self, name: str, line: int, start: int, end: int, text: str, version: int = 1) -> None:
        self.change(name, {"range": span(line, start, end), "text": text}, version)

    def rewrite(self, name: str, text: str, version: int = 1) -> None:
        """Replace the whole text of a document."""
        self.change(name, {"text": text}, version)

    def configure(self, settings: Json) -> None:
        self.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": settings}})

    def codes(self, name: str) -> list[str]:
        """Return the codes of the last diagnostics; of one without a code its headline."""
        return [each.get("code") or each["message"].partition("\n")[0] for each in self.told[self.uri(name)]]

    def pull(self, name: str) -> list[str]:
        items = self.of("diagnostic", name)["items"]
        return [each["code"] for each in items]

    def ask(self, method: str, params: Json) -> Json:
        answer = self._answer(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def of(self, method: str, name: str, **more: Json) -> Json:
        """Return the answer to a request about a document."""
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, **more})

    def at(self, method: str, name: str, marked: str, text: str = "", **more: Json) -> Json:
        """Return the answer to a request about the place of `$0` in a document."""
        return self.of(method, name, position=position(marked, text), **more)

    def run(self, command: str, name: str, **more: Json) -> Json:
        """Return the result of a command for a document."""
        argument = {"textDocument": {"uri": self.uri(name)}, **more}
        return self.ask("workspace/executeCommand", {"command": f"llmblocks.{command}", "arguments": [argument]})

    def actions(self, name: str, where: Json, *only: str, diagnostics: Json = ()) -> list[Json]:
        """Return the code actions for a range."""
        context = {"diagnostics": [*diagnostics]} | ({"only": [*only]} if only else {})
        found: list[Json] = self.of("codeAction", name, range=where, context=context)
        return found

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
        return self._answer(method, params)["error"]

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

    def _answer(self, method: str, params: Json) -> Json:
        return self._answers.pop(self.begin(method, params))

    def _put(self, message: Json) -> None:
        self._session.inbox.put(arrival(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def _take(self, body: bytes) -> None:
        message = json.loads(body)
        method = message.get("method")
        if method is None:
            self._answers[message["id"]] = message
        elif method == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
            self.told[message["params"]["uri"]] = message["params"]["diagnostics"]
        else:
            assert method != "window/showMessage", message
            self.sent.append(message)
            if method in self.answers:
                self._put({"id": message["id"], "result": self.answers[method]})
