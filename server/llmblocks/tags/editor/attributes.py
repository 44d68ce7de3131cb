"""Tokens of an attribute list, which may be cut anywhere."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.core.scan import Kind, Token
from llmblocks.tags.editor import kinds

# The position of the scanner in a list, which depends only on the text before it.
BETWEEN: Final = 0
IN_NAME: Final = 1
BEHIND_NAME: Final = 2
BEHIND_EQUALS: Final = 3
IN_DOUBLE: Final = 4
IN_SINGLE: Final = 5
IN_BARE: Final = 6

_SKIPPED = re.compile(r"[^A-Za-z_]*+")
_NAME = re.compile(r"[A-Za-z0-9_-]*+")
_SPACE = re.compile(r"[ \t\n\r]*+")
_BARE = re.compile(r"[^ \t\n\r/]*+")


def scan_attributes(text: str, at: int, end: int, place: int, tokens: list[Token]) -> int:
    """Tokenize a part of a list into `tokens`, and return the position in the list at its end.

    Shape: the part holds no `>`, and not the `/` of a `/>`.
    """
    while at < end:
        if place == BETWEEN:
            at = _add(kinds.GAP, _SKIPPED, text, at, end, tokens)
            if at < end:
                place = IN_NAME
        elif place == IN_NAME:
            at = _add(kinds.ATTRIBUTE, _NAME, text, at, end, tokens)
            if at < end:
                place = BEHIND_NAME
        elif place == BEHIND_NAME:
            at = _add(kinds.GAP, _SPACE, text, at, end, tokens)
            if at < end:
                if text[at] == "=":
                    tokens.append(kinds.EQUALS.of[1])
                    at, place = at + 1, BEHIND_EQUALS
                else:
                    place = BETWEEN
        elif place == BEHIND_EQUALS:
            at = _add(kinds.GAP, _SPACE, text, at, end, tokens)
            if at < end:
                place = {'"': IN_DOUBLE, "'": IN_SINGLE}.get(text[at], IN_BARE)
                if place != IN_BARE:
                    tokens.append(kinds.QUOTE.of[1])
                    at += 1
        elif place == IN_BARE:
            at = _add(kinds.VALUE, _BARE, text, at, end, tokens)
            if at < end:
                place = BETWEEN
        else:
            closing = text.find('"' if place == IN_DOUBLE else "'", at, end)
            value_end = end if closing < 0 else closing
            if value_end > at:
                tokens.append(kinds.VALUE.of[value_end - at])
            at = value_end
            if closing >= 0:
                tokens.append(kinds.QUOTE.of[1])
                at, place = at + 1, BETWEEN
    return place


def _add(kind: Kind, pattern: re.Pattern[str], text: str, at: int, end: int, tokens: list[Token]) -> int:
    found = pattern.match(text, at, end)
    stop = found.end() if found else at
    if stop > at:
        tokens.append(kind.of[stop - at])
    return stop
