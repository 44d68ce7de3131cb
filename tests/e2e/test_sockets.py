"""The same server on a TCP port and on a WebSocket."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from wire import BASIC, did_open, notification, request

Json = Any
URI = "file:///w/a.gadget"
DUPLICATE = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


@contextmanager
def serving(scheme: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server on a free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "llmblocks", "server", f"--{scheme}", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield process, port
        finally:
            process.kill()


def connect(port: int) -> socket.socket:
    """Connect as soon as the server listens."""
    until = time.monotonic() + 15
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise


def messages(connection: socket.socket) -> Iterator[Json]:
    with connection.makefile("rb") as stream:
        while line := stream.readline():
            size = int(line.split(b":")[1])
            stream.readline()
            yield json.loads(stream.read(size))


def test_a_client_on_a_port_is_served_like_one_on_stdio() -> None:
    with serving("tcp") as (process, port), connect(port) as connection:
        connection.sendall(
            request(1, "initialize", BASIC)
            + notification("initialized", {})
            + did_open(URI, DUPLICATE)
            + request(2, "textDocument/hover", {"textDocument": {"uri": URI}})
            + b"Content-Length: 3\r\n\r\n{x}"
        )
        coming = messages(connection)
        assert "capabilities" in next(coming)["result"]
        rest: list[Json] = []
        while sum("error" in m or m.get("method") == "textDocument/publishDiagnostics" for m in rest) < 3:
            rest.append(next(coming))
        (published,) = [m["params"] for m in rest if m.get("method") == "textDocument/publishDiagnostics"]
        assert [each["code"] for each in published["diagnostics"]] == ["G101"]
        assert {m["error"]["code"] for m in rest if "error" in m} == {-32602, -32700}
        connection.sendall(request(3, "shutdown") + notification("exit", None))
        assert next(coming) == {"jsonrpc": "2.0", "id": 3, "result": None}
        assert process.wait(5) == 0


def test_only_this_machine_is_listened_to_unless_told_otherwise() -> None:
    with serving("tcp") as (_, port), connect(port), open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        assert f"0100007F:{port:04X}" in listening
        assert f"00000000:{port:04X}" not in listening


def test_a_browser_is_served_text_frames_on_a_web_socket() -> None:
    client = pytest.importorskip("websockets.asyncio.client", reason="needs llmblocks[ws]")

    def body(data: bytes) -> str:
        return data.partition(b"\r\n\r\n")[2].decode()

    async def talk(port: int) -> None:
        async with client.connect(f"ws://127.0.0.1:{port}") as connection:
            await connection.send(body(request(1, "initialize", BASIC)))
            reply = await connection.recv()
            assert isinstance(reply, str)
            assert "capabilities" in json.loads(reply)["result"]
            await connection.send(body(did_open(URI, DUPLICATE + "😀")))
            published = json.loads(await connection.recv())["params"]
            assert [each["code"] for each in published["diagnostics"]] == ["G101"]
            await connection.send("{broken")
            assert json.loads(await connection.recv())["error"]["code"] == -32700
            await connection.send(body(request(2, "shutdown")))
            assert json.loads(await connection.recv())["id"] == 2
            await connection.send(body(notification("exit", None)))

    with serving("ws") as (process, port):
        connect(port).close()
        asyncio.run(talk(port))
        assert process.wait(5) == 0


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "llmblocks", "server", "--tcp", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 1
    assert "in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("last", [b"", b"Content-Length: 100\r\n\r\n{"], ids=["reset", "inside a message"])
def test_a_connection_that_breaks_ends_the_server(last: bytes) -> None:
    with serving("tcp") as (process, port), connect(port) as connection:
        connection.sendall(request(1, "initialize", BASIC))
        next(messages(connection))
        connection.sendall(last)
        if not last:
            # no time to linger: what is not sent is dropped, and the other end is told so
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        assert process.wait(5) == 1


def test_a_second_client_is_turned_away_and_the_first_does_not_notice() -> None:
    with serving("tcp") as (process, port), connect(port) as connection:
        coming = messages(connection)
        connection.sendall(request(1, "initialize", BASIC))
        next(coming)
        with connect(port) as second:
            second.sendall(request(1, "initialize", BASIC))
            with suppress(ConnectionResetError):
                assert second.recv(1) == b""
        connection.sendall(request(2, "textDocument/hover", {"textDocument": {}}))
        assert next(coming)["id"] == 2
        connection.sendall(request(3, "shutdown") + notification("exit", None))
        assert next(coming)["id"] == 3
        assert process.wait(5) == 0


def test_a_client_that_leaves_a_port_ends_the_server() -> None:
    with serving("tcp") as (process, port):
        with connect(port) as connection:
            connection.sendall(request(1, "initialize", BASIC))
            next(messages(connection))
        process.wait(5)
