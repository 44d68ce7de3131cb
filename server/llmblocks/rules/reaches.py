"""The stretches of a document in which comments silence findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.section import Piece
from llmblocks.facts.silence import Silence, Silencing
from llmblocks.settings.rule_names import NAMES

_WORD = re.compile(r"\w[\w-]*")
_CODE = re.compile(r"[A-Za-z][0-9]{1,4}|[CGST]")
_NAMES = frozenset(NAMES.values())
_MOST_NAMED = 4


class Reach(NamedTuple):
    """A comment in a document.

    Shape: it silences what begins from `start` up to `end`; `base` is where its piece starts.
    """

    start: int
    end: int
    base: int
    piece: Piece
    silence: Silence


def comments_of(piece: Piece, outer: Silencing, inner: Iterable[Silencing]) -> tuple[Silence, ...]:
    """The comments that silence findings in a piece, and those that look like it. Shape: `inner` are in no effect."""
    own = [_understood(each) for each in outer.find(piece)]
    inside = [
        each._replace(unread=each.unread or piece.text[each.start : each.end], remedy=outer.inside)
        for silencing in inner
        for each in silencing.find(piece)
        if not each.bare
    ]
    return tuple(sorted([*own, *inside])) if inside else (*own,)


def _understood(silence: Silence) -> Silence:
    """A comment for all rules, unless it names some without brackets."""
    if silence.codes or silence.unread:
        return silence
    named = [word for word in _WORD.findall(silence.reason) if _CODE.fullmatch(word) or word.lower() in _NAMES]
    if not named:
        return silence
    verb = "ignore-file" if silence.of_file else "ignore"
    remedy = f"write {verb}[{', '.join(named[:_MOST_NAMED])}]"
    return silence._replace(unread=f"{verb}{silence.reason.rstrip()}", remedy=remedy)


def reaches(
    document: Document, silencing: Silencing, signed: Iterable[Piece], find: Callable[[Piece], Iterable[Silence]]
) -> list[Reach]:
    """The comments in some pieces of a document, in order."""
    found: list[tuple[int, Piece, Silence]] = []
    for piece in signed:
        address = document.sections.find(piece)
        if address is not None:
            base = document.sections.start_of(address)
            # a line begins where the piece does, unless it is a part of a long one
            whole = not base or document.slice(base - 1, base) == "\n"
            found += [
                (base, piece, each)
                for each in find(piece)
                if whole or not each.bare or "\n" in piece.text[: each.start]
            ]
    found.sort(key=lambda each: each[0] + each[2].end)
    holding = [base + each.end for base, _, each in found if each.of_part]
    stops: list[int | None] = []
    while len(stops) < len(holding):
        place = holding[len(stops)] - 1
        _, start = next(document.lines_on(place))
        pieces = (piece for piece, _ in document.lines_on(place))
        stops += silencing.stops(pieces, start, holding, len(stops))
    ahead = iter(stops)
    size = len(document) + 1
    made = []
    for base, piece, each in found:
        stop = base + each.end if each.unread else None if each.of_file else next(ahead)
        made.append(Reach(base + each.end, size if stop is None else stop, base, piece, each))
    return made


def joined(reaches: Collection[Reach]) -> list[tuple[int, int]]:
    """The stretches of text in which something is silenced, in order."""
    found: list[tuple[int, int]] = []
    for reach in reaches:
        if not reach.silence.of_part:
            continue
        if found and reach.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], reach.end))
        else:
            found.append((reach.start, reach.end))
    return found
