"""The pictures of the docs: what is taken today, or a test fails until somebody has looked at it.

Machines differ in their fonts, so pictures are not compared pixel by pixel. Beside each picture is a text of what it
shows: its size, its brightness in a coarse grid, and its words. The words must be the same, and the grid nearly so.
`UPDATE_PICTURES=1` accepts what was taken; look at it before you commit it. The screen of an editor in a terminal is
compared by its text and colours.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
from itertools import chain, groupby
from pathlib import Path

import pyte
import pytest
from pyte.screens import Char
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI, TerminalTheme
from rich.text import Text

from editors.debian import ROOT
from editors.terminal import Terminal

SIZE = (24, 100)
QUIET_S = 10
TEXT = """\
I search for the callers first, and then read the file.

!!!GADGET_START:SearchCode:s1
!!!ARG:pattern
send
!!!ARG:mode
regexp
!!!GADGET_END
!!!GADGET_START:ReadFile:r1:s2
!!!ARG:filePath
src/client.ts
!!!GADGET_END
"""
"""A call whose value is refused, and one that waits for none."""
# what pyte would draw or fall over: strings for the terminal, its keyboard and its state, parameters with colons
_NOT_DRAWN = re.compile(rb"\x1b[P_^][^\x1b]*\x1b\\|\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*[nu]")
_WITH_COLONS = re.compile(rb"\x1b\[([0-9;]*:[0-9;:]*)m")
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_NAMES = {"brown": "yellow", "bfightmagenta": "bright_magenta"}
"""The colours that pyte calls otherwise than all others."""


DARK, LIGHT = MONOKAI, DEFAULT_TERMINAL_THEME


def is_as_accepted(terminal: Terminal, name: str, version: str, taken: Path, theme: TerminalTheme = DARK) -> None:
    """The screen is the one in the docs once nothing more is drawn: `UPDATE_PICTURES=1` accepts another.

    Other versions of an editor draw otherwise: they are compared with no picture. `taken` is a new file.
    """
    kept, about = ROOT / "docs" / "images" / f"{name}.svg", SHOWN / f"{name}.txt"
    if os.environ.get("UPDATE_PICTURES"):
        terminal.rests(2)
    elif about.exists() and f"\n{version}\n" not in about.read_text(encoding="utf-8"):
        pytest.skip(f"the picture was taken in another version than {version}")

    def differs() -> str:
        rows = _rows(terminal)
        taken.write_text(_picture(rows, name, theme), encoding="utf-8")
        return compare(taken, kept, [], f"{version}\n{_told(rows)}")

    while (problem := differs()) and terminal.draws(QUIET_S):
        pass
    assert not problem, problem


def seen(terminal: Terminal) -> str:
    """Return the text of the screen."""
    return "\n".join(["".join([text for text, _ in row]) for row in _rows(terminal)])


def coloured(terminal: Terminal) -> list[tuple[str, str]]:
    """Return the stretches of text on the screen, each with its colour."""
    return [(text.strip(), char.fg) for row in _rows(terminal) for text, char in row if text.strip()]


Run = tuple[str, Char]
"""A text, and its style as that of its first character."""


def _rows(terminal: Terminal) -> list[list[Run]]:
    """Return the lines of the screen."""
    lines, columns = terminal.size
    screen = pyte.Screen(columns, lines)
    pyte.ByteStream(screen).feed(_WITH_COLONS.sub(_plain_style, _NOT_DRAWN.sub(b"", terminal.all_drawn)))
    rows = [[screen.buffer[line][at] for at in range(columns)] for line in range(lines)]
    return [[_run([*run]) for _, run in groupby(row, lambda each: each._replace(data=""))] for row in rows]


def _run(chars: list[Char]) -> Run:
    return "".join([each.data for each in chars]), chars[0]


def _plain_style(found: re.Match[bytes]) -> bytes:
    """Return a style without the shape and the colour of its underline."""
    kept = []
    for each in found[1].split(b";"):
        name, _, rest = each.partition(b":")
        if name in (b"38", b"48"):
            kept += [name, *filter(None, rest.split(b":"))]
        elif name == b"4" and rest == b"0":
            kept.append(b"24")
        elif name != b"58":
            kept.append(name)
    return b"\x1b[%bm" % b";".join(kept)


def _told(rows: list[list[Run]]) -> str:
    """Return the text, and below it the colours of each line that has any."""
    text = ["".join([text for text, _ in row]).rstrip() for row in rows]
    colours = [
        f"{number}: " + ", ".join([f"{len(text)} {_style(char) or 'plain'}" for text, char in row])
        for number, row in enumerate(rows, 1)
        if len(row) > 1 or _style(row[0][1])
    ]
    return "\n".join([*text, "", *colours])


def _style(char: Char) -> str:
    """Return a style in the words of rich."""
    words = [word for word in ("bold", "italics", "underscore", "reverse") if getattr(char, word)]
    named = [{"italics": "italic", "underscore": "underline"}.get(word, word) for word in words]
    front = [_colour(char.fg)] if char.fg != "default" else []
    return " ".join([*named, *front, *([f"on {_colour(char.bg)}"] if char.bg != "default" else [])])


def _colour(name: str) -> str:
    if re.fullmatch("[0-9a-f]{6}", name):
        return f"#{name}"
    return _NAMES.get(name, name.replace("bright", "bright_"))


def _picture(rows: list[list[Run]], name: str, theme: TerminalTheme) -> str:
    """Return the screen as SVG, in a font of the one who looks at it."""
    console = Console(record=True, file=io.StringIO(), width=sum([len(text) for text, _ in rows[0]]), height=len(rows))
    for row in rows:
        console.print(Text.assemble(*[(text, _style(char)) for text, char in row]), no_wrap=True)
    return _FONT.sub("", console.export_svg(title="", theme=theme, unique_id=name))


SHOWN = ROOT / "tests" / "editors" / "shown"
TOLERANCE = 0.5
"""Of 16 levels of brightness, on average over the grid."""


def compare(taken: Path, kept: Path, grid: list[str], words: str) -> str:
    """Describe the difference between a new picture and the one in the docs, or an empty text.

    `grid` has rows of hexadecimal digits, each the brightness of a cell; it is empty for a picture that is judged
    by its words alone.
    """
    about = SHOWN / f"{kept.stem}.txt"
    if os.environ.get("UPDATE_PICTURES"):
        if taken != kept:
            shutil.copyfile(taken, kept)
        about.write_text("\n".join([_digest(kept), *grid, "", words, ""]), encoding="utf-8")
        return ""
    if not about.exists() or not kept.exists():
        return f"{kept.name} is not there: UPDATE_PICTURES=1 takes it"
    head, then = about.read_text(encoding="utf-8").rstrip("\n").split("\n\n", 1)
    digest, *rows = head.splitlines()
    if digest != _digest(kept):
        return f"{kept.name} is not the picture that was accepted: UPDATE_PICTURES=1 takes it again"
    if then != words.rstrip("\n"):
        return f"{kept.name} shows other words:\n{_first(then, words)}\nLook at {taken}, then UPDATE_PICTURES=1"
    if [*map(len, rows)] != [*map(len, grid)] or difference(rows, grid) > TOLERANCE:
        return f"{kept.name} looks different: compare it with {taken}, then UPDATE_PICTURES=1"
    return ""


def difference(one: list[str], other: list[str]) -> float:
    """Return the mean difference of two grids, in levels of 16."""
    pairs = [*zip(chain.from_iterable(one), chain.from_iterable(other), strict=True)]
    return sum(abs(int(a, 16) - int(b, 16)) for a, b in pairs) / max(1, len(pairs))


def _first(then: str, now: str) -> str:
    """Return the first different line, old and new."""
    pairs = zip((*then.splitlines(), "(end)"), (*now.splitlines(), "(end)"), strict=False)
    before, after = next(((a, b) for a, b in pairs if a != b), ("(end)", "(more)"))
    return f"- {before}\n+ {after}"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
