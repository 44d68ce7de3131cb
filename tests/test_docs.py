"""ARCHITECTURE.md and CONTRIBUTING.md name paths that exist, and the path of a keystroke is the drawn one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import llmblocks
from wire import PROGRAM, Wire, did_change, did_open, insertion

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


PROBE = """
import sys, threading
ran = set()

def trace(frame, event, argument):
    ran.add(frame.f_code.co_filename)

def register(server):
    @server.feature("probe/start")
    def start(params):
        ran.clear()

    @server.feature("probe/stop")
    def stop(params):
        return [*ran]

    threading.settrace(trace)
    sys.settrace(trace)
"""


def _typed(probe: Path, language: str, text: str, line: int) -> set[str]:
    """The files of the package that run from a keystroke to its diagnostics."""
    with Wire((*PROGRAM, "--extend", str(probe), "--stdio")) as wire:
        wire.initialize()
        wire.send(did_open(URI, text, language))
        for version in (1, 2):
            wire.send(did_change(URI, version, insertion(line, 1, "é")))
        wire.diagnostics(URI, 2)
        # each request ends with a step of idle work: until there is none
        number = 0
        while not number or not all(file.startswith("lsp/") for file in _own(wire.result(-number, "probe/stop"))):
            number += 1
            wire.result(number, "probe/start")
        wire.send(did_change(URI, 3, insertion(line, 1, _TYPED)))
        wire.diagnostics(URI, 3)
        ran = wire.result("last", "probe/stop")
        assert wire.end() == 0
    return _own(ran)


def _own(ran: list[str]) -> set[str]:
    """The files of the package among those that ran."""
    return {Path(file).relative_to(PACKAGE).as_posix() for file in ran if file.startswith(str(PACKAGE))}


def test_the_drawn_path_of_a_keystroke_is_the_one_that_it_takes(tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(PROBE)
    ran = {_drawn(file) for keystroke in KEYSTROKES for file in _typed(probe, *keystroke)}
    assert ran - _steps() == set(), "these files run, and are not in the drawing"
    assert _steps() - ran == set(), "these files are in the drawing, and do not run"
