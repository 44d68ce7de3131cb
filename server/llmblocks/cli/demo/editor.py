"""A minimal language client: it starts the server as a child process and talks to it over pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import IO, Any

Json = Any
SERVER = (sys.executable, "-m", "llmblocks", "server")
_END_SECONDS = 3.0


class ServerError(Exception):
    """The server misbehaved: the message has the expected and the actual behaviour."""


class DemoEditor:
    """The editor of the demo: it starts a server and exchanges messages with it.

    Shape: a context manager, after which the process has ended in any case. Positions are code points.
    Errors: `ServerError` if the server cannot be started, ends, or does not answer in time.
    """

    def __init__(self, command: Sequence[str] = SERVER, patience_seconds: float = 20.0) -> None:
        self._command = tuple(command)
        self._patience = patience_seconds
        self._messages: Queue[Json | None] = Queue()
        self._answers: dict[int, Json] = {}
        self._last_id = 0
        self._ended = False
        self.published: dict[str, tuple[int | None, list[Json]]] = {}
        self.name = ""

    def __enter__(self) -> DemoEditor:
        self._log = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log
            )
        except OSError as error:
            self._log.close()
            raise ServerError(f"the server cannot be started with {' '.join(self._command)}: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin: IO[bytes] = self._process.stdin
        Thread(target=_read, args=(self._process.stdout, self._messages), daemon=True).start()
        try:
            self._initialize()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    @property
    def process_id(self) -> int:
        return self._process.pid

    def request(self, method: str, params: Json) -> Json:
        """Send a request and return its result."""
        self._last_id += 1
        number = self._last_id
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        until = time.monotonic() + self._patience
        while number not in self._answers:
            self._wait(until, f"an answer to {method}")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise ServerError(f"the server answered {method} with an error: {answer['error'].get('message')}")
        return answer.get("result")

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def diagnostics(self, uri: str, version: int) -> list[Json]:
        """Wait for the diagnostics of this version of a document."""
        until = time.monotonic() + self._patience
        while self.published.get(uri, (None, []))[0] != version:
            self._wait(until, f"diagnostics for version {version} of {uri.rpartition('/')[2]}")
        return self.published[uri][1]

    def _initialize(self) -> None:
        capabilities = {
            "general": {"positionEncodings": ["utf-32"]},
            "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
        }
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "clientInfo": {"name": "llmblocks demo"},
                "rootUri": None,
                "capabilities": capabilities,
            },
        )
        if result["capabilities"].get("positionEncoding") != "utf-32":
            raise ServerError("the server does not count in code points, although it was asked to")
        info = result.get("serverInfo") or {}
        self.name = " ".join(filter(None, (info.get("name"), info.get("version"))))
        self.notify("initialized", {})

    def _send(self, message: Json) -> None:
        body = json.dumps(message, separators=(",", ":")).encode()
        try:
            self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._stdin.flush()
        except OSError as error:
            raise ServerError(f"the server has ended, {message['method']} cannot be sent{self._logged()}") from error

    def _wait(self, until: float, what: str) -> None:
        try:
            message = self._messages.get(timeout=max(until - time.monotonic(), 0.0))
        except Empty:
            raise ServerError(
                f"expected {what}, but nothing came within {self._patience:g} s{self._logged()}"
            ) from None
        if message is None:
            raise ServerError(f"expected {what}, but the server has ended{self._logged()}")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = (params.get("version"), params["diagnostics"])
        elif "method" not in message and "id" in message:
            self._answers[message["id"]] = message
        elif "id" in message:
            # this client supports no request of a server
            error = {"code": -32601, "message": "not supported"}
            self._send({"jsonrpc": "2.0", "id": message["id"], "error": error, "method": message["method"]})

    def _logged(self) -> str:
        self._log.flush()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()[-5:]
        return "".join(f"\n  it wrote: {line}" for line in lines)

    def _end(self) -> None:
        """Shut the server down, and kill it if it does not end."""
        if self._ended:
            return
        self._ended = True
        try:
            body = json.dumps({"jsonrpc": "2.0", "id": "end", "method": "shutdown"}).encode()
            self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            body = json.dumps({"jsonrpc": "2.0", "method": "exit"}).encode()
            self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._stdin.close()
        except OSError:
            pass
        try:
            self._process.wait(_END_SECONDS)
        except BaseException:
            # also when Ctrl-C comes a second time
            self._process.kill()
            self._process.wait()
        self._log.close()


def _read(stream: IO[bytes], messages: Queue[Json | None]) -> None:
    try:
        while header := stream.readline():
            size = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
                header = stream.readline()
            messages.put(json.loads(stream.read(size)))
    except (OSError, ValueError):
        pass
    messages.put(None)
