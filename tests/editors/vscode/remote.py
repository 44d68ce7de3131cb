"""Questions over a Unix socket, one JSON object a line each way: how the tests speak to the browser and the probe."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


class RemoteError(Exception):
    """The request failed at the other end."""


class Remote:
    """The other end of a socket."""

    def __init__(self, path: Path, alive: Callable[[], bool], patience_s: float = 120) -> None:
        self._socket = _connect(path, alive, patience_s)
        self._lines = self._socket.makefile("r", encoding="utf-8")

    def __call__(self, method: str, /, **params: Any) -> Any:
        self._socket.sendall(json.dumps({"method": method, "params": params}).encode() + b"\n")
        line = self._lines.readline()
        if not line:
            raise RemoteError(f"{method}: the other end is gone")
        answer = json.loads(line)
        if "error" in answer:
            raise RemoteError(f"{method} {params}: {answer['error']}")
        return answer["result"]

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()


def _connect(path: Path, alive: Callable[[], bool], patience_s: float) -> socket.socket:
    end = time.monotonic() + patience_s
    while True:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(180)
        try:
            connection.connect(str(path))
            return connection
        except OSError:
            connection.close()
            if not alive() or time.monotonic() > end:
                raise
            time.sleep(0.05)  # nothing tells when a socket comes to be
