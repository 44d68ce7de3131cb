"""Minutes of mixed traffic in one server, and its memory: `python -m tools.bench.soak 30`.

It is to end within a tenth of the memory that it had after a sixth of the time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from tools.bench.report import Ratio, verdicts
from tools.bench.texts import gadget_document, stf_document
from wire import BASIC, SERVER, Wire, did_change, did_close, did_open, insertion, notification, request

Json = Any
FILES, LOGS, KEYS = 200, 20, 30
SIZES = (1_000, 10_000, 100_000)
PAUSE_SECONDS = 0.05
QUIET_SECONDS = 2.5
"""A look at memory comes after a time in which the server gives back what it does not need."""
LOOK_SECONDS = 30.0
MAKERS = {".gadget": gadget_document, ".stf": stf_document}
LOG = "!!!GADGET_START:Read:r{number}:r{before}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
REFRESHED = ("diagnostic", "semanticTokens", "textDocumentContent")
ANSWERS = dict.fromkeys(
    (
        *("client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create"),
        *(f"workspace/{each}/refresh" for each in REFRESHED),
    )
)
REFRESH = {"refreshSupport": True}
CAPABILITIES: Json = {
    "textDocument": {
        "diagnostic": {},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
    },
    "workspace": {"diagnostics": REFRESH, "semanticTokens": REFRESH, "textDocumentContent": {}},
    "window": {"workDoneProgress": True},
}
AT_A_PLACE = ("hover", "completion", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename")
OF_A_DOCUMENT = ("diagnostic", "foldingRange", "documentSymbol", "codeLens", "documentLink", "semanticTokens/full")


class Client:
    """A client that does everything that clients do, in a random order that is the same in each run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._random = Random(1)
        self._serial = 0
        self._known: dict[str, str] = {}
        self.wire = Wire(SERVER)
        self.wire.answers = ANSWERS
        about = {"capabilities": CAPABILITIES, "workspaceFolders": [{"uri": folder.as_uri(), "name": "w"}]}
        self.wire.result("init", "initialize", BASIC | about)
        self.wire.send(notification("initialized", {}))

    def session(self) -> None:
        """Open a document, type and ask in it, change files and settings, and close it."""
        random, size = self._random, self._random.choice(SIZES)
        suffix, make = random.choice([*MAKERS.items()])
        uri, text = (self._folder / f"f{random.randrange(FILES)}{suffix}").as_uri(), make(size)
        lines = text.count("\n")
        self.wire.send(did_open(uri, text, suffix.removeprefix(".")))
        for version in range(1, KEYS):
            line = random.randrange(lines)
            typed = random.choice(("x", "y", "\n", "!!!GADGET_END\n", "<think>"))
            self.wire.send(did_change(uri, version, insertion(line, 0, typed)))
            place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 0}}
            self._ask(f"textDocument/{random.choice(AT_A_PLACE)}", place)
            self._ask(f"textDocument/{random.choice(OF_A_DOCUMENT)}", {"textDocument": {"uri": uri}})
            time.sleep(PAUSE_SECONDS)
        document = {"textDocument": {"uri": uri}}
        span = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        self._ask("textDocument/codeAction", document | {"range": span, "context": {"diagnostics": []}})
        self._ask("workspace/textDocumentContent", {"uri": f"llmblocks://values/x?{quote(uri, safe='')}"})
        self._ask("workspace/symbol", {"query": random.choice(("r1", "read", "think"))})
        self._change_files(uri)
        self._fetch_all()
        self.wire.send(did_close(uri))
        if random.random() < 0.2:
            given = {"rules": {"severity": random.choice(({"G1": "hint"}, {"S0": "off"}, {}))}}
            self.wire.send(notification("workspace/didChangeConfiguration", {"settings": given}))
        self._forget()

    def _change_files(self, uri: str) -> None:
        number = self._random.randrange(1, LOGS)
        log = self._folder / "logs" / f"{number:04}.response"
        log.write_text(LOG.format(number=number, before=self._random.randrange(number)), "utf-8")
        changes = [{"uri": each, "type": 2} for each in (uri, log.as_uri())]
        self.wire.send(notification("workspace/didChangeWatchedFiles", {"changes": changes}))

    def _fetch_all(self) -> None:
        """Fetch the findings of all files; half of the requests are cancelled."""
        self._serial += 1
        known = [{"uri": uri, "value": value} for uri, value in self._known.items()]
        params = {"previousResultIds": known, "partialResultToken": "part", "workDoneToken": "work"}
        self.wire.send(request(self._serial, "workspace/diagnostic", params))
        if self._random.random() < 0.5:
            time.sleep(PAUSE_SECONDS)
            self.wire.send(notification("$/cancelRequest", {"id": self._serial}))
        self.wire.reply(self._serial)
        for message in self.wire.received:
            if message.get("method") == "$/progress" and message["params"]["token"] == "part":
                for each in message["params"]["value"]["items"]:
                    self._known[each["uri"]] = each.get("resultId", "")

    def _ask(self, method: str, params: Json) -> None:
        self._serial += 1
        self.wire.result(self._serial, method, params)

    def _forget(self) -> None:
        self.wire.received.clear()
        self.wire.times.clear()

    def memory(self) -> float:
        """Return the server's memory in MB, after a quiet time."""
        until = time.monotonic() + QUIET_SECONDS
        while (left := until - time.monotonic()) > 0:
            self.wire.pump(left)
        self._forget()
        return self.wire.rss() / 1e6


def write(folder: Path) -> None:
    """The files of a workspace, and a session."""
    (folder / "logs").mkdir()
    logs = {f"logs/{n:04}.response": LOG.format(number=n, before=n - 1) for n in range(1, LOGS)}
    files = {f"f{n}{suffix}": make(4_000) for n in range(FILES) for suffix, make in MAKERS.items()}
    for name, text in {"llmblocks.toml": "diagnostics.workspace = true\n", **logs, **files}.items():
        (folder / name).write_text(text, "utf-8")


def main(minutes: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write(folder)
        client = Client(folder)
        with client.wire:
            began = looked = time.monotonic()
            first, now, sessions = 0.0, 0.0, 0
            while (passed := time.monotonic() - began) < minutes * 60:
                client.session()
                sessions += 1
                if time.monotonic() - looked >= LOOK_SECONDS:
                    looked = time.monotonic()
                    now = client.memory()
                    print(f"  after {passed / 60:5.1f} minutes, {sessions} sessions: {now:.1f} MB", flush=True)
                    if not first and passed >= minutes * 60 / 6:
                        first = now
            now = client.memory()
            print(f"  at the end, {sessions} sessions: {now:.1f} MB; most {client.wire.most_rss() / 1e6:.1f} MB")
            assert client.wire.end() == 0
    verdicts("soak", Ratio(f"memory after {minutes:g} minutes, to that after a sixth of them", now / first, 1.1))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30)
