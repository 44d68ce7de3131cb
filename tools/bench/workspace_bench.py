"""A key in an open document while all files of a workspace are checked: fetched by the client, or sent to it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tools.bench.corpus import gadget_document, stf_document
from tools.bench.report import Ratio, percentiles, verdicts
from wire import BASIC, SERVER, Wire, did_change, did_open, insertion, notification, request

Json = Any
FILES, SIZE, OPEN = 2000, 4_000, 10_000
PAUSE_SECONDS = 0.02
WARM = 5
"""The first keys, which load what they need."""
A_FOLDER = 100
MISTAKE = "!!!GADGET_END\n"
DOCUMENT = "typed.gadget"


def write(folder: Path) -> None:
    """Half of the files are gadget calls, half are chats; each has a mistake."""
    (folder / "llmblocks.toml").write_text("[diagnostics]\nworkspace = true\n", "utf-8")
    for number in range(FILES):
        inside = folder / f"{number // A_FOLDER:03}"
        inside.mkdir(exist_ok=True)
        suffix, make = (".stf", stf_document) if number % 2 else (".gadget", gadget_document)
        (inside / f"f{number:05}{suffix}").write_text(f"{make(SIZE)}\n{MISTAKE}", "utf-8")


class Typist:
    """A client that types into a document of a workspace, with one key a pause."""

    def __init__(self, folder: Path, *, pulls: bool) -> None:
        self._pulls = pulls
        self.uri = (folder / DOCUMENT).as_uri()
        self.wire = Wire(SERVER)
        self._version = 0
        features: Json = {"textDocument": {"diagnostic": {}}} if pulls else {}
        about = {"capabilities": features, "workspaceFolders": [{"uri": folder.as_uri(), "name": "w"}]}
        self.wire.result("init", "initialize", BASIC | about)
        self.wire.send(notification("initialized", {}))
        text = gadget_document(OPEN)
        self._line = text.count("\n") // 2
        self.wire.send(did_open(self.uri, text))

    def begin(self, *known: Json) -> None:
        """Ask for the findings of all files, if it does."""
        if self._pulls:
            params = {"previousResultIds": known, "partialResultToken": "part"}
            self.wire.send(request("all", "workspace/diagnostic", params))

    def keys(self, is_over: Callable[[], bool], most: int = 10_000) -> Iterator[float]:
        """Milliseconds of each key, to its findings, as long as the check continues."""
        for _ in range(WARM):
            self._key()
        while not is_over() and most:
            most -= 1
            time.sleep(PAUSE_SECONDS)
            while self.wire.pump(0):
                pass
            yield self._key()

    def _key(self) -> float:
        self._version += 1
        started = time.perf_counter()
        self.wire.send(did_change(self.uri, self._version, insertion(self._line, 0, "x")))
        if self._pulls:
            asked = f"key{self._version}"
            self.wire.send(request(asked, "textDocument/diagnostic", {"textDocument": {"uri": self.uri}}))
            self.wire.reply(asked)
        else:
            self.wire.diagnostics(self.uri, self._version)
        return (time.perf_counter() - started) * 1000

    def is_done(self) -> bool:
        """Return whether the client has findings of all files."""
        pushed = {
            each["params"]["uri"]
            for each in self.wire.received
            if each.get("method") == "textDocument/publishDiagnostics" and each["params"]["diagnostics"]
        }
        parts = [each["params"]["value"]["items"] for each in self.wire.received if each.get("method") == "$/progress"]
        fetched = {each["uri"] for part in parts for each in part if each["items"]}
        return len((pushed | fetched) - {self.uri}) >= FILES


def main() -> None:
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write(folder)
        for how, pulls in (("fetched", True), ("sent", False)):
            typist = Typist(folder, pulls=pulls)
            with typist.wire:
                started = time.perf_counter()
                typist.begin()
                times = [*typist.keys(typist.is_done)]
                seconds = time.perf_counter() - started
                quiet = [*typist.keys(lambda: False, 200)]
                memory = typist.wire.rss() / 1e6
            found, alone = percentiles(times), percentiles(quiet)
            print(f"{how}: {FILES} files in {seconds:.1f} s, {len(times)} keys beside them, {memory:.0f} MB")
            print("  a key, ms      " + "  ".join(f"{rank} {value:.2f}" for rank, value in found.items()))
            print("  the same alone " + "  ".join(f"{rank} {value:.2f}" for rank, value in alone.items()))
            ratios.append(Ratio(f"a key while {FILES} files are checked and {how}, p99, ms", found["p99"], 10))
    verdicts("workspace", *ratios)


if __name__ == "__main__":
    main()
