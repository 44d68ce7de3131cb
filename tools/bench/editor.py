"""An editor that types into a language server and times it from the outside."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from types import TracebackType
from typing import Any

from tools.bench.report import percentiles
from wire import BASIC, Wire, did_change, did_open, insertion, notification, replacement, request

Json = Any
URI = "file:///bench/document"
PAUSE_SECONDS = 0.002
PATIENCE_SECONDS = 60


class Editor:
    """One document in one server. Times are milliseconds, from the first byte offered to the last byte read.

    A `fenced` server publishes nothing: the reply to a hover sent along with a change stands for its end.
    """

    def __init__(self, command: Sequence[str], text: str, language_id: str, fenced: bool) -> None:
        self._fenced = fenced
        self._serial = self._version = 0
        self._last_result = ""
        self._lines = text.split("\n")
        self._wire = Wire(command)
        self._wire.send(request("init", "initialize", BASIC | {"capabilities": _TREES}))
        self.capabilities = self._wire.reply("init", PATIENCE_SECONDS)["result"]["capabilities"]
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

    def find(self, wanted: str) -> int:
        """Return a line in the middle of the document that is this one."""
        return self._lines.index(wanted, len(self._lines) // 2)

    def change(self, start: tuple[int, int], end: tuple[int, int], text: str) -> float:
        """Return one change, to its diagnostics."""
        return self._timed(self._next(replacement(start, end, text)))

    def typed(self, count: int) -> dict[str, float]:
        """Letters at the end of a word, every tenth edit a backspace, another line every 40."""
        return percentiles([self._timed(change) for change in self._typing(count)])

    def structural(self, line: int, character: int, count: int) -> dict[str, float]:
        """Take away a character of a marker, and put it back."""
        taken = self._lines[line][character]
        gone = (line, character), (line, character + 1), ""
        back = (line, character), (line, character), taken
        return percentiles([self.change(*(back if number % 2 else gone)) for number in range(count)])

    def burst(self, count: int) -> float:
        """Return all changes at once, to the diagnostics of the last."""
        return self._timed(*self._typing(count))

    def tokens(self, count: int) -> float:
        """Return the median of all semantic tokens after a change."""
        return self.asked("textDocument/semanticTokens/full", count)

    def token_deltas(self, count: int) -> float:
        """Return the median of the tokens that a change has changed."""
        full = self._wire.result("full", "textDocument/semanticTokens/full", {"textDocument": {"uri": URI}}, 60)
        self._last_result = full["resultId"]
        return self.asked("textDocument/semanticTokens/full/delta", count)

    def asked(self, method: str, count: int) -> float:
        """Return the median of a request in the same write as a change, to its reply."""
        samples = []
        for change in self._typing(count):
            self._serial += 1
            place = {"line": len(self._lines) // 2, "character": 0}
            params = {"textDocument": {"uri": URI}, "position": place, "previousResultId": self._last_result}
            ask = request(self._serial, method, params)
            started = time.perf_counter()
            self._wire.send(change, ask)
            reply = self._wire.reply(self._serial, PATIENCE_SECONDS)["result"]
            if isinstance(reply, dict) and "resultId" in reply and "edits" in reply:
                self._last_result = reply["resultId"]
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
        self._serial += 1
        fence = [request(self._serial, "textDocument/hover", _TOP)] if self._fenced else []
        started = time.perf_counter()
        self._wire.send(*messages, *fence)
        return (self._settle() - started) * 1000

    def _settle(self) -> float:
        """Wait until the last change is served; gives when it was."""
        if self._fenced:
            self._wire.reply(self._serial, PATIENCE_SECONDS)
            return self._when(lambda m: m.get("id") == self._serial)
        self._wire.diagnostics(URI, self._version, PATIENCE_SECONDS)
        return self._when(lambda m: m.get("params", {}).get("version") == self._version)

    def _when(self, wanted: Any) -> float:
        return next(at for at, message in zip(self._wire.times, self._wire.received, strict=True) if wanted(message))


_TREES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
"""All editors show an outline as a tree."""
_TOP = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
