"""The pointers of the calls in a piece with the places of their values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind, kind_of, width_of
from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Node
from llmblocks.facts.construct import BEGINS, ENDS, PASSES, Turn
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.values import FENCE

Stretches = tuple[int, ...]
"""Where the parts of a value start and end, in turn: comments may be between them."""


class Pointers(NamedTuple):
    """The pointers of a call in one piece.

    Shape: `texts` without the white space around them; `places` and `values`, which tell where the value of each is, in
           code points from the start of the piece. `closed` says that an end marker in the piece ends the call.
    """

    texts: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    values: tuple[Stretches, ...]
    closed: bool


class CallsOfPiece(NamedTuple):
    """The pointers of the calls in a piece.

    Shape: `lead` is of the call that is open where the piece begins, if one is, and `passes` says that nothing in the
           piece ends it; `calls` begin in the piece, and `goes_on` says that the last of them does not end in it.
           `value` belongs to the argument that is open where the piece begins. `odd` says that a marker is beside text
           or outside of calls, or has a header without an end. `usual` says that there is one call, all of it in the
           piece, as nearly all are: each argument has a pointer and a value, and each marker a line of its own.
    """

    lead: Pointers
    calls: tuple[Pointers, ...]
    goes_on: bool
    passes: bool
    value: Stretches
    odd: bool
    usual: bool = False

    @property
    def last(self) -> Pointers | None:
        """The pointers of the call that does not end in the piece."""
        return self.calls[-1] if self.goes_on else self.lead if self.passes else None


_NONE: Final = Pointers((), (), (), False)
FREE: Final = CallsOfPiece(_NONE, (), False, True, (), False)
"""A piece without a token of this format that is more than text."""
_OURS = kinds.CALL | {kinds.STRAY}


_ARGUMENT = [kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE]


def _read(piece: Piece) -> CallsOfPiece:
    if _OURS.isdisjoint(piece.kinds):
        return FREE
    return _usual(piece, [*map(kind_of, piece.tokens)]) or any_calls(piece)


def _usual(piece: Piece, every: list[Kind]) -> CallsOfPiece | None:
    """The call of a piece, where that is a usual one."""
    if kinds.START not in every or kinds.END not in every:
        return None
    first, last = every.index(kinds.START), every.index(kinds.END)
    body, text = first + len(kinds.HEADER_LINE), piece.text
    arguments = (last - body) // len(_ARGUMENT)
    if every[first:last] != kinds.HEADER_LINE + _ARGUMENT * arguments:
        return None
    if not (_OURS.isdisjoint(every[last + 1 :]) and (first == 0 or _OURS.isdisjoint(every[:first]))):
        return None
    ends = [*accumulate(map(width_of, piece.tokens))]
    pointers = [*zip(ends[body:last:4], ends[body + 1 : last : 4], strict=True)]
    values = [*zip(ends[body + 2 : last : 4], ends[body + 3 : last : 4], strict=True)]
    texts = [text[start:end] for start, end in pointers]
    if text[ends[last] : ends[last] + 1] not in SPACES or [each.strip(SPACE) for each in texts] != texts:
        return None
    if texts and ([text[end - 1] for _, end in values] != ["\n"] * arguments or texts[-1].endswith(FENCE)):
        return None
    return CallsOfPiece(_NONE, (Pointers((*texts,), (*pointers,), (*values,), True),), False, False, (), False, True)


def any_calls(piece: Piece) -> CallsOfPiece:
    """The calls of a piece, token by token."""
    text = piece.text
    lead, calls = _NONE, []
    texts: list[str] = []
    places: list[tuple[int, int]] = []
    first: list[int] = []
    value = first
    values: list[list[int]] = []
    is_call, is_lead = False, True
    odd = in_header = False
    at = 0
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
            start = at if name is written else at + written.index(name)
            if not texts:
                texts, places, values = [""], [(at, at)], [value := []]
            texts[-1] = name
            places[-1] = (start, start + len(name))
        elif kind is kinds.HEADER_END:
            is_call, in_header = True, False
        elif kind is kinds.START or kind is kinds.END:
            if kind is kinds.START:
                odd, in_header = odd or in_header, True
            elif (at and text[at - 1] != "\n") or text[end : end + 1] not in SPACES:
                odd = True
            if is_lead or is_call:
                if texts and texts[-1].endswith(FENCE):
                    _strip_fence(text, texts, places, value)
                ended = Pointers((*texts,), (*places,), (*map(tuple, values),), kind is kinds.END)
                if is_lead:
                    lead = ended
                else:
                    calls.append(ended)
            texts, places, values, value, is_lead, is_call = [], [], [], [], False, False
        elif kind is kinds.STRAY:
            odd = True
        at = end
    last = Pointers((*texts,), (*places,), (*map(tuple, values),), False)
    if is_lead:
        lead = last
    elif is_call:
        calls.append(last)
    return CallsOfPiece(lead, (*calls,), is_call, is_lead, (*first,), odd or in_header)


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


calls_of_piece: Query[Piece, CallsOfPiece] = Query("gadget pointers", _read)

TURNS: Final = frozenset((kinds.START, kinds.END))
"""The kinds of tokens where calls begin and end."""


def turn_of_calls(piece: Piece) -> Turn:
    """What a piece does to calls."""
    of_piece = calls_of_piece(piece)
    return BEGINS if of_piece.goes_on else PASSES if of_piece.passes else ENDS


def last_turn(section: Section, number: int) -> int:
    """The last piece before one in which a call begins or ends; -1 for none."""
    return section.pieces.last(_turns, number)


def _turns(part: Piece | Node[Piece]) -> bool:
    return not TURNS.isdisjoint(part.kinds)
