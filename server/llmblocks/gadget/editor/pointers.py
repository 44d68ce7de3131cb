"""The call of a section: its first line, its pointers, the places of its values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind, kind_of, width_of
from llmblocks.core.section import Section
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.values import FENCE

Stretches = tuple[int, ...]
"""Where the parts of a value start and end, in turn: comments may be between them."""


class CallPart(NamedTuple):
    """The call of a section. A start marker begins a section, so a section has at most one.

    Places are code points from the start of the section.
    """

    begins: bool = False
    """Whether a call is there."""
    start: int = 0
    """The start marker."""
    header: int = 0
    """The first line after the start marker."""
    header_end: int = 0
    texts: tuple[str, ...] = ()
    """The pointers without the white space around them."""
    places: tuple[tuple[int, int], ...] = ()
    """The place of each pointer."""
    values: tuple[Stretches, ...] = ()
    """The place of each value."""
    closed: bool = False
    """Whether an end marker ends it."""
    odd: bool = False
    """Whether a marker is beside text or outside of calls, or has a header without an end."""
    usual: bool = False
    """Whether each argument has a pointer and a value, and each marker a line of its own, as in nearly all calls."""


FREE: Final = CallPart()
"""A section without a token of this format that is more than text."""
OURS = kinds.CALL | {kinds.STRAY}
_ARGUMENT = [kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE]


def _read(section: Section) -> CallPart:
    if OURS.isdisjoint(section.kinds):
        return FREE
    return _usual(section, [*map(kind_of, section.tokens)]) or any_part(section)


def _usual(section: Section, every: list[Kind]) -> CallPart | None:
    """The call of a section, where that is a usual one."""
    if kinds.START not in every or kinds.END not in every:
        return None
    first, last = every.index(kinds.START), every.index(kinds.END)
    body, text = first + len(kinds.HEADER_LINE), section.text
    arguments = (last - body) // len(_ARGUMENT)
    if every[first:last] != kinds.HEADER_LINE + _ARGUMENT * arguments or not OURS.isdisjoint(every[last + 1 :]):
        return None
    ends = [*accumulate(map(width_of, section.tokens))]
    pointers = [*zip(ends[body:last:4], ends[body + 1 : last : 4], strict=True)]
    values = [*zip(ends[body + 2 : last : 4], ends[body + 3 : last : 4], strict=True)]
    texts = [text[start:end] for start, end in pointers]
    if text[ends[last] : ends[last] + 1] not in SPACES or [each.strip(SPACE) for each in texts] != texts:
        return None
    if texts and ([text[end - 1] for _, end in values] != ["\n"] * arguments or texts[-1].endswith(FENCE)):
        return None
    start, header, header_end = ends[first - 1] if first else 0, ends[first], ends[first + 1]
    rows = (*texts,), (*pointers,), (*values,)
    return CallPart(True, start, header, header_end, *rows, closed=True, usual=True)


def any_part(section: Section) -> CallPart:
    """The call of a section, token by token."""
    text = section.text
    texts: list[str] = []
    places: list[tuple[int, int]] = []
    value: list[int] = []
    values: list[list[int]] = []
    begins = closed = odd = in_header = False
    at = start = header = header_end = 0
    for kind, width in section.tokens:
        end = at + width
        if kind is kinds.VALUE:
            if value and value[-1] == at:
                value[-1] = end
            else:
                value += (at, end)
        elif kind is kinds.ARG:
            if at and text[at - 1] != "\n":
                odd = True
            value = []
            texts.append("")
            places.append((end, end))
            values.append(value)
        elif kind is kinds.POINTER:
            written = text[at:end]
            name = written.strip(SPACE)
            begun = at if name is written else at + written.index(name)
            if not texts:
                texts, places, values = [""], [(at, at)], [value := []]
            texts[-1] = name
            places[-1] = (begun, begun + len(name))
        elif kind is kinds.START:
            start, header, header_end, in_header = at, end, end, True
        elif kind is kinds.HEADER:
            header_end = end
        elif kind is kinds.HEADER_END:
            begins, in_header = True, False
        elif kind is kinds.END:
            if (at and text[at - 1] != "\n") or text[end : end + 1] not in SPACES:
                odd = True
            if texts and texts[-1].endswith(FENCE):
                _strip_fence(text, texts, places, value)
            closed = True
        elif kind is kinds.STRAY:
            odd = True
        at = end
    if not begins:
        start = header = header_end = 0
    rows = (*texts,), (*places,), (*map(tuple, values),)
    return CallPart(begins, start, header, header_end, *rows, closed, odd or in_header)


def _strip_fence(text: str, texts: list[str], places: list[tuple[int, int]], value: list[int]) -> None:
    """Take the fence off the last pointer of a call: with no value after it, it ends the body."""
    if not joined(text, value).strip(SPACE):
        start, _ = places[-1]
        texts[-1] = name = texts[-1].removesuffix(FENCE).strip(SPACE)
        places[-1] = (start, start + len(name))


def joined(text: str, stretches: Stretches | list[int]) -> str:
    """The text of a value in a text."""
    if len(stretches) == 2:
        return text[stretches[0] : stretches[1]]
    return "".join([text[start:end] for start, end in zip(stretches[::2], stretches[1::2], strict=True)])


def place_in(stretches: Sequence[int], offset: int) -> int:
    """The place of a character of a value."""
    for start, end in zip(stretches[::2], stretches[1::2], strict=True):
        if offset < end - start:
            return start + offset
        offset -= end - start
    raise AssertionError("the offset is in the value")


part_of_call: Final[Query[Section, CallPart]] = Query("gadget pointers", _read)
