"""A minimal language client: it starts the server as a child process and talks to it over pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
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
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Shut the server down, and kill it if it does not end."""
        with suppress(ServerError, OSError):
            self.notify("shutdown", {}, id=1)
            self.notify("exit", {})
            self._stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except BaseException:
            # also when Ctrl-C comes a second time
            self._process.kill()
            self._process.wait()
        self._log.close()

    def notify(self, method: str, params: Json, **more: Json) -> None:
        """Send a notification; or a request, which has an id."""
        body = json.dumps(
            {"jsonrpc": "2.0", "method": method, "params": params, **more}, separators=(",", ":")
        ).encode()
        try:
            self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._stdin.flush()
        except OSError as error:
            raise ServerError(f"the server has ended, {method} cannot be sent{self._logged()}") from error

    def diagnostics(self, uri: str, version: int) -> list[Json]:
        """Wait for the diagnostics of this version of a document."""

        def is_wanted(message: Json) -> bool:
            params = message.get("params") or {}
            return "diagnostics" in params and (params["uri"], params.get("version")) == (uri, version)

        found = self._wait(is_wanted, f"diagnostics for version {version} of {uri.rpartition('/')[2]}")
        return list(found["params"]["diagnostics"])

    def _initialize(self) -> None:
        capabilities = {
            "general": {"positionEncodings": ["utf-32"]},
            "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
        }
        about = {"processId": os.getpid(), "clientInfo": {"name": "llmblocks demo"}, "rootUri": None}
        self.notify("initialize", {**about, "capabilities": capabilities}, id=0)
        answer = self._wait(lambda message: message.get("id") == 0, "an answer to initialize")
        if "error" in answer:
            raise ServerError(f"the server answered initialize with an error: {answer['error'].get('message')}")
        result = answer["result"]
        if result["capabilities"].get("positionEncoding") != "utf-32":
            raise ServerError("the server does not count in code points, although it was asked to")
        info = result.get("serverInfo") or {}
        self.name = " ".join(filter(None, (info.get("name"), info.get("version"))))
        self.notify("initialized", {})

    def _wait(self, is_wanted: Callable[[Json], bool], what: str) -> Json:
        """Wait for a message, and pass over those before it."""
        until = time.monotonic() + self._patience
        while True:
            try:
                message = self._messages.get(timeout=max(until - time.monotonic(), 0.0))
            except Empty:
                raise ServerError(
                    f"expected {what}, but nothing came within {self._patience:g} s{self._logged()}"
                ) from None
            if message is None:
                raise ServerError(f"expected {what}, but the server has ended{self._logged()}")
            if is_wanted(message):
                return message

    def _logged(self) -> str:
        self._log.flush()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()[-5:]
        return "".join(f"\n  it wrote: {line}" for line in lines)


def _read(stream: IO[bytes], messages: Queue[Json | None]) -> None:
    with suppress(OSError, ValueError):
        while header := stream.readline():
            size = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
                header = stream.readline()
            messages.put(json.loads(stream.read(size)))
    messages.put(None)
