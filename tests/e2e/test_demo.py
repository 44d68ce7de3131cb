"""`llmblocks demo`, with the real server, in a pipe and on a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

import psutil
import pytest

from llmblocks.cli import demo
from wire import PATIENCE_S, finished

COMMAND = [sys.executable, "-m", "llmblocks", "demo"]
# answers initialize as it should, and publishes that nothing is wrong, whatever comes
SERVER_THAT_FINDS_NOTHING = r"""
import json, sys
def send(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()
while header := sys.stdin.buffer.readline():
    while line := sys.stdin.buffer.readline().strip():
        pass
    message = json.loads(sys.stdin.buffer.read(int(header.split(b":")[1])))
    method = message["method"]
    if method == "initialize":
        send({"jsonrpc": "2.0", "id": message["id"], "result": {"capabilities": {"positionEncoding": "utf-32"}}})
    elif method.startswith("textDocument/did"):
        item = message["params"]["textDocument"]
        params = {"uri": item["uri"], "version": item.get("version"), "diagnostics": []}
        send({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params})
    elif method == "shutdown":
        send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    elif method == "exit":
        break
"""


def test_in_a_pipe_it_shows_each_finding_and_its_end() -> None:
    done = finished(*COMMAND)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    shown = re.findall(r"^ +(\^+) (\w+)|(no findings)", done.stdout, re.MULTILINE)
    assert [code or nothing for _, code, nothing in shown] == [
        *("no findings", "G101", "no findings", "G102", "no findings"),
        *("no findings", "S001", "no findings", "S002", "no findings"),
    ]
    assert "!!!ARG:message\n             ^^^^^^^ G101\n" in done.stdout
    assert "133:8 G101 Duplicate pointer: message\n" in done.stdout
    assert 'vim.lsp.enable("llmblocks")' in done.stdout


def test_on_a_terminal_it_shows_the_same_and_leaves_no_process() -> None:
    ours, theirs = pty.openpty()
    coloured = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [*COMMAND, "--speed", "60"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=coloured | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"},
    )
    os.close(theirs)
    shown, server = _read_until_end(ours, process.pid)
    assert process.wait(PATIENCE_S) == 0
    assert [code for code in ("G101", "G102", "S001", "S002") if code not in shown] == []
    assert "^^^^^^^ G101" in shown.replace("\x1b[0m", "").replace("\x1b[1;31m", "")
    assert server
    assert not any(psutil.pid_exists(each) for each in server)


def test_an_interrupt_ends_it_and_the_server() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, "--speed", "0.05"], stdout=theirs, stderr=theirs)
    os.close(theirs)
    until = time.monotonic() + PATIENCE_S
    shown = b""
    while b"no findings" not in shown and time.monotonic() < until:
        shown += os.read(ours, 65536)
    children = psutil.Process(process.pid).children()
    process.send_signal(signal.SIGINT)
    _read_until_end(ours, process.pid)
    assert process.wait(PATIENCE_S) == 130
    assert len(children) == 1
    _, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
    assert not alive


@pytest.mark.parametrize(
    ("command", "patience", "told"),
    [
        ([sys.executable, "-c", SERVER_THAT_FINDS_NOTHING], PATIENCE_S, "expected G101, the server found none\n"),
        (
            [sys.executable, "-c", "import sys; sys.exit('no luck')"],
            PATIENCE_S,
            "exited with return code: 1",
        ),
        ([sys.executable, "-c", "import sys; sys.stdin.buffer.read()"], 0.5, "the server gave no answer within 0.5 s"),
    ],
)
def test_a_server_that_does_not_find_or_answer_is_reported_on(
    command: list[str], patience: float, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.run(1, command, patience) == 1
    out, err = capsys.readouterr()
    assert told in err
    assert "To have it in an editor" not in out


def _read_until_end(terminal: int, pid: int) -> tuple[str, list[int]]:
    """Everything a terminal shows until nobody writes to it any more, and the children its process has had."""
    shown = b""
    children: set[int] = set()
    while True:
        with suppress(psutil.NoSuchProcess):
            children.update(child.pid for child in psutil.Process(pid).children())
        if not select.select([terminal], [], [], 30)[0]:
            break
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(terminal)
    return shown.decode("utf-8", "replace"), sorted(children)
