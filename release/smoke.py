"""Try an installed llmblocks as its users do: the library, the command and the server.

Usage, in any folder but the sources: PYTHON smoke.py VERSION. Writes what failed, and ends with 1. No other package is
needed, so that it runs in every environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

MISTAKE = "!!!GADGET_START:ReadFile:r1\n!!!ARG:path\na.txt\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
CHAT = "@user\nWho are you?\n"


def library(version: str) -> None:
    """Imports, checks, fixes, and reads streams and chats."""
    import llmblocks
    from llmblocks.gadget import GadgetStream
    from llmblocks.stf import decode
    from llmblocks.tags import TagHandler, TagStream

    sources = Path(__file__).resolve().parents[1] / "server"
    assert sources not in Path(llmblocks.__file__).resolve().parents, "these are the sources, not what was installed"
    assert llmblocks.__version__ == version, llmblocks.__version__
    assert [found.code for found in llmblocks.check(MISTAKE, "gadget")] == ["G101"]
    assert not llmblocks.check(llmblocks.fix(MISTAKE, "gadget").text, "gadget")
    stream = GadgetStream()
    assert [*stream.feed(MISTAKE), *stream.close()]
    assert decode(CHAT).messages[0].role == "user"
    tags = TagStream({"think": TagHandler()})
    assert [*tags.feed("<think>Hm.</think>"), *tags.flush()]
    assert (Path(llmblocks.__file__).parent / "py.typed").exists()


def command(folder: Path) -> None:
    """Every command that needs no terminal."""
    file, chat = folder / "a.gadget", folder / "a.stf"
    file.write_text(MISTAKE, encoding="utf-8", newline="\n")
    chat.write_text(CHAT, encoding="utf-8", newline="\n")
    found = json.loads(run(1, folder, "check", "--output-format", "json", "."))
    assert "G101" in json.dumps(found)
    run(0, folder, "check", "--fix", str(file))
    run(0, folder, "format", "--check", str(file))
    assert "duplicate-pointer" in run(0, folder, "explain", "G101")
    for arguments in (
        ("--version",),
        ("rules",),
        ("config",),
        ("parse", str(chat)),
        ("graph", str(file)),
        ("convert", "--to", "openai", str(chat)),
        ("completion", "bash"),
    ):
        assert run(0, folder, *arguments).strip(), arguments


def run(status: int, folder: Path, *arguments: str) -> str:
    """Return the output of a command that ends as expected."""
    done = subprocess.run(
        [sys.executable, "-m", "llmblocks", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == status, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def server() -> None:
    """A session from its start to its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "llmblocks", "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    send(process.stdin, {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}})
    while receive(process.stdout).get("id") != 1:
        pass
    send(process.stdin, {"method": "initialized", "params": {}})
    document = {"uri": "file:///a.gadget", "languageId": "gadget", "version": 1, "text": MISTAKE}
    send(process.stdin, {"method": "textDocument/didOpen", "params": {"textDocument": document}})
    while (told := receive(process.stdout)).get("method") != "textDocument/publishDiagnostics":
        pass
    assert [each["code"] for each in told["params"]["diagnostics"]] == ["G101"]
    send(process.stdin, {"id": 2, "method": "shutdown"})
    while receive(process.stdout).get("id") != 2:
        pass
    send(process.stdin, {"method": "exit"})
    assert process.wait(60) == 0


def send(pipe: IO[bytes], message: dict[str, Any]) -> None:
    """Write a message."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    pipe.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    pipe.flush()


def receive(pipe: IO[bytes]) -> dict[str, Any]:
    """Read a message. Raises AssertionError at the end of the output."""
    length = 0
    while line := pipe.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    assert length, "the server ended"
    message: dict[str, Any] = json.loads(pipe.read(length))
    return message


def main() -> None:
    """Try everything."""
    library(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        command(Path(folder))
    server()
    sys.stdout.write(f"llmblocks {sys.argv[1]} works in Python {sys.version.split()[0]}\n")


if __name__ == "__main__":
    main()
