"""The pictures of the docs: what a script takes today, or a test fails until somebody has looked at it.

Machines differ in their fonts, so pictures are not compared pixel by pixel. Beside each picture is a text of what it
shows: its size, its brightness in a coarse grid, and its words. The words must be the same, and the grid nearly so.
`UPDATE_PICTURES=1` accepts what was taken; look at it before you commit it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from itertools import chain
from pathlib import Path

from editors.debian import ROOT

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
        SHOWN.mkdir(exist_ok=True)
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
