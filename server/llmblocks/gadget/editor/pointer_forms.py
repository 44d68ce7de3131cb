"""The problems that a pointer has by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from llmblocks.facts.problem import Problem
from llmblocks.gadget.call import Call
from llmblocks.gadget.rules import EMPTY_POINTER, EMPTY_POINTER_SEGMENT, POINTER_ESCAPE_NOT_DECODED

_SLASHES = re.compile("/+")
_EMPTY_SEGMENT = re.compile("[/ ]/|/ ")
_ESCAPES = re.compile("~[01]")
_CHARACTERS = {"~0": "~", "~1": "/"}


def are_usual(pointers: Iterable[str]) -> bool:
    """Whether pointers have none of these problems."""
    # a space is at the ends of none of them
    every = f" {' '.join(pointers)} "
    return "~" not in every and "  " not in every and not ("/" in every and _EMPTY_SEGMENT.search(every))


def problems_of_pointers(call: Call, marker: str) -> Iterator[Problem]:
    """Pointers without text, with empty segments, or with escapes. Shape: `marker` is that of arguments."""
    if are_usual([each.pointer for each in call.arguments]):
        return
    for start, at, _, _, _, text in call.arguments:
        if not text:
            yield Problem(EMPTY_POINTER, start, start + len(marker))
        if "/" in text:
            yield from _empty_segments(text, at)
        if "~" in text:
            for found in _ESCAPES.finditer(text):
                data = {"escape": found[0], "character": _CHARACTERS[found[0]]}
                yield Problem(POINTER_ESCAPE_NOT_DECODED, at + found.start(), at + found.end(), data)


def _empty_segments(pointer: str, at: int) -> Iterator[Problem]:
    """Slashes with nothing in front of them or behind them. Shape: each problem is at those that are too many."""
    if "//" not in pointer and pointer[0] != "/" and pointer[-1] != "/":
        return
    for found in _SLASHES.finditer(pointer):
        start, end = found.span()
        if start and end < len(pointer):
            start += 1
        if start < end:
            yield Problem(EMPTY_POINTER_SEGMENT, at + start, at + end, {"pointer": pointer})
