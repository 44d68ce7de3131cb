"""Custom blocks, one character after the other. Source: custom blocks, "Parsing", and what the reference does."""

from __future__ import annotations

import string

from oracle.tokens import Token

FIRST = frozenset(string.ascii_letters + "_")
NAME = FIRST | frozenset(string.digits + "-")
BLANK = frozenset(" \t\n\r")


class TagReader:
    """Reads text in parts: what another format's tokens interrupt continues after them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.inside = ""  # the tag whose content or attribute list is being read
        self.listing = False
        self.place = "between"  # where in the attribute list
        self.swallowing = False  # a name that is not a tag's was cut: it continues, and takes one more character along

    def read(self, text: str, start: int, end: int) -> list[Token]:
        found: list[Token] = []
        at = start
        while at < end:
            if self.listing:
                at = self._attribute_character(text, start, at, end, found)
            elif self.swallowing:
                at = self._swallow(text, at, end, found)
            elif text[at] != "<":
                found.append(Token(self._plain, at, at + 1))
                at += 1
            elif self.inside:
                at = self._bracket_in_content(text, at, end, found)
            else:
                at = self._bracket_in_text(text, at, end, found)
        return found

    @property
    def _plain(self) -> str:
        return "content" if self.inside else "text"

    def _swallow(self, text: str, at: int, end: int, found: list[Token]) -> int:
        self.swallowing = text[at] in NAME
        found.append(Token(self._plain, at, at + 1))
        return at + 1

    def _bracket_in_text(self, text: str, at: int, end: int, found: list[Token]) -> int:
        stop = _name_end(text, at + 1, end)
        name = text[at + 1 : stop]
        if stop < end and name in self.names and (text[stop] in ">/" or text[stop] in BLANK):
            found += [Token("opening", at, at + 1), Token("name", at + 1, stop)]
            self.inside, self.listing, self.place = name, True, "between"
            return stop
        return self._missed(at, stop, end, any(each.startswith(name) for each in self.names), found)

    def _bracket_in_content(self, text: str, at: int, end: int, found: list[Token]) -> int:
        stop = at + 1
        if text[stop:end].startswith("/"):
            stop = _name_end(text, at + 2, end)
            if text[at + 2 : stop] == self.inside and text[stop:end].startswith(">"):
                found += [Token("closing", at, at + 2), Token("name", at + 2, stop), Token("closed", stop, stop + 1)]
                self.inside = ""
                return stop + 1
        return self._missed(at, stop, end, f"</{self.inside}".startswith(text[at:stop]), found)

    def _missed(self, at: int, stop: int, end: int, hopeful: bool, found: list[Token]) -> int:
        """No tag: the bracket, the name after it and one more character are text, whatever that is."""
        if stop == end:
            # cut short: what may still have become a tag is forgotten, any other name continues
            self.swallowing = not hopeful
        stop = min(stop + 1, end)
        found.append(Token(self._plain, at, stop))
        return stop

    def _attribute_character(self, text: str, start: int, at: int, end: int, found: list[Token]) -> int:
        character = text[at]
        if character == ">":
            found.append(Token("opened", at, at + 1))
            self.listing = False
            return at + 1
        if text[at : min(at + 2, end)] == "/>":
            found.append(Token("self-closed", at, at + 2))
            self.listing, self.inside = False, ""
            return at + 2
        kind = "gap"
        if self.place == "name":
            if character in NAME:
                kind = "attribute"
            else:
                self.place = "behind name"
        if self.place == "behind name" and character not in BLANK:
            self.place = "behind equals" if character == "=" else "between"
            kind = "equals" if character == "=" else kind
        elif self.place == "behind equals" and character not in BLANK:
            self.place = {'"': "in double", "'": "in single"}.get(character, "in bare")
            kind = "attribute-value" if self.place == "in bare" else "quote"
            if self.place == "in bare" and character == "/":
                self.place, kind = "between", "gap"
        elif self.place == "in bare":
            kind = "attribute-value"
            if character in BLANK or character == "/":
                self.place, kind = "between", "gap"
        elif self.place in ("in double", "in single"):
            closes = character == ('"' if self.place == "in double" else "'")
            kind = "quote" if closes else "attribute-value"
            self.place = "between" if closes else self.place
        if self.place == "between" and kind == "gap" and character in FIRST:
            self.place, kind = "name", "attribute"
        found.append(Token(kind, at, at + 1))
        return at + 1


def _name_end(text: str, at: int, end: int) -> int:
    if at >= end or text[at] not in FIRST:
        return at
    while at < end and text[at] in NAME:
        at += 1
    return at
