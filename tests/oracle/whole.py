"""One text, read as a whole: all layers of a language put together, and its gadget calls, marker by marker.

Source: the gadget block format, "Block Structure" and "Header Line Formats".
"""

from __future__ import annotations

from oracle.stf import StfReader
from oracle.tags import TagReader
from oracle.tokens import RESET, Reading, Token, joined

TAGS = ("think", "thinking", "reasoning", "answer", "artifact", "tool", "result")
MARKERS = ("!!!GADGET_START:", "!!!GADGET_END", "!!!ARG:")


CALLERS = ("assistant", "user")
"""The roles whose messages hold calls, where the settings name them."""
BLOCKED = ("user",)
"""Likewise, those whose messages hold custom blocks."""


def read(text: str, language_id: str, markers: tuple[str, str, str] = MARKERS, *, by_role: bool = False) -> Reading:
    """Return the tokens of a text in one of the languages; with `by_role`, messages of some roles hold less."""
    inner = GadgetReader(markers, TagReader(TAGS))
    if language_id == "custom-blocks":
        return Reading(joined(_named(inner.tags.read(text, 0, len(text)))), set())
    if language_id == "gadget":
        return Reading(joined(_named(inner.read(text, 0, len(text)))), set())
    reader = StfReader("auto")
    outer = reader.read(text)
    tokens = []
    role = "" if by_role else "user"
    inner = GadgetReader(markers, TagReader(TAGS))
    for token in joined(outer.tokens):
        if token.kind == RESET:
            role = reader.roles[token.start] if by_role else role
            inner = GadgetReader(markers, TagReader(TAGS if role in BLOCKED else ()))
        if token.kind != "text":
            tokens.append(token)
        elif role in CALLERS:
            read = _named(inner.read(text, token.start, token.end))
            # where no blocks are read, no tag is unregistered
            tokens += read if role in BLOCKED else [_untagged(each) for each in read]
        else:
            tokens.append(token._replace(kind="plain"))
    return Reading(joined(tokens), outer.cuts)


def _untagged(token: Token) -> Token:
    return token._replace(kind="untagged") if token.kind == "text" else token


def _named(tokens: list[Token]) -> list[Token]:
    """Return a tag's name is not a command's."""
    return [token._replace(kind="tag") if token.kind == "name" else token for token in tokens]


class GadgetReader:
    """Reads text in parts: a call continues after interruptions. Other text goes to the reader of tags."""

    def __init__(self, markers: tuple[str, str, str], tags: TagReader) -> None:
        self.start, self.end, self.arg = self.markers = markers
        self.tags = tags
        self.where = "text"

    def read(self, text: str, start: int, end: int) -> list[Token]:
        found: list[Token] = []
        at = start
        while at < end:
            if self.where == "header":
                newline = text.find("\n", at, end)
                stop = end if newline < 0 else newline
                found.append(Token("header", at, stop))
                if newline >= 0:
                    found.append(Token("header-end", newline, newline + 1))
                    self.where, stop = "ignored", newline + 1
                at = stop
                continue
            marker = next((each for each in self.markers if text.startswith(each, at, end)), None)
            if marker is not None:
                found.append(Token(self._meaning(marker), at, at + len(marker)))
                at += len(marker)
                continue
            stop = at
            while stop < end and not any(text.startswith(each, stop, end) for each in self.markers):
                stop += 1
                if self.where == "pointer" and text[stop - 1] == "\n":
                    break
            at = self._plain(text, at, stop, found)
        return found

    def _meaning(self, marker: str) -> str:
        if marker == self.start:
            self.where = "header"
            return "start"
        if self.where == "text":
            return "stray"
        self.where = "pointer" if marker == self.arg else "text"
        return "arg" if marker == self.arg else "end"

    def _plain(self, text: str, at: int, stop: int, found: list[Token]) -> int:
        if self.where == "text":
            found += self.tags.read(text, at, stop)
        elif self.where == "pointer" and text[stop - 1] == "\n":
            found += [Token("pointer", at, stop - 1), Token("pointer-end", stop - 1, stop)]
            self.where = "value"
        else:
            found.append(Token(self.where, at, stop))
        return stop
