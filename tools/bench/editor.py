"""An editor that types into a language server and times it from the outside; our server, and stock pygls."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from types import TracebackType
from typing import Any

from tools.bench.report import percentiles
from wire import BASIC, Wire, did_change, did_open, insertion, notification, replacement, request

Json = Any
URI = "file:///bench/document"
PAUSE_SECONDS = 0.002
PATIENCE_SECONDS = 60
KB, MB = 1_000, 1_000_000
KEYSTROKES, TYPED_ROUNDS = 200, 4
OURS = (sys.executable, "-m", "llmblocks", "server", "--stdio")
STOCK = (sys.executable, str(Path(__file__).parent / "stock_pygls.py"))


class Editor:
    """One document in one server. Times are milliseconds, from the first byte offered to the last byte read."""

    def __init__(self, command: Sequence[str], text: str, language_id: str) -> None:
        self._serial = self._version = 0
        self._lines = text.split("\n")
        self._wire = Wire(command)
        self._wire.send(request("init", "initialize", BASIC | {"capabilities": _TREES}))
        self._wire.reply("init", PATIENCE_SECONDS)
        self._wire.send(notification("initialized", {}))
        time.sleep(0.3)
        self.idle_bytes = self._wire.rss()
        self.open_ms = self._timed(did_open(URI, text, language_id))
        time.sleep(0.3)
        self.open_bytes = self._wire.rss()

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._wire.__exit__(kind, error, at)

    def typed(self, count: int) -> dict[str, float]:
        """Letters at the end of a word, every tenth edit a backspace, another line every 40."""
        return percentiles([self._timed(change) for change in self._typing(count)])

    def asked(self, method: str, count: int) -> float:
        """Return the median of a request in the same write as a change, to its reply."""
        samples = []
        for change in self._typing(count):
            self._serial += 1
            place = {"line": len(self._lines) // 2, "character": 0}
            params = {"textDocument": {"uri": URI}, "position": place}
            ask = request(self._serial, method, params)
            started = time.perf_counter()
            self._wire.send(change, ask)
            self._wire.reply(self._serial, PATIENCE_SECONDS)
            samples.append((self._when(lambda m: m.get("id") == self._serial) - started) * 1000)
            self._settle()
        return percentiles(samples)["p50"]

    def _typing(self, count: int) -> Iterator[bytes]:
        middle = len(self._lines) // 2
        long_lines = cycle(n for n in [*range(middle, len(self._lines)), *range(middle)] if len(self._lines[n]) > 60)
        line, column = next(long_lines), 30
        for number in range(count):
            if number % 40 == 39:
                line, column = next(long_lines), 30
            if number % 10 == 9:
                column -= 1
                yield self._next(replacement((line, column), (line, column + 1), ""))
            else:
                yield self._next(insertion(line, column, "x"))
                column += 1

    def _next(self, change: Json) -> bytes:
        self._version += 1
        return did_change(URI, self._version, change)

    def _timed(self, *messages: bytes) -> float:
        time.sleep(PAUSE_SECONDS)
        self._wire.received.clear()
        self._wire.times.clear()
        started = time.perf_counter()
        self._wire.send(*messages)
        return (self._settle() - started) * 1000

    def _settle(self) -> float:
        """Wait until the last change is served; gives when it was."""
        self._wire.diagnostics(URI, self._version, PATIENCE_SECONDS)
        return self._when(lambda m: m.get("params", {}).get("version") == self._version)

    def _when(self, wanted: Any) -> float:
        return next(at for at, message in zip(self._wire.times, self._wire.received, strict=True) if wanted(message))


_TREES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
"""All editors show an outline as a tree."""


def typed_in_turn(editors: Sequence[Editor]) -> list[dict[str, float]]:
    """Typing in several servers by turns, each at its quietest: the machine's speed changes from minute to minute."""
    rounds = [[editor.typed(KEYSTROKES) for editor in editors] for _ in range(TYPED_ROUNDS)]
    return [{rank: min(found[rank] for found in of_one) for rank in of_one[0]} for of_one in zip(*rounds, strict=True)]
