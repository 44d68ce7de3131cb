"""The server ends when nobody needs it any more, however its client went."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from wire import Wire, did_open

URI = "file:///w/a.gadget"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


@pytest.mark.parametrize("stdin", ["closed between messages", "closed inside a message"])
def test_the_end_of_the_input_ends_the_server(stdin: str) -> None:
    with Wire() as wire:
        wire.initialize()
        wire.send(b"Content-Length: 500\r\n\r\n{" if "inside" in stdin else b"")
        os.close(os.dup(wire.stdin))
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.exit_status() == 1


def test_the_end_of_the_input_ends_the_server_while_it_is_busy() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, "!!!GADGET_START:a\n!!!ARG:x\n1\n!!!GADGET_END\n" * 200_000))
        while wire.pending:
            wire.push(1)
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.exit_status() == 1


def test_a_closed_output_ends_the_server_even_if_it_has_nothing_to_say() -> None:
    with Wire() as wire:
        wire.initialize()
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        assert wire.exit_status() == 1


def test_the_death_of_the_clients_process_ends_the_server() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client, Wire() as wire:
        wire.initialize(processId=client.pid)
        wire.result(1, "textDocument/hover", HOVER)
        assert wire.process.poll() is None
        client.send_signal(signal.SIGKILL)
        assert wire.exit_status() == 1
