"""The constructs of this format, calls and values, in some lines: their first line, pointers, places of values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from llmblocks.core.scan import Kind, kind_of, width_of
from llmblocks.core.section import Section
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.open_construct import BEGINS, ENDS, PASSES, ConstructKind, Lot, Turn, lots_in
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.values import FENCE

Stretches = tuple[int, ...]
"""Where the parts of a value start and end, in turn: comments may be between them."""


class CallPart(NamedTuple):
    """The part of a call in some lines. A start marker begins a section, so a section has at most one call.

    Shape: places are code points from the start of the lines. If the call `begins` there, its first line is from
           `start` over `header`, behind the marker, to `header_end`. `texts` are the pointers without the white space
           around them, each with its place in `places`; `values` tell where the value of each is, and `value` where
           that of the argument is that is open where the lines begin. `closed` says that an end marker in them
           ends the call.

           `odd` says that a marker is beside text or outside of calls, or has a header without an end. `usual` says
           that all of the call is there, as nearly all are: each argument has a pointer and a value, and each
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
        """Whether a call begins there, and does not end there."""
        return self.begins and not self.closed

    @property
    def behind(self) -> Stretches | None:
        """Where the value of the argument is that begins there and does not end there."""
        return self.values[-1] if self.values and not self.closed else None


FREE: Final = CallPart()
"""Lines without a token of this format that is more than text."""
OURS = kinds.CALL | {kinds.STRAY}
_ARGUMENT = [kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE]


def _read(lines: Lines) -> CallPart:
    if OURS.isdisjoint(lines.kinds):
        return FREE
    return _usual(lines, [*map(kind_of, lines.tokens)]) or any_part(lines)


def _usual(lines: Lines, every: list[Kind]) -> CallPart | None:
    """The call of some lines, where that is a usual one."""
    if kinds.START not in every or kinds.END not in every:
        return None
    first, last = every.index(kinds.START), every.index(kinds.END)
    body, text = first + len(kinds.HEADER_LINE), lines.text
    arguments = (last - body) // len(_ARGUMENT)
    if every[first:last] != kinds.HEADER_LINE + _ARGUMENT * arguments or not OURS.isdisjoint(every[last + 1 :]):
        return None
    ends = [*accumulate(map(width_of, lines.tokens))]
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


def any_part(lines: Lines) -> CallPart:
    """The part of a call in some lines, token by token."""
    text = lines.text
    texts: list[str] = []
    places: list[tuple[int, int]] = []
    first: list[int] = []
    value = first
    values: list[list[int]] = []
    begins = closed = odd = in_header = False
    at = start = header = header_end = 0
    for kind, width in lines.tokens:
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


part_of_call: Final = of_lines("gadget pointers", _read)

TURNS: Final = frozenset((kinds.START, kinds.END))
"""The kinds of tokens where calls begin and end."""


def _turn_of_calls(part: CallPart) -> Turn:
    return ENDS if part.closed else BEGINS if part.begins else PASSES


def _turn_of_values(part: CallPart) -> Turn:
    return BEGINS if part.behind is not None else ENDS if part.texts or part.begins or part.closed else PASSES


CALLS: Final = ConstructKind("gadget calls", part_of_call, _turn_of_calls, TURNS)
VALUES: Final = ConstructKind("gadget values", part_of_call, _turn_of_values, TURNS | {kinds.ARG, kinds.POINTER})


def first_of_call(section: Section) -> Lot[CallPart] | None:
    """The lines of a section in which its call begins; None for a section without a call."""
    return next((lot for lot in lots_in(section, CALLS) if lot.part.begins), None)
