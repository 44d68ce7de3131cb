"""One text, read as a whole: all layers of a language put together."""

from __future__ import annotations

from oracle.gadgets import GadgetReader
from oracle.stf import StfReader
from oracle.tags import TagReader
from oracle.tokens import RESET, Reading, Token, joined

TAGS = ("think", "thinking", "reasoning", "answer", "artifact", "tool", "result")
MARKERS = ("!!!GADGET_START:", "!!!GADGET_END", "!!!ARG:")


def read(text: str, language_id: str, markers: tuple[str, str, str] = MARKERS) -> Reading:
    """The tokens of a text in one of the languages."""
    inner = GadgetReader(markers, TagReader(TAGS))
    if language_id == "custom-blocks":
        return Reading(joined(_named(inner.tags.read(text, 0, len(text)))), set())
    if language_id == "gadget":
        return Reading(joined(_named(inner.read(text, 0, len(text)))), set())
    outer = StfReader("auto").read(text)
    tokens = []
    for token in joined(outer.tokens):
        if token.kind == RESET:
            inner = GadgetReader(markers, TagReader(TAGS))
        tokens += _named(inner.read(text, token.start, token.end)) if token.kind == "text" else [token]
    return Reading(joined(tokens), outer.cuts)


def _named(tokens: list[Token]) -> list[Token]:
    """A tag's name is no command's."""
    return [token._replace(kind="tag") if token.kind == "name" else token for token in tokens]
