"""The clients accepted on a TCP port and on a WebSocket. For the answers, see test_transport_rows.py."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import InvalidStatus

from wire import BASIC, PATIENCE_S, PROGRAM, Wire, did_open, listening, notification, opened_web_socket, request

URI = "file:///w/a.gadget"
DUPLICATE = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server on a free port of the loopback interface."""
    process, port = listening(*PROGRAM, *arguments)
    with process:
        try:
            yield process, port
        finally:
            process.kill()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)


def refused(port: int, **headers: str) -> int:
    """Return the HTTP status that a WebSocket client with these headers gets; 101 where it is let in."""
    with connect(port) as connection:
        try:
            opened_web_socket(connection, **headers)
        except InvalidStatus as error:
            return error.response.status_code
    return 101


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 101),
        ("http://localhost:3000", 101),
        ("https://localhost", 101),
        ("http://127.0.0.1:8080", 101),
        ("http://[::1]:8080", 101),
        ("http://app.localhost:5173", 101),
        ("https://ide.example.com", 101),
        ("HTTPS://IDE.EXAMPLE.COM", 101),
        ("vscode-webview://abc", 101),
        ("http://ide.example.com", 403),
        ("https://ide.example.com:8443", 403),
        ("https://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("http://localhost@evil.example", 403),
        ("http://evil.example/localhost", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("file://localhost", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_pages_are_let_in_by_their_origin(origin: str | None, status: int) -> None:
    allowed = ("--allow-origin", "https://ide.example.com/", "--allow-origin=vscode-webview://abc")
    with serving("--ws", "0", *allowed) as (_, port):
        assert refused(port, **({} if origin is None else {"Origin": origin})) == status


def test_a_page_of_a_name_that_somebody_pointed_at_this_machine_is_refused() -> None:
    with serving("--ws", "0", "--allow-origin", "https://ide.example.com") as (_, port):
        name = f"rebound.example:{port}"
        assert refused(port, Host=name, Origin=f"http://{name}") == 403
        assert refused(port, Host=f"localhost:{port}", Origin="https://ide.example.com") == 101


def test_who_is_turned_away_does_not_take_the_place_of_the_client() -> None:
    with serving("--ws", "0") as (_, port):
        assert refused(port, Origin="https://evil.example") == 403
        connect(port).close()
        with connect(port) as silent, connect(port) as plain:
            plain.sendall(b"Content-Length: 2\r\n\r\n{}")
            # the library does not answer invalid HTTP
            assert plain.recv(100) == b""
            assert refused(port) == 101
            silent.close()


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_a_web_page_cannot_speak_to_the_bare_port(method: str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": BASIC})
    post = f"{method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    with serving("--tcp", "0") as (_, port):
        with connect(port) as page:
            # however the browser cuts it
            page.sendall(post[:3])
            page.sendall(post[3:])
            assert page.recv(100).startswith(b"HTTP/1.1 400 ")
            assert page.recv(100) == b""
        with connect(port) as connection:
            connection.sendall(request(1, "initialize", BASIC))
            assert connection.recv(100).startswith(b"Content-Length: ")


def test_only_this_machine_is_listened_to_unless_told_otherwise() -> None:
    with serving("--tcp", "0") as (_, port), open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        assert f"0100007F:{port:04X}" in listening
        assert f"00000000:{port:04X}" not in listening


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [*PROGRAM, "--tcp", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 1
    assert "in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("last", [b"", b"Content-Length: 100\r\n\r\n{"], ids=["reset", "inside a message"])
def test_a_connection_that_breaks_ends_the_server(last: bytes) -> None:
    with serving("--tcp", "0") as (process, port), connect(port) as connection:
        connection.sendall(request(1, "initialize", BASIC))
        connection.recv(1)
        connection.sendall(last)
        if not last:
            # no time to linger: what is not sent is dropped, and the other end is reported so
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        assert process.wait(PATIENCE_S) == 1


@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_a_second_client_is_turned_away_and_the_first_does_not_notice(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        if transport == "tcp":
            with pytest.raises(ConnectionRefusedError):
                connect(wire.port)
        else:
            with connect(wire.port) as second, pytest.raises(InvalidStatus) as turned_away:
                opened_web_socket(second)
            assert turned_away.value.response.status_code == 503
        wire.send(did_open(URI, DUPLICATE))
        assert wire.codes(URI, 0) == ["G101"]
        assert wire.end() == 0


def test_a_web_socket_is_closed_as_the_protocol_says() -> None:
    with Wire(transport="ws") as wire:
        wire.initialize()
        wire.send(request(1, "shutdown"), notification("exit"))
        wire.reply(1)
        assert wire.exit_status() == 0
        while wire._web.close_rcvd is None:
            wire.pump(PATIENCE_S)
        assert wire._web.close_rcvd.code == 1000


def test_an_origin_that_is_none_is_refused_on_the_command_line() -> None:
    for origin in ("*", "ide.example.com", "https://ide.example.com/path", "https://"):
        command = [*PROGRAM, "--ws", "0", "--allow-origin", origin]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert (done.returncode, "invalid origin" in done.stderr) == (2, True)
