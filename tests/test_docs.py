"""ARCHITECTURE.md and CONTRIBUTING.md name paths that exist, and the path of a keystroke is the drawn one."""

from __future__ import annotations

import os
import re
import select
import sys
import threading
from pathlib import Path
from types import FrameType

import pytest

import llmblocks
from llmblocks.lsp.connection import Connection
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.wire.channel import Descriptors
from llmblocks.lsp.wire.framing import Framer
from llmblocks.lsp.wire.intake import Intake
from wire import did_change, did_open, insertion, notification, request

ROOT = Path(__file__).parents[1]
PACKAGE = Path(llmblocks.__file__).parent
FORMATS = ("gadget", "stf", "tags")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
URI = "file:///w/a"
NESTED = "@user\n@*/\nhello\n!!!GADGET_START:A:b\n!!!ARG:x\nhello\n!!!ARG:x\n2\n!!!GADGET_END\n<think a=1>a</think>\n"
KEYSTROKES = (
    ("gadget", NESTED, 5),
    ("gadget", NESTED, 9),
    ("stf", NESTED, 2),
    ("stf", NESTED, 0),
    ("custom-blocks", NESTED, 9),
)
"""A language, a text, and the line on which somebody types."""
_TYPED = "é" * 1237
"""Tokens of one width are shared: this width is new in this process."""


def _steps() -> set[str]:
    """The files and folders in the drawing: a folder, and the names in it up to a colon."""
    section = ARCHITECTURE[ARCHITECTURE.index("## The path of a keystroke") :]
    rows = re.findall(r"^([a-z<][\w<>/]*/) +([\w ]+):", section.split("```")[1], re.MULTILINE)
    return {
        f"{folder}{name}{'/…' if folder == '<format>/' else '.py'}" for folder, names in rows for name in names.split()
    }


def _paths(text: str) -> set[str]:
    """Everything in backquotes or in a drawing that looks like a path of this repository."""
    drawn = re.findall(r"^ *([\w<>]+/[\w/<>]*(?:\.\w+)?)(?: |$)", text, re.MULTILINE)
    quoted = re.findall(r"`([\w<>.-]+/[\w/<>.-]*)`", text)
    left_out = re.compile(r"<name>|<code>|^\.cache/|^textDocument/")
    return {path for path in (*drawn, *quoted) if not left_out.search(path)}


def _exists(path: str) -> bool:
    if "<format>" in path:
        return any(_exists(path.replace("<format>", each)) for each in FORMATS)
    return any((root / path).exists() for root in (ROOT, PACKAGE, *(PACKAGE / each for each in FORMATS)))


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_that_is_named_exists(name: str) -> None:
    named = _paths((ROOT / name).read_text(encoding="utf-8"))
    assert len(named) > 5
    assert sorted(path for path in named if not _exists(path)) == []


def test_every_file_of_the_engine_is_listed() -> None:
    section = ARCHITECTURE[ARCHITECTURE.index("## The engine") :]
    words = re.findall(r"\w+", section.split("```")[1])
    assert sorted(path.stem for path in (PACKAGE / "core").glob("[a-z]*.py") if path.stem not in words) == []


def _drawn(file: str) -> str:
    """A file as the drawing names it: those of a format by their folder."""
    folder, _, rest = file.partition("/")
    return f"<format>/{rest.partition('/')[0]}/…" if folder in FORMATS else file


class _Editor:
    """An editor at the other end of two pipes, with one open document."""

    def __init__(self, language: str, text: str, line: int) -> None:
        self._line = line
        server_reads, self._writes = os.pipe()
        self._reads, server_writes = os.pipe()
        self.connection = Connection(Session("0"), Descriptors(server_reads, server_writes), Framer())
        # not `start`: its watch would end this process with the pipes
        intake = Intake(self.connection.channel, self.connection.framing, self.connection.inbox)
        self.connection.intake = self._intake = intake
        self.connection.session.inbox.look = intake.look
        self._pipes = (server_reads, self._writes, self._reads, server_writes)
        self._serve(request(0, "initialize", {"capabilities": {}}))
        self._serve(notification("initialized", {}))
        self._serve(did_open(URI, text, language))
        for version in (1, 2):
            self._serve(did_change(URI, version, insertion(line, 1, "é")))

    def type(self) -> set[str]:
        """The files of the package that run from a keystroke to its diagnostics."""
        ran: set[str] = set()

        def trace(frame: FrameType, event: str, argument: object) -> None:
            file = frame.f_code.co_filename
            if file.startswith(str(PACKAGE)):
                ran.add(Path(file).relative_to(PACKAGE).as_posix())

        before = sys.gettrace()
        client = threading.Thread(target=self._press)
        sys.settrace(trace)
        try:
            client.start()
            self.connection.serve()
        finally:
            sys.settrace(before)
            client.join()
            for pipe in self._pipes:
                os.close(pipe)
        return ran

    def _press(self) -> None:
        os.write(self._writes, did_change(URI, 3, insertion(self._line, 1, _TYPED)))
        told = b""
        while b'"version":3' not in told:
            told += os.read(self._reads, 1 << 16)
        os.write(self._writes, request(1, "shutdown") + notification("exit"))

    def _serve(self, message: bytes) -> None:
        os.write(self._writes, message)
        session = self.connection.session
        while not session.inbox.waiting():
            self._intake.wait()
        session.serve_waiting()
        while session.idle():
            pass


@pytest.mark.skipif(not hasattr(select, "poll"), reason="a thread reads there")
def test_the_drawn_path_of_a_keystroke_is_the_one_that_it_takes() -> None:
    ran = {_drawn(file) for keystroke in KEYSTROKES for file in _Editor(*keystroke).type()}
    assert ran - _steps() == set(), "these files run, and are not in the drawing"
    assert _steps() - ran == set(), "these files are in the drawing, and do not run"
