"""Actions of a person in an editor, and the expected result: the same for every editor.

An editor types the steps of a `Deed` into its file with its own defaults, with `FAST` hands or as a `PERSON`. Then
the file holds what was typed, once, and the caret is where `expected` has it: behind what was typed, and before
the ends that the editor has inserted and nobody typed. `wrong` says what is not so, and `keys` counts the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

CARET = "$0"
"""The place of the caret in a text."""
FAST, PERSON = "fast", "person"
"""`FAST` types without a pause: an answer may come too late to insert an end. A `PERSON` pauses between `runs`."""


class Press(NamedTuple):
    """A key that writes nothing by itself: Backspace, Left, Right, Up, Down, Home, End, Escape, Tab, Undo, Redo."""

    key: str
    times: int = 1


class Paste(NamedTuple):
    """A text from the clipboard."""

    text: str


class Pick(NamedTuple):
    """A completion that is accepted. `label` begins the label of an item of the list that is open."""

    label: str


Step = str | Press | Paste | Pick


@dataclass(frozen=True, slots=True)
class Deed:
    """Steps in a file, from one state to another; both are texts with a `CARET`."""

    name: str
    file: str
    steps: tuple[Step, ...]
    expected: str
    start: str = CARET

    def __str__(self) -> str:
        return self.name

    def outcomes(self, pace: str) -> tuple[str, ...]:
        """The allowed results. Somebody who types faster than the server answers may get no end after the caret."""
        before, _, behind = self.expected.partition(CARET)
        without = re.sub(r"\A(?:\r?\n!!!GADGET_END|</[\w-]+>)", "", behind)
        return tuple(dict.fromkeys((self.expected, f"{before}{CARET}{without}"))) if pace == FAST else (self.expected,)


def written(name: str, file: str, text: str, behind: str = "") -> Deed:
    """Return a text that is typed from nothing.

    `behind` are the ends that the editor is to leave after the caret.
    """
    return Deed(name, file, (text,), f"{text}{CARET}{behind}")


def runs(text: str) -> Iterator[str]:
    """Text typed without a pause: an open list or an edit of the server may act on the key after it."""
    yield from re.findall(r"[^\n:>]+|[\n:>]", text)


def keys(steps: tuple[Step, ...]) -> int:
    """Return the number of keys, without the arrows to what is picked from a list."""
    found = 0
    for step in steps:
        match step:
            case str():
                found += len(step)
            case Press():
                found += step.times
            case Paste() | Pick():
                found += 1
    return found


def apart(text: str) -> tuple[str, int]:
    """Return a text without its `CARET`, and the offset of that."""
    before, _, after = text.partition(CARET)
    return before + after, len(before)


def wrong(expected: str, text: str, caret: int, *others: str) -> str:
    """Describe the difference from the expectation, or an empty text. `others` are also accepted."""
    there_is = f"{text[:caret]}{CARET}{text[caret:]}"
    return "" if there_is in (expected, *others) else f"wanted\n{expected}\nthere is\n{there_is}"


def without_ends(deed: Deed) -> str:
    """Return the result of an action in an editor that inserts nothing by itself."""
    text, at = apart(deed.start)
    newline = "\r\n" if "\r\n" in text else "\n"
    before, after = text[:at], text[at:]
    for step in deed.steps:
        match step:
            case str():
                before += step.replace("\n", newline)
            case Paste():
                before += step.text
            case Press("Backspace"):
                before = before[: -step.times]
            case _:
                raise ValueError(f"{deed}: an editor without help needs no {step}")
    return f"{before}{CARET}{after}"
