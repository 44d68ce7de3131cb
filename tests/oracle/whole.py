"""One text, read as a whole: all layers of a language put together."""

from __future__ import annotations

from oracle.gadgets import GadgetReader
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
    """Return the tokens of a text in one of the languages.

    `by_role` says that messages of some roles hold less.
    """
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
