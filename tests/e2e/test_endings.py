"""The server ends when nobody needs it any more, however its client went."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from wire import PATIENCE_S, PROGRAM, SERVER, TRANSPORTS, Wire, did_change, did_open, finished, notification, request

URI = "file:///w/a.gadget"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


@pytest.mark.parametrize("last", [b"", b"Content-Length: 500\r\n\r\n{"], ids=["between messages", "inside a message"])
@pytest.mark.parametrize("transport", TRANSPORTS[:2])
def test_the_end_of_the_input_ends_the_server(last: bytes, transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        wire.send(last)
        wire.close_input()
        assert wire.exit_status() == 1


def test_the_end_of_the_input_ends_the_server_while_it_is_busy(transport: str) -> None:
    never_done = (
        "import os, sys, llmblocks.lsp.session.requests as requests\n"
        "def opened(*_):\n"
        "    os.write(2, b'busy\\n')\n"
        "    while True: pass\n"
        "requests.DocumentRequests.opened = opened\n"
        "sys.argv[0] = 'llmblocks'\n"
        "from llmblocks.__main__ import main\n"
        "sys.exit(main())\n"
    )
    with Wire((sys.executable, "-c", never_done, *SERVER[-2:]), subprocess.PIPE, transport) as wire:
        wire.initialize()
        wire.send(did_open(URI, ""))
        assert wire.process.stderr is not None
        assert wire.process.stderr.readline() == b"busy\n"
        wire.close_input()
        assert wire.exit_status() == 1


# a WebSocket is not closed in one direction alone
@pytest.mark.parametrize("transport", TRANSPORTS[:2])
def test_all_that_was_sent_before_the_end_of_the_input_is_served(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        # which takes longer than the second that a server without a question has
        wire.send(
            did_open(URI, "!!!GADGET_START:a\n!!!ARG:x\n1\n!!!GADGET_END\n" * 80_000),
            request(1, "textDocument/hover", HOVER),
            request(2, "shutdown"),
            notification("exit"),
        )
        while wire.pending:
            wire.push(1)
        wire.close_input()
        assert "result" in wire.reply(1)
        assert "result" in wire.reply(2)
        assert wire.exit_status() == 0


def test_a_client_that_is_gone_ends_the_server_even_if_it_has_nothing_to_say(transport: str) -> None:
    with Wire(transport=transport) as wire:
        wire.initialize()
        wire.break_off()
        assert wire.exit_status() == 1


def test_a_closed_output_ends_the_server_once_it_has_something_to_say() -> None:
    with Wire() as wire:
        wire.initialize()
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        wire.send(request(1, "textDocument/hover", HOVER))
        assert wire.exit_status() == 1


def test_the_death_of_the_clients_process_ends_the_server() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client, Wire() as wire:
        wire.initialize(processId=client.pid)
        wire.result(1, "textDocument/hover", HOVER)
        assert wire.process.poll() is None
        client.send_signal(signal.SIGKILL)
        assert wire.exit_status() == 1


@pytest.mark.parametrize("descriptor", [0, 1])
def test_a_stream_that_is_closed_from_the_start_is_said_to_be(descriptor: int) -> None:
    closed = f"import os, sys; os.close({descriptor}); os.execv(sys.executable, {SERVER!r})"
    done = finished(sys.executable, "-c", closed)
    says = (
        f"llmblocks server: standard {('input', 'output')[descriptor]} is closed: start the server with both pipes open"
    )
    assert (done.returncode, done.stderr.splitlines()) == (1, [says])


def test_a_server_without_standard_error_serves() -> None:
    closed = f"import os, sys; os.close(2); os.execv(sys.executable, {SERVER!r})"
    with Wire((sys.executable, "-c", closed)) as wire:
        wire.initialize()
        wire.send(b"Content-Length: 1\r\n\r\n{")
        assert wire.wait(lambda m: "error" in m)["error"]["code"] == -32700
        assert wire.end() == 0


@pytest.mark.parametrize(
    "module",
    ["llmblocks.cli.server", "llmblocks.lsp.wire.outbox", "llmblocks.lsp.session.session", "llmblocks.lsp.server"],
)
def test_an_interrupt_while_the_server_loads_is_not_a_traceback(module: str) -> None:
    program = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    @staticmethod\n"
        "    def find_spec(name, *_):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting)\n"
        "sys.argv = ['llmblocks', 'server']\n"
        "from llmblocks.__main__ import main\n"
        "sys.exit(main())\n"
    )
    done = finished(sys.executable, "-c", program)
    assert done.returncode == 130
    assert len(done.stderr.splitlines()) <= 1


@pytest.mark.parametrize("arguments", [("--stdio",), ("--tcp", "0"), ("--ws", "0")])
def test_an_interrupt_ends_a_server_that_waits(arguments: tuple[str, ...]) -> None:
    process = subprocess.Popen([*PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=-1)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        if arguments[0] == "--stdio":
            process.stdin.write(request(1, "shutdown"))
            process.stdin.flush()
            process.stdout.readline()
        else:
            process.stderr.readline()
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(PATIENCE_S) == 130
        finally:
            process.kill()
        assert process.stderr.read().count(b"\n") <= 1


def test_a_client_that_leaves_standard_error_unread_is_served(transport: str) -> None:
    with Wire(stderr=subprocess.PIPE, transport=transport) as wire:
        wire.initialize()
        # each is a warning with a traceback's worth of text
        for number in range(2_000):
            wire.send(did_change(f"file:///w/not-open-{number}-{'x' * 300}", 1))
            if number % 100 == 0:
                wire.result(number, "textDocument/hover", HOVER)
        assert wire.end() == 0
