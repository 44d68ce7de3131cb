"""A client of the real session, in this process: it keeps what it is reported, as an editor does."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, NamedTuple

from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import arrival
from oracle.places import Places, place_of_a_client
from oracle.schemas import DEFINITIONS
from oracle.whole import BLOCKED, CALLERS
from wire import serve_waiting

Json = Any
Change = tuple[int, int, str] | str
"""The replacement of the text between two code points, or of the whole document."""
_SERIAL = count()


def applied(text: str, change: Change) -> str:
    """Return the text after a change."""
    return change if isinstance(change, str) else text[: change[0]] + change[2] + text[change[1] :]


class Profile(NamedTuple):
    """The kind of client.

    `schemas` says that its gadgets are those of `oracle.schemas`, `by_role` that messages hold what `whole` says.
    """

    encoding: str
    pulls: bool = False
    most: int = 2000
    known: bool = True
    markers: tuple[str, str, str] | None = None
    schemas: bool = False
    by_role: bool = False


class Client:
    """One session, used for one document after the other."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.pushed: dict[str, Json] = {}
        self.pushes = 0
        self._answers: dict[Json, Json] = {}
        self._session = ServerSession("0", self._take)
        text_document: Json = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
        if profile.pulls:
            text_document["diagnostic"] = {}
        given: Json = {"diagnostics": {"maxPerDocument": profile.most}}
        if profile.markers:
            given["gadget"] = {"markers": dict(zip(("start", "end", "arg"), profile.markers, strict=True))}
        if profile.schemas:
            given["gadget.schemas"] = {"*": [str(DEFINITIONS)]}
        if profile.by_role:
            given["stf"] = {"gadgetRoles": [*CALLERS], "blockRoles": [*BLOCKED]}
        capabilities = {"general": {"positionEncodings": [profile.encoding]}, "textDocument": text_document}
        about = {"capabilities": capabilities, "initializationOptions": given}
        found = self.ask("initialize", {"processId": None, "rootUri": None, **about})
        assert found["capabilities"]["positionEncoding"] == profile.encoding
        legend = found["capabilities"]["semanticTokensProvider"]["legend"]
        self.roles: list[str] = legend["tokenTypes"]
        self.modifiers: list[str] = legend["tokenModifiers"]

    def ask(self, method: str, params: Json) -> Json:
        """Return the result of a request. Raises `AssertionError` where the server answers with an error."""
        request_id = next(_SERIAL)
        self.serve()
        self.pushes = 0
        self.tell(method, params, request_id)
        self.serve()
        assert not self.pushes, "a request changes no findings"
        answer = self._answers.pop(request_id)
        assert "error" not in answer, answer
        return answer["result"]

    def tell(self, method: str, params: Json, request_id: int | None = None) -> None:
        """Send a notification, or a request; it is served in its turn."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request_id is not None:
            message["id"] = request_id
        self._session.inbox.put(arrival(json.dumps(message).encode()))

    def serve(self) -> None:
        """Let the server do all that waits."""
        serve_waiting(self._session)
        while self._session.idle():
            pass

    def _take(self, body: bytes) -> None:
        message = json.loads(body)
        if "method" not in message:
            self._answers[message["id"]] = message
        elif message["method"] == "textDocument/publishDiagnostics":
            self.pushes += 1
            self.pushed[message["params"]["uri"]] = message["params"]
        else:
            assert message["method"] != "window/showMessage", message


class Document:
    """A document that the client has open, and all that it was reported of it."""

    def __init__(self, client: Client, language_id: str, text: str) -> None:
        self.client = client
        self.language_id = language_id
        self.text = text
        self.version = 1
        self.uri = f"file:///oracle/{next(_SERIAL)}"
        self._pulled: Json = {"resultId": None, "items": []}
        self._painted: Json = None
        item = {"uri": self.uri, "languageId": language_id, "version": 1, "text": text}
        client.tell("textDocument/didOpen", {"textDocument": item})
        client.serve()

    def close(self) -> None:
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.client.serve()
        assert self.client.profile.pulls or self.client.pushed.pop(self.uri)["diagnostics"] == []

    def change(self, edits: list[Change]) -> None:
        """One notification with several changes. It is not served yet."""
        changes: list[Json] = []
        for edit in edits:
            if isinstance(edit, str):
                changes.append({"text": edit})
                self.text = edit
            else:
                start, end = (place_of_a_client(self.text, each) for each in edit[:2])
                span = Places(self.text, self.client.profile.encoding).range(start, end)
                changes.append({"range": span, "text": edit[2]})
                self.text = applied(self.text, (start, end, edit[2]))
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def ask(self, method: str, **params: Json) -> Json:
        return self.client.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri}} | params)

    def semantic_tokens(self) -> list[int]:
        """Return the numbers of all tokens: fetched once, and then kept up to date with what changes."""
        if self._painted is None:
            self._painted = self.ask("semanticTokens/full")
            return list(self._painted["data"])
        if self.version % 4 == 0:
            # a client that has lost what it was reported
            self._painted = self.ask("semanticTokens/full/delta", previousResultId="no such id")
            return list(self._painted["data"])
        told = self.ask("semanticTokens/full/delta", previousResultId=self._painted["resultId"])
        data = told.get("data", self._painted["data"])
        for edit in sorted(told.get("edits", ()), key=lambda edit: -edit["start"]):
            start, end = edit["start"], edit["start"] + edit["deleteCount"]
            assert end <= len(data)
            data = data[:start] + edit.get("data", []) + data[end:]
        self._painted = {"resultId": told["resultId"], "data": data}
        return list(data)

    def diagnostics(self) -> Json:
        """Return the client's findings: pushed for this version, or pulled and kept."""
        if not self.client.profile.pulls:
            told = self.client.pushed[self.uri]
            assert told.get("version") == self.version
            return told["diagnostics"]
        known = self._pulled
        report = self.ask("diagnostic", previousResultId=known["resultId"])
        if report["kind"] == "full":
            assert report["items"] != known["items"] or known["resultId"] is None, "nothing new, and told again"
            assert report["resultId"] != known["resultId"], "something new under an old id"
            self._pulled = report
        else:
            assert report["resultId"] == known["resultId"]
        again = self.ask("diagnostic", previousResultId="no such id")
        assert again == {"kind": "full", "resultId": self._pulled["resultId"], "items": self._pulled["items"]}
        return self._pulled["items"]
