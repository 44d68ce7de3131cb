"""The calls of a section, with the places of their parts."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.javascript import SPACE


class ArgumentView(NamedTuple):
    """An argument of a call.

    Shape: `start` is where its marker begins, `name` to `name_end` its pointer without the white space around it,
           `value` to `end` its value as written, the newline before the next marker included.
    """

    start: int
    name: int
    name_end: int
    value: int
    end: int
    pointer: str


class CallView(NamedTuple):
    """A call. Places are code points from the start of the section.

    Shape: `start` is where its start marker begins, `header` to `header_end` is the rest of that line; `end` is where
           the end marker begins, or what stands in its place, and `closed` says that there is one.
    """

    start: int
    header: int
    header_end: int
    end: int
    closed: bool
    arguments: tuple[ArgumentView, ...]


def _calls(section: Section) -> tuple[CallView, ...]:
    found: list[CallView] = []
    begun: _Begun | None = None
    at = begun_end = 0
    for piece in section.pieces:
        first = at
        for kind, width in piece.tokens:
            end = at + width
            if kind is kinds.VALUE:
                at = begun_end = end
                continue
            if begun is not None:
                if kind is kinds.ARG:
                    begun.argument(at, end)
                elif kind is kinds.POINTER:
                    begun.pointer(at, piece.text[at - first : end - first])
                elif kind is kinds.HEADER:
                    begun.header_end = end
                elif kind is kinds.HEADER_END:
                    begun.is_call = True
                elif kind in _ENDS:
                    begun.finish(at, kind is kinds.END, found)
                    begun = None
                if kind in _INSIDE:
                    begun_end = end
            if kind is kinds.START:
                begun = _Begun(at, end)
                begun_end = end
            at = end
    if begun is not None:
        begun.finish(begun_end, False, found)
    return tuple(found)


calls: Query[Section, tuple[CallView, ...]] = Query("gadget calls", _calls)
"""All calls of a section; a start marker without a newline after it begins none."""

_ENDS = frozenset((kinds.END, kinds.START))
_INSIDE = frozenset(
    (kinds.HEADER, kinds.HEADER_END, kinds.IGNORED, kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE)
)


class _Begun:
    """An open call."""

    __slots__ = ("arguments", "header", "header_end", "is_call", "marker", "name", "name_end", "start", "text", "value")

    def __init__(self, start: int, header: int) -> None:
        self.start = start
        self.header = self.header_end = header
        self.is_call = False
        self.arguments: list[ArgumentView] = []
        self.marker = -1

    def argument(self, start: int, end: int) -> None:
        if self.marker >= 0:
            self._close(start)
        self.marker, self.name, self.name_end, self.value, self.text = start, end, end, end, ""

    def pointer(self, start: int, text: str) -> None:
        self.text = name = text.strip(SPACE)
        self.name = start if name is text else start + text.index(name)
        self.name_end = self.name + len(name)
        self.value = start + len(text) + 1  # the newline; where there is none, the argument ends here

    def finish(self, end: int, closed: bool, found: list[CallView]) -> None:
        if self.marker >= 0:
            self._close(end)
        if self.is_call:
            found.append(CallView(self.start, self.header, self.header_end, end, closed, tuple(self.arguments)))

    def _close(self, end: int) -> None:
        value = self.value if self.value < end else end
        self.arguments.append(ArgumentView(self.marker, self.name, self.name_end, value, end, self.text))
