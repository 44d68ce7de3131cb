"""Lines and characters as the language server specification counts them, one code point after the other."""

from __future__ import annotations

from typing import Any

Json = Any


def width(character: str, encoding: str) -> int:
    """Return the units of one code point."""
    if encoding == "utf-8":
        return len(character.encode("utf-8"))
    return 2 if encoding == "utf-16" and ord(character) > 0xFFFF else 1


def place_of_a_client(text: str, offset: int) -> int:
    """The offset, or the start of the line end that it is inside: no client has a place between `\\r` and `\\n`."""
    return offset - (text[max(offset - 1, 0) : offset + 1] == "\r\n")


class Places:
    """Every place of a text. `of[offset]` is line and character; `\\n` behind `\\r` is at the place of that."""

    def __init__(self, text: str, encoding: str) -> None:
        self.of: list[tuple[int, int]] = []
        line = character = 0
        before = ""
        for each in text:
            if before == "\r" and each == "\n":
                self.of.append(self.of[-1])
            else:
                if before in ("\r", "\n"):
                    line, character = line + 1, 0
                self.of.append((line, character))
                character += width(each, encoding)
            before = each
        self.of.append((line + 1, 0) if before in ("\r", "\n") else (line, character))
        self.offsets = {place: offset for offset, place in reversed(list(enumerate(self.of)))}

    def range(self, start: int, end: int) -> Json:
        first, last = ({"line": line, "character": character} for line, character in (self.of[start], self.of[end]))
        return {"start": first, "end": last}

    def offset(self, place: Json) -> int:
        """Raises `KeyError` for a place that no client has, e.g. inside a character."""
        return self.offsets[place["line"], place["character"]]
