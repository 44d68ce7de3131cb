"""Gadget texts made of marker pieces, and random chunkings of them."""

from __future__ import annotations

import random

from hypothesis import strategies as st

PIECES = [
    *("!!!GADGET_START:", "!!!GADGET_START:G:i\n", "!!!GADGET_START:H\n", "!!!GADGET_START:Sum:s1:a,b\n"),
    *("!!!GADGET_END", "!!!GADGET_END\n", "!!!ARG:", "!!!ARG:a\n", "!!!ARG:b\n", "!!!ARG:list/0\n"),
    *("!!!ARG:list/1\n", "!!!ARG: a / b \n", "!!!", "!", "!!!GAD", "GET_", "START:", "END", "!!!AR", "G:"),
    *("\n", "\n\n", "\r\n", "\r", ":", ",", "/", "0", "42", " 3.50 ", "true", "12345678901234567890", " "),
    *("\t", "```", "```json\n", "\n```\n", "word", "two words", "é", "😀", "\u2028", "\ufeff", "\x85"),
    *("\x1c", "\0"),
]

texts = st.lists(st.sampled_from([*PIECES, "\ud800", "\udc00"]), max_size=24).map("".join)
any_text = st.one_of(texts, st.text(st.characters(), max_size=40))


@st.composite
def chunkings(draw: st.DrawFn, text: str) -> list[str]:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]


NAMES = [
    *("path", "content", "a", "b", "n", "items/0", "items/1", "items/2", "cfg/x", "cfg/y", "0", " spaced "),
    *("a/", "/a"),
]
VALUES = [
    *("", "text", "42", "-7", "3.14", "007", "1e5", "true", " false ", "True", "null", "two\nlines"),
    *("blank\n\n\nlines", "def f():\n    return 1\n", "  indented", "trailing  ", "```py\nx\n```"),
    *("not !!! a marker", "!!!GADGET_STAR", "!!!ARGS", "9007199254740993", "\ufeff1", "\x1c1", "é😀漢"),
    *("line\r\nline\r", "[1, 2]"),
]


def document(chance: random.Random) -> str:
    """Return a response as a model might write it: text and calls, now and then with something wrong."""
    some = chance.choice
    out: list[str] = []
    for number in range(chance.randint(0, 5)):
        if chance.random() < 0.6:
            out.append(some(["Hello.\n", "\n", " \n\n ", "!", "```\n", "a !!! b\n", "so:\n\n", "!!!GADGET_END\n"]))
        header = some(["Read", "Write:w#", "Sum:s:a,b", "X : y : c , d,c", "N::", ":i#", "G:i#:a:b,a", "É"])
        out += ["!!!GADGET_START:", header.replace("#", str(number)), some(["\n", "\n", "\n", "\r\n", " \n"])]
        is_fenced = chance.random() < 0.15
        out.append(some(["```\n", "```json\n", "```YAML \n", "```python\n"]) if is_fenced else some([""] * 9 + ["x\n"]))
        for _ in range(chance.randint(0, 4)):
            out += ["!!!ARG:", some(NAMES), some(["\n", "\n", "\n", "\n", "", "\r\n"])]
            out += [some(VALUES), some(["\n", "\n", "\n", "", "\n\n"])]
        out.append(some(["```\n", "\n```", "``` \n"]) if is_fenced else "")
        out.append(some([*["!!!GADGET_END\n"] * 3, "!!!GADGET_END", "", "!!!GADGET_E"]))
    if chance.random() < 0.3:
        out.append(some(["bye", "\n", "!!!GADGET_START:Cut", "!!", "\n!!!GADGET_START:x\n!!!AR"]))
    return "".join(out)


def soup(chance: random.Random) -> str:
    """Marker pieces in any order."""
    return "".join(chance.choices(PIECES, k=chance.randint(1, 20)))


def split(chance: random.Random, text: str) -> list[str]:
    """Return a random chunking: all at once, all of one size, or cut anywhere."""
    if chance.random() < 0.2:
        return [text]
    if chance.random() < 0.4:
        size = chance.choice([1, 2, 3, 4, 7, 16, 64])
        return [text[start : start + size] for start in range(0, len(text), size)]
    cuts = sorted(chance.randint(0, len(text)) for _ in range(chance.randint(1, 8)))
    return [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]
