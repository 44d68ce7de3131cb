"""Client behaviour that stock servers handle wrongly; on every transport where its bytes matter."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from llmblocks.lsp.front.loop import MAX_UNREAD_BYTES
from lsp.log_editor import TWICE
from wire import (
    BASIC,
    PATIENCE_S,
    TRANSPORTS,
    Json,
    Wire,
    did_change,
    did_open,
    insertion,
    notification,
    request,
)

URI = "file:///w/a.gadget"
CALL = "!!!GADGET_START:a\n!!!ARG:x\n1\n!!!GADGET_END\n"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


def headed(header: bytes, message: Json) -> bytes:
    body = json.dumps(message).encode()
    return header % len(body) + body


NO_MESSAGES = {
    b'{"jsonrpc": "2.0", "id": 1,': -32700,
    b"\xff\xfe{}": -32700,
    b"[" * 100_000: -32700,
    b"": -32700,
    b"9" * 10_000: -32700,
    b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]': -32600,
    b'"hello"': -32600,
    b"{}": -32600,
}


def test_what_is_not_a_message_is_answered_and_the_server_continues(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        for body, code in NO_MESSAGES.items():
            count = len(wire.received)
            wire.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            answer = wire.wait(lambda m: "error" in m, since=count)
            assert (answer["id"], answer["error"]["code"]) == (None, code), body[:40]
            assert wire.result(f"after {body[:40]!r}", "textDocument/hover", HOVER) is None
        assert wire.end() == 0
        assert not [m for m in wire.received if m.get("method") == "window/showMessage"]


HEADERS = (
    b"some line printed by a wrapper\nContent-Length: %d\r\n\r\n",
    b"content-length: %d\r\n\r\n",
    b"CONTENT-LENGTH:%d\r\n\r\n",
    b"Content-Length:    %d\r\n\r\n",
    b"Content-Length: %d\n\n",
    b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
    b"Content-Length: %d\r\nX-More: yes\r\n\r\n",
    b"\r\n\r\nContent-Length: %d\r\n\r\n",
)
LOST = (b"Content-Length: many\r\n\r\n{}", b"Content-Length: -5\r\n\r\n{}", b"X: 1\r\n\r\n{}", b"\r\nnoise " * 5000)


@pytest.mark.parametrize("transport", TRANSPORTS[:2])
def test_careless_framing_is_tolerated(transport: str) -> None:
    with Wire(transport=transport) as wire:
        for number, header in enumerate(HEADERS):
            method, params = ("textDocument/hover", HOVER) if number else ("initialize", BASIC)
            wire.send(headed(header, {"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
            assert "result" in wire.reply(number), header


@pytest.mark.parametrize("transport", TRANSPORTS[:2])
def test_a_hopeless_header_is_skipped_up_to_the_next_one(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        for number, lost in enumerate(LOST, start=1):
            wire.send(lost)
            wire.send(request(number, "textDocument/hover", HOVER))
            assert "result" in wire.reply(number), lost[:40]
            assert [m["error"]["code"] for m in wire.received if m.get("id", 0) is None] == [-32700] * number


@pytest.mark.parametrize("transport", TRANSPORTS[:2])
def test_a_message_may_come_byte_by_byte_or_many_at_once(transport: str) -> None:
    with Wire(transport=transport) as wire:
        for byte in request("init", "initialize", BASIC):
            wire.send(bytes([byte]))
        assert "result" in wire.reply("init")
        wire.send(*(request(number, "textDocument/hover", HOVER) for number in range(200)), request("last", "shutdown"))
        wire.reply("last")
        assert [m["id"] for m in wire.received if isinstance(m.get("id"), int)] == list(range(200))


INVALID_PARAMS: list[Json] = [
    None,
    [],
    {},
    {"textDocument": URI},
    {"textDocument": {}, "position": {"line": 0, "character": 0}},
    {"textDocument": {"uri": 3}, "position": {"line": 0, "character": 0}},
    {"textDocument": {"uri": URI}},
    {"textDocument": {"uri": URI}, "position": {"line": "0", "character": 0}},
    {"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}},
    {"textDocument": {"uri": URI}, "position": {"line": 0.5, "character": 0}},
    {"textDocument": {"uri": URI}, "position": {"line": True, "character": 0}},
    {"textDocument": {"uri": URI}, "position": None},
]
INVALID_COMMANDS: list[Json] = [
    {"command": {}},
    {"command": []},
    {"command": "llmblocks.showGraph", "arguments": [{"textDocument": {"uri": URI}, "format": {}}]},
]


@pytest.fixture
def wire() -> Iterator[Wire]:
    """A server that has begun, and ends well after the test."""
    with Wire() as wire:
        wire.initialize()
        yield wire
        assert wire.end() == 0


def test_invalid_params_are_answered_as_such(wire: Wire) -> None:
    wire.send(did_open(URI, "a\n"))
    rows = [("textDocument/hover", params) for params in INVALID_PARAMS]
    rows += [("workspace/executeCommand", params) for params in INVALID_COMMANDS]
    for number, (method, params) in enumerate(rows):
        wire.send(request(number, method, params))
        assert wire.reply(number)["error"]["code"] == -32602, params


def test_the_life_cycle_is_kept(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.send(request(1, "textDocument/hover", HOVER), did_open(URI, "x"), notification("initialized", {}))
        assert wire.reply(1)["error"]["code"] == -32002
        wire.initialize()
        wire.send(request(2, "initialize", BASIC), request(3, "no/suchMethod"), notification("no/suchNotification"))
        assert wire.reply(2)["error"]["code"] == -32600
        assert wire.reply(3)["error"]["code"] == -32601
        # params may be missing where nothing is needed
        wire.send(notification("initialized"), request(4, "shutdown"), request(5, "textDocument/hover", HOVER))
        assert wire.reply(4) == {"jsonrpc": "2.0", "id": 4, "result": None}
        assert wire.reply(5)["error"]["code"] == -32600
        wire.send(notification("exit"))
        assert wire.exit_status() == 0


def test_exit_without_shutdown_is_status_1(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        wire.send(notification("exit"))
        assert wire.exit_status() == 1


def test_an_id_that_is_none_is_answered_without_one(wire: Wire) -> None:
    for request_id in (None, True, 1.5, [1], {"a": 1}):
        count = len(wire.received)
        wire.send(request(request_id, "textDocument/hover", HOVER))
        answer = wire.wait(lambda m: "error" in m, since=count)
        assert (answer["id"], answer["error"]["code"]) == (None, -32600), request_id


def test_a_cancellation_of_what_is_not_an_id_cancels_nothing(wire: Wire) -> None:
    for wanted in (True, 1.0, None, [1]):
        # 1 is what `True` and `1.0` equal
        wire.received.clear()
        # one write: the cancellation has arrived when the request is served
        wire.send(request(1, "textDocument/hover", HOVER) + notification("$/cancelRequest", {"id": wanted}))
        assert "result" in wire.reply(1), wanted


@pytest.mark.parametrize("method", ["initialize", "shutdown"])
def test_the_start_and_the_end_cannot_be_cancelled(method: str) -> None:
    with Wire() as wire:
        if method == "shutdown":
            wire.initialize()
        wire.send(request(1, method, BASIC) + notification("$/cancelRequest", {"id": 1}))
        assert "result" in wire.reply(1)
        if method == "initialize":
            wire.send(request(2, "shutdown"))
        wire.send(notification("exit"))
        assert wire.exit_status() == 0


@pytest.mark.parametrize(("depth", "request_id", "code"), [(900, 5, -32602), (5000, None, -32700)])
def test_a_deeply_nested_message_is_served_or_refused(wire: Wire, depth: int, request_id: Json, code: int) -> None:
    body = b'{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":' + b"[" * depth + b"]" * depth + b"}"
    wire.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    answer = wire.wait(lambda m: "error" in m)
    # Python does not read the deepest, and then nobody knows the id
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)


def test_a_document_of_five_megabytes_comes_in_one_message(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        wire.send(did_open(URI, "a word and another\n" * 260_000 + TWICE))
        assert wire.codes(URI, 0) == ["G101"]
        assert wire.end() == 0


def test_a_cancelled_request_that_waits_is_not_served(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        # the document keeps the server busy while the rest comes in
        wire.send(
            did_open(URI, CALL * 20_000),
            request("stale", "textDocument/hover", HOVER),
            notification("$/cancelRequest", {"id": "stale"}),
            request("kept", "textDocument/hover", HOVER),
        )
        assert wire.reply("stale")["error"]["code"] == -32800
        assert "result" in wire.reply("kept")
        wire.send(notification("$/cancelRequest", {"id": "stale"}), notification("$/cancelRequest", {"id": [1]}))
        assert wire.end() == 0


def test_a_request_that_the_client_repeats_is_refused_while_its_document_changes() -> None:
    method = "textDocument/foldingRange"
    retries = {"general": {"staleRequestSupport": {"cancel": True, "retryOnContentModified": [method]}}}
    with Wire() as wire:
        wire.initialize(capabilities=retries)
        ask = {"textDocument": {"uri": URI}}
        wire.send(
            did_open(URI, CALL * 20_000),
            request("stale", method, ask),
            request("other", "textDocument/hover", HOVER),
            did_change(URI, 1, insertion(0, 0, "x")),
            request("new", method, ask),
        )
        assert wire.reply("stale")["error"]["code"] == -32801
        assert "result" in wire.reply("other")
        assert "result" in wire.reply("new")


def test_a_client_that_does_not_read_is_still_read(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        wire.send(did_open(URI, "!!!GADGET_START:\n" * 300))
        for version in range(1, 400):
            wire.send(did_change(URI, version, insertion(0, 0, "x")))
        until = time.monotonic() + PATIENCE_S
        while wire.pending and time.monotonic() < until:
            wire.push(0.05)
        assert not wire.pending, "the server no longer takes input"
        assert wire.diagnostics(URI, 399) is not None


def test_a_client_that_asks_and_never_reads_is_held_back() -> None:
    """Its answers must not fill the memory, and it gets all of them once it reads."""
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, CALL * 20_000))
        wire.diagnostics(URI, 0)
        ask, count, before = {"textDocument": {"uri": URI}}, 250, wire.most_rss()
        wire.send(*(request(number, "textDocument/foldingRange", ask) for number in range(count)))
        size = len(json.dumps(wire.result("one", "textDocument/foldingRange", ask)))
        assert size * count > 3 * MAX_UNREAD_BYTES, "the answers are too small to show anything"
        assert wire.most_rss() - before < 0.7 * size * count
        assert [m["id"] for m in wire.received if isinstance(m.get("id"), int)] == list(range(count))


def test_what_is_printed_goes_to_standard_error_and_not_to_the_client() -> None:
    program = (
        "import os, sys, llmblocks.lsp.wire.params as p\n"
        "inner = p.uri_of\n"
        "def chatty(params):\n"
        "    print('hello from a print')\n"
        "    os.write(1, b'hello from C\\n')\n"
        "    return inner(params)\n"
        "import llmblocks.lsp.session.requests as d\n"
        "d.uri_of = chatty\n"
        "from llmblocks.cli.commands import main\n"
        "sys.exit(main(['server']))\n"
    )
    with Wire((sys.executable, "-c", program), stderr=subprocess.PIPE) as wire:
        wire.initialize()
        assert wire.result(1, "textDocument/hover", HOVER) is None
        assert wire.end() == 0
        assert wire.process.stderr is not None
        printed = wire.process.stderr.read()
    assert b"hello from a print" in printed
    assert b"hello from C" in printed


def test_a_fault_is_shown_once_and_every_request_is_answered(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = (
        "import sys, llmblocks.lsp.session.requests as d\n"
        "def broken(*_): raise RuntimeError('a bug')\n"
        "d.DocumentRequests.ask = broken\n"
        "from llmblocks.cli.commands import main\n"
        f"sys.exit(main(['server', '--log-file', {str(log)!r}]))\n"
    )
    with Wire((sys.executable, "-c", program)) as wire:
        wire.initialize()
        wire.send(*(request(number, "textDocument/hover", HOVER) for number in range(20)))
        for number in range(20):
            assert wire.reply(number)["error"]["code"] == -32603
        shown = [m for m in wire.received if m.get("method") == "window/showMessage"]
        assert len(shown) == 1
        assert "a bug" in shown[0]["params"]["message"]
        assert wire.end() == 0
    assert log.read_text().count("Traceback") == 20
