"""Actions of a person in an editor, and the expected result; and the texts that every editor's tests type.

An editor types the steps of a `Deed` into its file with its own defaults, with `FAST` hands or as a `PERSON`. Then
the file holds what was typed, once, and the caret is where `expected` has it: behind what was typed, and before
the ends that the editor has inserted and nobody typed. `wrong` says what is not so, and `keys` counts the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

CARET = "$0"
"""The place of the caret in a text."""
FAST, PERSON = "fast", "person"
"""`FAST` types without a pause: an answer may come too late to insert an end. A `PERSON` pauses between `runs`."""


class Press(NamedTuple):
    """A key that writes nothing by itself."""

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


TYPED_HERE = Path(__file__).parent / "typed"
UNFINISHED = """\
!!!GADGET_START:ReadFile:r1
!!!ARG:filePath
a.txt"""
END = "\n!!!GADGET_END"
TAIL = "\nMore is said below.\n"
CALL = "!!!GADGET_START:ReadFile:r2\n!!!ARG:filePath\nb.txt\n!!!GADGET_END"


def crlf(text: str) -> str:
    """Return the text as in a file of Windows."""
    return text.replace("\n", "\r\n")


FILES = {
    "a response with five calls": "response.gadget",
    "a chat with comments": "chat.stf",
    "code in a value": "code.gadget",
    "words that snippets are named after": "words.gadget",
    "words that commands are named after": "words.stf",
    "blocks in prose": "answer.blocks",
    "settings": "llmblocks.toml",
    "the other dialect": "semicolon.stf",
    "JSON5 of commands": "raw.stf",
    "a call and a block in a chat": "layers.stf",
}
TYPED = (
    *(written(name, file, (TYPED_HERE / file).read_text("utf-8")) for name, file in FILES.items()),
    written("a call without its end", "unfinished.gadget", UNFINISHED, behind=END),
    # Enter writes the ending of the file
    Deed("calls in a file of Windows", "windows.gadget", (CALL,), crlf(f"Hi.\n{CALL}{CARET}"), crlf(f"Hi.\n{CARET}")),
    Deed(
        "a chat in a file of Windows",
        "windows.stf",
        ("@user\nHello there\n@ai\nHi",),
        crlf(f"@system\nBe brief.\n@user\nHello there\n@ai\nHi{CARET}"),
        crlf(f"@system\nBe brief.\n{CARET}"),
    ),
)
"""Texts that are typed key by key and nothing else."""

BACK = Press("Backspace")
DONE = (
    Deed("a call above other text", "above.gadget", (CALL,), f"Hi.\n{CALL}{CARET}{TAIL}", f"Hi.\n{CARET}{TAIL}"),
    Deed(
        "a call whose name is corrected",
        "corrected.gadget",
        ("!!!GADGET_START:Rea", Press("Backspace", 3), "List\n"),
        f"!!!GADGET_START:List\n{CARET}{END}",
    ),
    Deed("a tag that is corrected", "corrected.blocks", ("<thinl", BACK, "k>Hm"), f"<think>Hm{CARET}</think>"),
    Deed(
        "an opening bracket that is typed again", "again.blocks", ("<think>", BACK, ">Hm"), f"<think>Hm{CARET}</think>"
    ),
    Deed("a tag that is left by its end", "left.blocks", ("<think>Hm</think> So.",), f"<think>Hm</think> So.{CARET}"),
    Deed("a pasted call", "pasted.gadget", ("Hi.\n", Paste(f"{CALL}\n"), "Done."), f"Hi.\n{CALL}\nDone.{CARET}"),
    Deed(
        "a pasted end",
        "pasted-end.gadget",
        ("!!!GADGET_START:List\n", Paste("!!!GADGET_END")),
        f"!!!GADGET_START:List\n!!!GADGET_END{CARET}",
    ),
    Deed("a pasted chat", "pasted.stf", (Paste("@user\nHi\n@ai\n"), "Hello"), f"@user\nHi\n@ai\nHello{CARET}"),
    Deed(
        "a line that is taken back",
        "back.gadget",
        ("Hi.\nlist\n", Press("Backspace", 5), "So.\n"),
        f"Hi.\nSo.\n{CARET}",
    ),
)
"""Steps with other keys."""

IN_TWO_LINES = Deed(
    "a block in two lines",
    "lines.blocks",
    ("<b>so</b> ",),
    f"<b>so</b> {CARET}one\n<b>so</b> two\n",
    f"{CARET}one\ntwo\n",
)
"""Typed with a caret in each of two lines."""

RACED = ("chat.stf", "words.stf", "answer.blocks", "llmblocks.toml", "unfinished.gadget", "windows.gadget")
RACES = tuple(each for each in TYPED if each.file in RACED)
"""Texts with each kind of list and edit that the next key may overtake: they are typed fast."""
CALM = tuple(each for each in TYPED + DONE if each not in RACES)
"""The others, as a person types them: an editor takes each text once."""
