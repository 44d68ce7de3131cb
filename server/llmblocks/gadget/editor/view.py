"""The call of a section, with the places of its parts."""

from __future__ import annotations

from typing import Final, NamedTuple

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


def _read(section: Section) -> CallView | None:
    start = header = header_end = stop = 0
    is_call = closed = False
    arguments: list[ArgumentView] = []
    begun: tuple[int, int, int, int, str] | None = None
    at, text = 0, section.text if kinds.START in section.kinds else ""
    for kind, width in section.tokens if text else ():
        end = at + width
        if kind is kinds.ARG:
            if begun is not None:
                arguments.append(_argument(*begun, at))
            begun = at, end, end, end, ""
        elif kind is kinds.POINTER and begun is not None:
            written = text[at:end]
            pointer = written.strip(SPACE)
            name = at if pointer is written else at + written.index(pointer)
            # the newline; where there is none, the argument ends here
            begun = begun[0], name, name + len(pointer), end + 1, pointer
        elif kind is kinds.START:
            start, header, header_end = at, end, end
        elif kind is kinds.HEADER:
            header_end = end
        elif kind is kinds.HEADER_END:
            is_call = True
        elif kind is kinds.END:
            closed, stop = True, at
        if not closed and kind in kinds.CALL:
            stop = end
        at = end
    if begun is not None:
        arguments.append(_argument(*begun, stop))
    return CallView(start, header, header_end, stop, closed, (*arguments,)) if is_call else None


def _argument(start: int, name: int, name_end: int, value: int, pointer: str, end: int) -> ArgumentView:
    return ArgumentView(start, name, name_end, min(value, end), end, pointer)


call_in: Final[Query[Section, CallView | None]] = Query("gadget call", _read)
"""The call of a section, which has at most one; None if a start marker without a newline after it begins none."""
