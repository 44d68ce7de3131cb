"""The search for three markers in a text that is still growing."""

from __future__ import annotations

from functools import lru_cache

from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers


class MarkerSearch:
    """The properties of a set of markers, computed once for each set.

    Shape:  `lead` is the character that all three begin with, or "" when they differ. `plain` says that no two markers
            can overlap, so that a marker found in a growing text is one whatever comes next; `tidy`, that moreover
            neither trimming nor taking off fences can touch an argument marker; `apart`, that moreover a text
            may be cut at its end markers before start markers are looked for. `text_beginnings` and
            `body_beginnings` are what may still become a marker outside and inside of a call; `held_in_body` has the
            latter also after a newline, and the newline alone; `inner` has the characters that they end in. `sign`
            is a character of both the start and the end marker, or "": a text without it has neither.
            `bordered` says that an argument marker ends as it begins; `arg_on_line` is one and the newline before it.
    """

    def __init__(self, markers: Markers) -> None:
        self.start, self.end, self.arg = markers.start, markers.end, markers.arg
        every = [self.start, self.end, self.arg]
        # If an end or start marker begins inside an argument marker, the body ends there. So until
        # the next characters are known, the argument marker is not certain.
        rests = {rest for closing in every[:2] for rest in _overlaps(self.arg, closing)}
        self.plain = not rests and not any(one != other and one in other for one in every for other in every)
        self.tidy = self.plain and self.arg.strip(SPACE) == self.arg and "`" not in self.arg
        self.apart = self.plain and not _overlaps(self.start, self.end)
        self.arg_on_line = "\n" + self.arg
        self.lead = self.start[0] if self.start[0] == self.end[0] == self.arg[0] else ""
        both = set(self.start) & set(self.end)
        # capitals are rarer than the other common characters
        self.sign = next((char for char in sorted(both - set(self.arg)) if char.isupper()), "") or min(both, default="")
        self.text_beginnings = _beginnings([self.start])
        self.body_beginnings = _beginnings([*every, *(self.arg + rest for rest in rests)])
        self.held_in_body = frozenset(["\n", *self.body_beginnings, *("\n" + text for text in self.body_beginnings)])
        self.bordered = any(self.arg.endswith(self.arg[:size]) for size in range(1, len(self.arg)))
        self.inner = frozenset(text[-1] for text in self.body_beginnings)
        self.longest = max(map(len, self.body_beginnings), default=0)

    def tail(self, text: str, start: int, beginnings: frozenset[str]) -> int:
        """The offset, after `start`, of an ending that may become a marker; the text's length if there is none."""
        size = len(text)
        if text[-1:] not in self.inner:
            return size
        if self.bordered:
            return self._tail_after_arguments(text, start, beginnings)
        at = max(start, size - self.longest)
        if self.lead:
            at = text.find(self.lead, at)
            while at >= 0:
                if text[at:] in beginnings:
                    return at
                at = text.find(self.lead, at + 1)
            return size
        for place in range(at, size):
            if text[place:] in beginnings:
                return place
        return size

    def _tail_after_arguments(self, text: str, start: int, beginnings: frozenset[str]) -> int:
        """`tail` for an argument marker that ends as it begins: the end of a complete marker does not begin another."""
        size = len(text)
        while True:
            found = text.find(self.arg, start) if beginnings is self.body_beginnings else -1
            for place in range(max(start, size - self.longest), size if found < 0 else found + 1):
                if text[place:] in beginnings:
                    return place
            if found < 0:
                return size
            start = found + len(self.arg)


marker_search = lru_cache(maxsize=32)(MarkerSearch)
"""The search for a set of markers, made once."""


def _beginnings(texts: list[str]) -> frozenset[str]:
    return frozenset(text[:size] for text in texts for size in range(1, len(text)))


def _overlaps(arg: str, closing: str) -> set[str]:
    """The rest of a closing marker that begins inside an argument marker; "" if it lies within."""
    found: set[str] = set()
    for place in range(1, len(arg)):
        inside = arg[place:]
        if inside.startswith(closing):
            found.add("")
        elif closing.startswith(inside):
            found.add(closing[len(inside) :])
    return found
