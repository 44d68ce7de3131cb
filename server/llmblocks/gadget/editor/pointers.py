"""The part of a call that is in a piece: its first line, its pointers, and the places of their values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind, kind_of, width_of
from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Measure, Node
from llmblocks.facts.construct import BEGINS, ENDS, PASSES, Turn
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.values import FENCE

Stretches = tuple[int, ...]
"""Where the parts of a value start and end, in turn: comments may be between them."""


class CallPart(NamedTuple):
    """The part of a call in one piece. A start marker begins a section, so a section has at most one call.

    Shape: places are code points from the start of the piece. If the call `begins` in it, its first line is from
           `start` over `header`, behind the marker, to `header_end`. `texts` are the pointers without the white space
           around them, each with its place in `places`; `values` tell where the value of each is, and `value` where
           that of the argument is that is open where the piece begins. `closed` says that an end marker in the piece
           ends the call.

           `odd` says that a marker is beside text or outside of calls, or has a header without an end. `usual` says
           that all of the call is in the piece, as nearly all are: each argument has a pointer and a value, and each
           marker a line of its own.
    """

    begins: bool = False
    start: int = 0
    header: int = 0
    header_end: int = 0
    texts: tuple[str, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    values: tuple[Stretches, ...] = ()
    value: Stretches = ()
    closed: bool = False
    odd: bool = False
    usual: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether a call begins in the piece, and does not end in it."""
        return self.begins and not self.closed

    @property
    def behind(self) -> Stretches | None:
        """Where the value of the argument is that begins in the piece and does not end in it."""
        return self.values[-1] if self.values and not self.closed else None


FREE: Final = CallPart()
"""A piece without a token of this format that is more than text."""
_OURS = kinds.CALL | {kinds.STRAY}
_ARGUMENT = [kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE]


def _read(piece: Piece) -> CallPart:
    if _OURS.isdisjoint(piece.kinds):
        return FREE
    return _usual(piece, [*map(kind_of, piece.tokens)]) or any_part(piece)


def _usual(piece: Piece, every: list[Kind]) -> CallPart | None:
    """The call of a piece, where that is a usual one."""
    if kinds.START not in every or kinds.END not in every:
        return None
    first, last = every.index(kinds.START), every.index(kinds.END)
    body, text = first + len(kinds.HEADER_LINE), piece.text
    arguments = (last - body) // len(_ARGUMENT)
    if every[first:last] != kinds.HEADER_LINE + _ARGUMENT * arguments or not _OURS.isdisjoint(every[last + 1 :]):
        return None
    ends = [*accumulate(map(width_of, piece.tokens))]
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


def any_part(piece: Piece) -> CallPart:
    """The part of a call in a piece, token by token."""
    text = piece.text
    texts: list[str] = []
    places: list[tuple[int, int]] = []
    first: list[int] = []
    value = first
    values: list[list[int]] = []
    begins = closed = odd = in_header = False
    at = start = header = header_end = 0
    for kind, width in piece.tokens:
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
    return CallPart(begins, start, header, header_end, *rows, (*first,), closed, odd or in_header)


def _strip_fence(text: str, texts: list[str], places: list[tuple[int, int]], value: list[int]) -> None:
    """Take the fence off the last pointer of a call: with no value after it, it ends the body."""
    if not joined(text, value).strip(SPACE):
        start, _ = places[-1]
        texts[-1] = name = texts[-1].removesuffix(FENCE).strip(SPACE)
        places[-1] = (start, start + len(name))


def joined(text: str, stretches: Stretches | list[int]) -> str:
    """The text of a value in a piece."""
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


part_of_call: Query[Piece, CallPart] = Query("gadget pointers", _read)

TURNS: Final = frozenset((kinds.START, kinds.END))
"""The kinds of tokens where calls begin and end."""


def turn_of_calls(piece: Piece) -> Turn:
    """What a piece does to calls."""
    part = part_of_call(piece)
    return ENDS if part.closed else BEGINS if part.begins else PASSES


def first_of_call(section: Section) -> tuple[Piece, Measure] | None:
    """The piece of a section in which its call begins, with what is before it; None for a section without a call."""
    found = next(section.where(_has_start), None)
    return found if found and part_of_call(found[0]).begins else None


def _has_start(part: Piece | Node[Piece]) -> bool:
    return kinds.START in part.kinds
