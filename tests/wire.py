"""A language client as raw as it can be: what the tests and benchmarks send, byte for byte, over real transports."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from llmblocks.lsp.session.session import ServerSession

Json = Any
_LENGTH = re.compile(rb"(?i)content-length: *(\d+)")
PROGRAM = (sys.executable, "-m", "llmblocks", "server")
SERVER = (*PROGRAM, "--stdio")
TRANSPORTS = ("stdio", "tcp", "ws")
PATIENCE_S = 120
"""How long a test waits for what must come. Nothing but a failure takes this long, on any machine."""
BASIC: Json = {"processId": None, "rootUri": None, "capabilities": {}}


def frame(message: Json) -> bytes:
    """Return a message with its header."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(request_id: Json, method: str, params: Json = None) -> bytes:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return frame(message if params is None else message | {"params": params})


def notification(method: str, params: Json = None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method}
    return frame(message if params is None else message | {"params": params})


def did_open(uri: str, text: str, language_id: str = "gadget", version: int = 0) -> bytes:
    item = {"uri": uri, "languageId": language_id, "version": version, "text": text}
    return notification("textDocument/didOpen", {"textDocument": item})


def did_change(uri: str, version: int, *changes: Json) -> bytes:
    document = {"uri": uri, "version": version}
    return notification("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})


def did_close(uri: str) -> bytes:
    return notification("textDocument/didClose", {"textDocument": {"uri": uri}})


def insertion(line: int, character: int, text: str) -> Json:
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "text": text}


def replacement(start: tuple[int, int], end: tuple[int, int], text: str) -> Json:
    first, last = ({"line": line, "character": character} for line, character in (start, end))
    return {"range": {"start": first, "end": last}, "text": text}


class ServerEndedError(Exception):
    """The server closed its output."""


class Wire:
    """A server process and both ends of its connection; nothing is sent or answered unless told.

    `received` holds every message so far, oldest first; `times` says when the last byte of each was read. On a port,
    `command` is that of stdio without its last argument, and `stdin` and `stdout` are the socket.
    """

    def __init__(
        self, command: Sequence[str] = SERVER, stderr: int | None = subprocess.DEVNULL, transport: str = "stdio"
    ) -> None:
        self.received: list[Json] = []
        self.times: list[float] = []
        self.answers: dict[str, Json] = {}
        self._read_at = 0.0
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self._socket: socket.socket | None = None
        self._web: Any = None
        if transport == "stdio":
            self.process = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
            )
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.stdin, self.stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        else:
            if command[-1] == "--stdio":
                command = command[:-1]
            self.process, self.port = listening(*command, f"--{transport}", "0")
            self._socket = socket.create_connection(("127.0.0.1", self.port))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.stdin = self.stdout = self._socket.fileno()
        if transport == "ws":
            assert self._socket is not None
            self._web = opened_web_socket(self._socket)
        os.set_blocking(self.stdin, False)

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self._socket, self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def send(self, *data: bytes) -> None:
        """Offer bytes to the server; what its pipe does not take goes out while waiting."""
        sent = b"".join(data)
        self._outgoing += self._as_web(sent) if self._web is not None else sent
        self._flush()

    def close_input(self) -> None:
        """Say that nothing more will be sent; what comes can still be read."""
        if self._socket is not None:
            self._socket.shutdown(socket.SHUT_WR)
        else:
            assert self.process.stdin is not None
            self.process.stdin.close()

    def break_off(self) -> None:
        """Close both directions."""
        for stream in (self._socket, self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def wait(self, wanted: Callable[[Json], bool], seconds: float = PATIENCE_S, since: int = 0) -> Json:
        """Return the first message from `received[since]` on that is wanted.

        Raises `TimeoutError`, `ServerEndedError`.
        """
        until, looked = time.monotonic() + seconds, since
        while True:
            while looked < len(self.received):
                if wanted(self.received[looked]):
                    return self.received[looked]
                looked += 1
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing wanted within {seconds} s; {len(self.received)} messages came")
            self.pump(left)

    def pump(self, seconds: float) -> bool:
        """Exchange bytes once; says whether something came. Raises `ServerEndedError`."""
        writing = [self.stdin] if self._outgoing else []
        readable, writable, _ = select.select([self.stdout], writing, [], seconds)
        if writable:
            self._flush()
        if not readable:
            return False
        try:
            data = os.read(self.stdout, 1 << 20)
        except ConnectionResetError:
            data = b""
        self._read_at = time.perf_counter()
        if not data:
            raise ServerEndedError(f"exit status {self.process.poll()}")
        self._incoming += data
        self._take()
        return True

    @property
    def pending(self) -> bool:
        """Whether the server has not yet taken all that was sent."""
        return bool(self._outgoing)

    def push(self, seconds: float) -> None:
        """Go on sending, without reading anything."""
        if select.select([], [self.stdin], [], seconds)[1]:
            self._flush()

    def reply(self, request_id: Json, seconds: float = PATIENCE_S) -> Json:
        """Return the response to a request."""
        return self.wait(lambda m: "method" not in m and m.get("id") == request_id, seconds)

    def result(self, request_id: Json, method: str, params: Json = None, seconds: float = PATIENCE_S) -> Json:
        """Ask, and give the result. Raises `AssertionError` where the server answers with an error."""
        self.send(request(request_id, method, params))
        reply = self.reply(request_id, seconds)
        assert "error" not in reply, reply["error"]
        return reply["result"]

    def initialize(self, **params: Json) -> Json:
        """Return both messages of the start; gives the capabilities."""
        capabilities = self.result("init", "initialize", BASIC | params)["capabilities"]
        self.send(notification("initialized", {}))
        return capabilities

    def diagnostics(self, uri: str, version: int, seconds: float = PATIENCE_S, since: int = 0) -> list[Json]:
        """Return the diagnostics published for this version of a document."""

        def wanted(message: Json) -> bool:
            params = message.get("params")
            is_publish = message.get("method") == "textDocument/publishDiagnostics"
            return is_publish and (params["uri"], params.get("version")) == (uri, version)

        found: list[Json] = self.wait(wanted, seconds, since)["params"]["diagnostics"]
        return found

    def codes(self, uri: str, version: int, seconds: float = PATIENCE_S) -> list[str]:
        """Return the codes that are published for this version of a document."""
        return [each.get("code") for each in self.diagnostics(uri, version, seconds)]

    def end(self, seconds: float = PATIENCE_S) -> int:
        """Say shutdown and exit; gives the exit status."""
        self.send(request("end", "shutdown"))
        self.reply("end", seconds)
        self.send(notification("exit"))
        return self.exit_status(seconds)

    def exit_status(self, seconds: float = PATIENCE_S) -> int:
        """Wait for the process to end by itself. Raises `subprocess.TimeoutExpired`."""
        return self.process.wait(seconds)

    def rss(self) -> int:
        """Resident bytes of the server."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def processor_ms(self) -> float:
        """The milliseconds that the server has run on a processor: a busy machine does not change them."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks) / 1e6

    def most_rss(self) -> int:
        """Return the most bytes that the server has had resident. It does not depend on when memory is given back."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii", errors="replace") as status:
            (line,) = (each for each in status if each.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024

    def _flush(self) -> None:
        try:
            while self._outgoing:
                with memoryview(self._outgoing) as view:
                    sent = os.write(self.stdin, view[: 1 << 20])
                del self._outgoing[:sent]
        except BlockingIOError:
            pass

    def _as_web(self, data: bytes) -> bytes:
        """Return the bodies of framed messages as those of a WebSocket."""
        while data:
            header, _, rest = data.partition(b"\r\n\r\n")
            size = int(header.rpartition(b":")[2])
            # alternately as text and as binary
            (self._web.send_text if size % 2 else self._web.send_binary)(rest[:size])
            data = rest[size:]
        return b"".join(self._web.data_to_send())

    def _take(self) -> None:
        if self._web is not None:
            self._web.receive_data(bytes(self._incoming))
            self._incoming.clear()
            for event in self._web.events_received():
                if getattr(event, "opcode", None) == 1:
                    self._took(bytes(event.data))
            self._outgoing += b"".join(self._web.data_to_send())
            return
        incoming = self._incoming
        while (end := incoming.find(b"\r\n\r\n")) >= 0:
            header = _LENGTH.search(incoming, 0, end)
            assert header is not None, incoming[:end]
            size = int(header[1])
            if len(incoming) < end + 4 + size:
                return
            body = bytes(incoming[end + 4 : end + 4 + size])
            del incoming[: end + 4 + size]
            self._took(body)

    def _took(self, body: bytes) -> None:
        message = json.loads(body)
        self.received.append(message)
        self.times.append(self._read_at)
        if message.get("method") in self.answers and "id" in message:
            answer = self.answers[message["method"]]
            self.send(frame({"jsonrpc": "2.0", "id": message["id"], "result": answer}))


def serve_waiting(session: ServerSession) -> None:
    """Serve the waiting messages, without waiting for more."""
    while session.exit_code is None and session.inbox.waiting():
        session.serve(session.inbox.get())


def listening(*command: str) -> tuple[subprocess.Popen[bytes], int]:
    """Return a server that listens, and its port. What else it writes to standard error is left unread."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith(b"llmblocks server: listening on "), line
    return process, int(line.rpartition(b":")[2])


def finished(*command: str) -> subprocess.CompletedProcess[str]:
    """Return a process that has ended by itself, with all that it wrote."""
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def opened_web_socket(connection: socket.socket, **headers: str) -> Any:
    """Return the client's end of a WebSocket after its handshake. Raises `InvalidStatus` where it is refused."""
    from websockets.client import ClientProtocol
    from websockets.exceptions import InvalidStatus
    from websockets.uri import parse_uri

    host, port = connection.getpeername()[:2]
    protocol = ClientProtocol(parse_uri(f"ws://{host}:{port}/"), max_size=None)
    request = protocol.connect()
    for name, value in headers.items():
        if name in request.headers:
            del request.headers[name]
        request.headers[name] = value
    protocol.send_request(request)
    connection.sendall(b"".join(protocol.data_to_send()))
    while not protocol.events_received():
        data = connection.recv(1 << 16)
        if data:
            protocol.receive_data(data)
        else:
            protocol.receive_eof()
            break
    if isinstance(protocol.handshake_exc, InvalidStatus):
        raise protocol.handshake_exc
    return protocol
