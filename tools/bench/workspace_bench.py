"""A key in an open document while the server does other work: a workspace, logs, a large document."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tools.bench.report import Ratio, percentiles, save, verdicts
from tools.bench.texts import gadget_document, stf_document
from wire import BASIC, SERVER, Wire, did_change, did_open, insertion, notification, request

Json = Any
FILES, LOGS, SIZE, OPEN, LARGE = 2000, 3000, 4_000, 10_000, 10_000_000
LIMIT_MS = 10
RUNS = 3
"""Other work on the machine only adds to a figure: the least one of some runs counts."""
PAUSE_SECONDS = 0.02
WARM = 20
"""The first keys, which load what they need."""
IDLE_MS, IDLE_PAUSES = 0.5, 20
"""The processor time of a pause in which the server does nothing, and how many of them end its work."""
A_FOLDER = 100
MISTAKE = "!!!GADGET_END\n"
DOCUMENT = "typed.gadget"


class Key(NamedTuple):
    """The milliseconds from a key to its findings, by the clock and by the processor time of the server."""

    clock: float
    processor: float


def write(folder: Path) -> None:
    """Half of the files are gadget calls, half are chats; each has a mistake."""
    (folder / "llmblocks.toml").write_text("[diagnostics]\nworkspace = true\n", "utf-8")
    for number in range(FILES):
        inside = folder / f"{number // A_FOLDER:03}"
        inside.mkdir(exist_ok=True)
        suffix, make = (".stf", stf_document) if number % 2 else (".gadget", gadget_document)
        (inside / f"f{number:05}{suffix}").write_text(f"{make(SIZE)}\n{MISTAKE}", "utf-8")


def write_logs(folder: Path) -> None:
    """The requests and responses of one agent."""
    inside = folder / ".llmist" / "logs" / "agent"
    inside.mkdir(parents=True)
    for number in range(LOGS // 2):
        text = gadget_document(SIZE).replace("write_", f"write_{number}_")
        (inside / f"{number:04}.response").write_text(text, "utf-8")
        (inside / f"{number:04}.request").write_text(f"=== USER ===\nGo on\n\n=== ASSISTANT ===\n{text}", "utf-8")


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

    def keys(self, is_over: Callable[[], bool], most: int = 10_000) -> Iterator[Key]:
        """The keys, as long as the work goes on."""
        for _ in range(WARM):
            self.key()
        while not is_over() and most:
            most -= 1
            time.sleep(PAUSE_SECONDS)
            while self.wire.pump(0):
                pass
            yield self.key()

    def key(self) -> Key:
        """Type one key, and wait for its findings."""
        self._version += 1
        used, started = self.wire.processor_ms(), time.perf_counter()
        self.wire.send(did_change(self.uri, self._version, insertion(self._line, 0, "x")))
        if self._pulls:
            asked = f"key{self._version}"
            self.wire.send(request(asked, "textDocument/diagnostic", {"textDocument": {"uri": self.uri}}))
            self.wire.reply(asked)
        else:
            self.wire.diagnostics(self.uri, self._version)
        return Key((time.perf_counter() - started) * 1000, self.wire.processor_ms() - used)

    def until_idle(self) -> Callable[[], bool]:
        """A function that says whether the server has had nothing to do for some pauses."""
        idle = 0

        def is_over() -> bool:
            nonlocal idle
            used = self.wire.processor_ms()
            time.sleep(PAUSE_SECONDS)
            idle = idle + 1 if self.wire.processor_ms() - used < IDLE_MS else 0
            return idle >= IDLE_PAUSES

        return is_over

    def is_done(self) -> bool:
        """Whether the client has findings of all files."""
        pushed = {
            each["params"]["uri"]
            for each in self.wire.received
            if each.get("method") == "textDocument/publishDiagnostics" and each["params"]["diagnostics"]
        }
        parts = [each["params"]["value"]["items"] for each in self.wire.received if each.get("method") == "$/progress"]
        fetched = {each["uri"] for part in parts for each in part if each["items"]}
        return len((pushed | fetched) - {self.uri}) >= FILES


def shown(title: str, keys: list[Key]) -> float:
    """Print the percentiles of keys; returns that of the processor time, p99."""
    for name, samples in (("clock", [each.clock for each in keys]), ("processor", [each.processor for each in keys])):
        found = percentiles(samples)
        print(f"  {title}, {name}, ms: " + "  ".join(f"{rank} {value:.2f}" for rank, value in found.items()))
    save(f"workspace-{title.replace(' ', '-')}", [*map(list, keys)])
    return found["p99"]


def of_files(folder: Path, *, pulls: bool) -> float:
    """Keys while all files of a workspace are checked."""
    how = "fetched" if pulls else "sent"
    typist = Typist(folder, pulls=pulls)
    with typist.wire:
        started = time.perf_counter()
        typist.begin()
        keys = [*typist.keys(typist.is_done)]
        seconds = time.perf_counter() - started
        quiet = [*typist.keys(lambda: False, 200)]
        memory = typist.wire.rss() / 1e6
    print(f"{how}: {FILES} files in {seconds:.1f} s, {len(keys)} keys beside them, {memory:.0f} MB")
    shown(f"alone after files {how}", quiet)
    return shown(f"files {how}", keys)


def of_logs(folder: Path) -> float:
    """Keys while the logs of an agent are read."""
    typist = Typist(folder, pulls=False)
    with typist.wire:
        started, used = time.perf_counter(), typist.wire.processor_ms()
        keys = [*typist.keys(typist.until_idle())]
        work = typist.wire.processor_ms() - used
        print(f"{LOGS} logs read in {time.perf_counter() - started:.1f} s, {work:.0f} ms of them on a processor")
    return shown("logs", keys[:-IDLE_PAUSES])


def of_a_large_document(folder: Path) -> Ratio:
    """A key in one document while another one opens: it waits for the rest of that opening, and no longer."""
    large = gadget_document(LARGE)
    uri = (folder / "large.gadget").as_uri()
    figures = []
    for types in (False, True):
        typist = Typist(folder, pulls=False)
        with typist.wire:
            for _ in range(WARM):
                typist.key()
            used = typist.wire.processor_ms()
            typist.wire.send(did_open(uri, large))
            if types:
                key = typist.key()
            typist.wire.diagnostics(uri, 0)
            figures.append(typist.wire.processor_ms() - used)
    print(f"10 MB open in {figures[0]:.0f} ms of processor time, {figures[1]:.0f} with a key beside them")
    print(f"  the key came after {key.clock:.0f} ms by the clock, {key.processor:.0f} on a processor")
    return Ratio("a key while 10 MB open, by the opening alone", key.processor / figures[0], 1.1)


def least(title: str, run: Callable[[], float]) -> Ratio:
    """The least figure of some runs."""
    return Ratio(title, min(run() for _ in range(RUNS)), LIMIT_MS)


def main() -> None:
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        ratios.append(of_a_large_document(folder))
        write_logs(folder)
        ratios.append(least(f"a key while {LOGS} logs are read, p99, ms", lambda: of_logs(folder)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write(folder)
        for how, pulls in (("fetched", True), ("sent", False)):
            title = f"a key while {FILES} files are checked and {how}, p99, ms"
            ratios.append(least(title, partial(of_files, folder, pulls=pulls)))
    verdicts("workspace", *ratios)


if __name__ == "__main__":
    main()
