"""The calls of a section, with the places of their parts."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.section import Section
from llmblocks.gadget import kinds
from llmblocks.gadget.javascript import SPACE

_CALL_PARTS = frozenset(
    (kinds.HEADER_END, kinds.IGNORED, kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE, kinds.END)
)


class Argument(NamedTuple):
    """An argument of a call.

    Shape: `start` is where its marker begins, `name` to `name_end` its pointer without the white space around it,
           `value` to `end` its value as written, the newline in front of the next marker included.
    """

    start: int
    name: int
    name_end: int
    value: int
    end: int
    pointer: str


class Call(NamedTuple):
    """A call. Places are code points from the start of the section.

    Shape: `start` is where its start marker begins, `header` to `header_end` is the rest of that line; `end` is where
           the end marker begins, or what stands in its place, and `closed` says that there is one.
    """

    start: int
    header: int
    header_end: int
    end: int
    closed: bool
    arguments: tuple[Argument, ...]


def calls(section: Section) -> tuple[Call, ...]:
    """All calls of a section; a start marker without a newline behind it begins none."""
    return section.remember(_calls)


def _calls(section: Section) -> tuple[Call, ...]:
    if all(token.kind is not kinds.START for token in section.tokens):
        return ()
    found: list[Call] = []
    arguments: list[Argument] = []
    start = header = header_end = value = -1
    argument: tuple[int, int, int, str] | None = None
    open_call = False

    def finish(at: int, closed: bool) -> None:
        nonlocal open_call, argument
        if argument is not None:
            first, name, name_end, pointer = argument
            arguments.append(Argument(first, name, name_end, min(value, at), at, pointer))
            argument = None
        if open_call:
            found.append(Call(start, header, header_end, at, closed, tuple(arguments)))
            open_call = False

    at = 0
    for kind, start_at, end_at in section.spans():
        if kind is kinds.START:
            finish(start_at, False)
            arguments.clear()
            start, header, header_end = start_at, end_at, end_at
        elif kind is kinds.HEADER:
            header_end = end_at
        elif kind is kinds.HEADER_END:
            open_call = True
        elif kind is kinds.ARG:
            if argument is not None:
                first, name, name_end, pointer = argument
                arguments.append(Argument(first, name, name_end, min(value, start_at), start_at, pointer))
            argument = (start_at, end_at, end_at, "")
            value = end_at
        elif kind is kinds.POINTER:
            text = section.slice(start_at, end_at)
            pointer = text.strip(SPACE)
            name = start_at + text.index(pointer)
            argument = (
                (start_at, name, name + len(pointer), pointer)
                if argument is None
                else (argument[0], name, name + len(pointer), pointer)
            )
            value = end_at
        elif kind is kinds.POINTER_END:
            value = end_at
        elif kind is kinds.END:
            finish(start_at, True)
        if kind in _CALL_PARTS:
            at = end_at
    finish(at, False)
    return tuple(found)
