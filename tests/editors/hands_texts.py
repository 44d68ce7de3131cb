"""The texts that the tests of every editor type: real ones, and those in which an editor's help gets in the way."""

from __future__ import annotations

from pathlib import Path

from editors.hands import CARET, Deed, Paste, Press, written

TYPED_HERE = Path(__file__).parent / "typed"
UNFINISHED = """\
!!!GADGET_START:ReadFile:r1
!!!ARG:filePath
a.txt"""
END = "\n!!!GADGET_END"
TAIL = "\nMore is said below.\n"
CALL = "!!!GADGET_START:ReadFile:r2\n!!!ARG:filePath\nb.txt\n!!!GADGET_END"


def of_file(name: str, file: str, source: str = "") -> Deed:
    """Return the text of a file of `typed/` that is typed from nothing."""
    return written(name, file, (TYPED_HERE / (source or file)).read_text("utf-8"))


def crlf(text: str) -> str:
    """Return the text as in a file of Windows."""
    return text.replace("\n", "\r\n")


TYPED = (
    of_file("a response with five calls", "response.gadget"),
    of_file("a chat with comments", "chat.stf"),
    of_file("code in a value", "code.gadget"),
    of_file("words that snippets are named after", "words.gadget"),
    of_file("words that commands are named after", "words.stf"),
    of_file("blocks in prose", "answer.blocks"),
    of_file("settings", "llmblocks.toml", "settings.toml"),
    of_file("the other dialect", "semicolon.stf"),
    of_file("JSON5 of commands", "raw.stf"),
    of_file("a call and a block in a chat", "layers.stf"),
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

DONE = (
    Deed("a call above other text", "above.gadget", (CALL,), f"Hi.\n{CALL}{CARET}{TAIL}", f"Hi.\n{CARET}{TAIL}"),
    Deed(
        "a call whose name is corrected",
        "corrected.gadget",
        ("!!!GADGET_START:Rea", Press("Backspace", 3), "List\n"),
        f"!!!GADGET_START:List\n{CARET}{END}",
    ),
    Deed(
        "a tag that is corrected",
        "corrected.blocks",
        ("<thinl", Press("Backspace"), "k>Hm"),
        f"<think>Hm{CARET}</think>",
    ),
    Deed(
        "an opening bracket that is typed again",
        "again.blocks",
        ("<think>", Press("Backspace"), ">Hm"),
        f"<think>Hm{CARET}</think>",
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

DEEDS = TYPED + DONE
IN_TWO_LINES = Deed(
    "a block in two lines",
    "lines.blocks",
    ("<b>so</b> ",),
    f"<b>so</b> {CARET}one\n<b>so</b> two\n",
    f"{CARET}one\ntwo\n",
)
"""Typed with a caret in each of two lines."""

_RACES = (
    "a chat with comments",
    "words that commands are named after",
    "blocks in prose",
    "settings",
    "a call without its end",
    "calls in a file of Windows",
)
RACES = tuple(each for each in TYPED if each.name in _RACES)
"""Texts with each kind of list and edit that the next key may overtake: they are typed fast."""
CALM = tuple(each for each in DEEDS if each not in RACES)
"""The others, as a person types them: an editor takes each text once."""
