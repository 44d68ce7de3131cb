"""Gadget calls, marker by marker. Source: the gadget block format, "Block Structure" and "Header Line Formats"."""

from __future__ import annotations

from oracle.tags import TagReader
from oracle.tokens import Token


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
