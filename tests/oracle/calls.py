"""The calls of a text with their headers and arguments, from its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from llmblocks.gadget.syntax.values import SPACE
from oracle.tokens import RESET, Token

Place = tuple[int, int]


class Call(NamedTuple):
    """A call whose header a newline ends; without it, a start marker is text."""

    number: int
    """The number of its first token."""
    start: Token
    header: Token
    inside: list[Token]
    """The tokens between its header and its end."""
    end: Token
    """An end marker, the start of another call, or where nothing stays open."""


class Argument(NamedTuple):
    """`characters` are the places of the characters of the value as written, comments between them left out."""

    marker: Place
    start: int
    pointer: str
    characters: list[int]

    @property
    def place(self) -> Place:
        return self.start, self.start + len(self.pointer)


def calls_in(text: str, tokens: list[Token]) -> Iterator[Call]:
    for index, start in enumerate(tokens):
        ahead = [*tokens[index + 1 :], Token(RESET, len(text), len(text))]
        header = ahead.pop(0) if ahead[0].kind == "header" else Token("header", start.end, start.end)
        if start.kind == "start" and ahead.pop(0).kind == "header-end":
            inside = [*takewhile(lambda each: each.kind not in ("start", "end", RESET), ahead)]
            yield Call(index, start, header, inside, ahead[len(inside)])


def arguments_of(text: str, inside: list[Token]) -> list[Argument]:
    found: list[Argument] = []
    for token in inside:
        if token.kind == "arg":
            found.append(Argument((token.start, token.end), token.end, "", []))
        elif token.kind == "pointer":
            start, end = stripped(text, token.start, token.end)
            found[-1] = found[-1]._replace(start=start, pointer=text[start:end])
        elif token.kind == "value":
            found[-1].characters.extend(range(token.start, token.end))
    return found


def fields(text: str, header: Token) -> list[Place]:
    """Return the places between the colons of a header: its name, its id, and dependencies."""
    start, end = stripped(text, header.start, header.end)
    return [(start + at.start(), start + at.end()) for at in re.finditer("(?<![^:])[^:]*", text[start:end])]


def dependencies(text: str, field: Place) -> list[Place]:
    """Return the names between the commas of a field."""
    start, end = field
    between = re.finditer("(?<![^,])[^,]*", text[start:end])
    places = [stripped(text, start + at.start(), start + at.end()) for at in between]
    return [(first, last) for first, last in places if first < last]


def stripped(text: str, start: int, end: int, blank: str | None = SPACE) -> Place:
    """Return a place without the blank characters around it; of blank text, its end."""
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip(blank))
    return start, start + len(inner.strip(blank))
