"""The outline of a document: messages, calls, arguments and blocks as a tree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from llmblocks.contract.headings import EntryKind, Heading, Title
from llmblocks.core.nest import Nest, Node
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Piece, Section, Span, spans_of
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_DEEP = 16
"""The most nodes around a piece whose outline is remembered."""
_SECTIONS = 128
"""The sections that are looked at between two pauses."""
_BEFORE, _AHEAD = 256, 2048
"""The most text before a name and after it from which the title of an entry is made."""
_FAR = sys.maxsize


class Entry(NamedTuple):
    """An entry of an outline.

    Shape: `start` to `end` is all of it, `name_start` to `name_end` what names it, in code points; `depth` is the
           number of entries around it. `name` may be empty.
    """

    kind: EntryKind
    name: str
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    depth: int = 0


class PieceOutline(NamedTuple):
    """The entries that begin or end in a piece, places counted from its start.

    Shape: `entries` begin in it; one that goes on after it has the end -1. `ended` are the ends of entries that began
           before it, innermost first. `passed` is the number of nodes that end in it, and `begun` the kinds of
           those that go on: with an entry or without one. `closes` says that a message ends in it.
    """

    entries: tuple[Entry, ...]
    ended: tuple[int, ...]
    passed: int
    begun: tuple[str, ...]
    closes: bool


class Shown:
    """What is shown of the texts of a language. Compared by identity.

    Shape: `headings` are the tokens that name entries, and `kinds` those of the nodes that are entries.
    """

    __slots__ = ("headings", "kinds", "nesting")

    def __init__(self, language: Language, headings: Mapping[Kind, Heading]) -> None:
        self.nesting: Final = language.nesting
        self.headings: Final = headings
        self.kinds: Final = {heading.node: heading.entry for heading in headings.values() if heading.node}


@lru_cache(maxsize=32)
def shown(language: Language, only_outermost: bool = False) -> Shown:
    """All entries, or only those that the outermost layer names, without arguments."""
    return Shown(language, language.outermost_headings if only_outermost else language.headings)


def outline(ask: Ask, only_outermost: bool = False) -> list[Entry]:
    """The entries of a document in the order of their starts; see `shown`."""
    what = shown(ask.language, only_outermost)
    found: list[Entry] = []
    # a message goes on over the sections after the one that it begins in
    running: int | None = None

    def end(number: int | None, at: int) -> None:
        if number is not None:
            found[number] = found[number]._replace(end=at)

    for looked, placed in enumerate(ask.document.placed()):
        if looked % _SECTIONS == 0:
            ask.pause()
        section, at = placed.section, placed.start
        if what.nesting.breaks_run(section.pieces):
            end(running, at)
            running = None
        deeper = running is not None
        going_on: list[int] = []
        open_kinds: list[str] = []
        closes = False
        for piece, of_piece in outlines_of_pieces(section, what):
            for place in of_piece.ended:
                end(going_on.pop(), at + place)
            for each in of_piece.entries:
                if each.end < 0:
                    going_on.append(len(found))
                found.append(_moved(each, at, deeper))
            del open_kinds[len(open_kinds) - of_piece.passed :]
            open_kinds += of_piece.begun
            closes = closes or of_piece.closes
            at += piece.length
        for number in going_on:
            end(number, at)
        if runs_on(open_kinds, what):
            running = going_on[0]
        elif closes:
            end(running, at)
            running = None
    end(running, len(ask.document))
    return found


def _moved(entry: Entry, by: int, deeper: bool) -> Entry:
    kind, name, detail, start, end, name_start, name_end, depth = entry
    return Entry(kind, name, detail, start + by, end + by, name_start + by, name_end + by, depth + deeper)


def outlines_of_pieces(section: Section, what: Shown) -> Iterator[tuple[Piece, PieceOutline]]:
    """The outline of each piece of a section; the same object for as long as it is the same."""
    pieces, walk, known = [*section.pieces], Nest(what.nesting), _known_outline(what)
    for number, piece in enumerate(pieces):
        if not section.is_long or len(walk.open) > _DEEP:
            # a short one is found again with its neighbours: remembered, all of them are ten times their text
            yield piece, _of_piece(piece, _ahead(pieces, number), walk, what)
            continue
        remembered, around = known(piece), (*walk.open,)
        for before, ahead, found in remembered:
            # the text after it is only in the names of its entries
            if before == around and (not found.entries or ahead == _ahead(pieces, number)):
                walk.pass_over(found.passed, found.begun)
                break
        else:
            ahead = _ahead(pieces, number)
            found = _of_piece(piece, ahead, walk, what)
            remembered[:] = [(around, ahead if found.entries else "", found)]
        yield piece, found


_Known = list[tuple[tuple[str, ...], str, PieceOutline]]


@lru_cache(maxsize=32)
def _known_outline(_: Shown) -> Query[Piece, _Known]:
    """The outline of a piece, with the nodes that are open before it and the text after it."""
    return Query("outline of a piece", lambda _: [])


def _ahead(pieces: Sequence[Piece], number: int) -> str:
    """The text after a piece in which the name of an entry may be continued."""
    found = ""
    while len(found) < _AHEAD and (number := number + 1) < len(pieces):
        found += pieces[number].text[: _AHEAD - len(found)]
    return found


def runs_on(open_kinds: Iterable[str], what: Shown) -> bool:
    """Whether the outermost of the entries that are open at the end of a section may go on after it."""
    return next((kind for kind in open_kinds if kind in what.kinds), "") in what.nesting.runs


def _of_piece(piece: Piece, ahead: str, walk: Nest, what: Shown) -> PieceOutline:
    nesting, of_nodes = what.nesting, what.kinds
    around = walk.count(of_nodes)
    nodes, passed = walk.take(piece.tokens)
    ended = [end for kind, end, _ in passed if kind in of_nodes]
    # where the entries end that are around a place, outermost first
    ends = [_FAR] * (around - len(ended)) + ended[::-1]
    spans = [*spans_of(piece.tokens)]
    entries: list[Entry] = []
    found_in_piece = _found(piece.text + ahead, spans, nodes, what.headings, of_nodes)
    for found in sorted(found_in_piece, key=_start):
        while ends and ends[-1] <= found.start:
            ends.pop()
        entries.append(found._replace(depth=len(ends)))
        ends.append(_FAR if found.end < 0 else found.end)
    closes = nesting.closes_run(piece)
    begun = tuple([node.kind for node in nodes if node.end < 0])
    return PieceOutline((*entries,), (*ended,), len(passed), begun, closes)


_start: Callable[[Entry], int] = attrgetter("start")


def _found(
    text: str,
    spans: Sequence[Span],
    nodes: Sequence[Node],
    headings: Mapping[Kind, Heading],
    kinds: Mapping[str, EntryKind],
) -> Iterator[Entry]:
    """The entries that begin in a piece, without their depths. Shape: `text` goes on after the piece."""
    latest: dict[str, int] = {}
    named: set[int] = set()
    ahead = 0
    for kind, start, end in spans:
        while ahead < len(nodes) and nodes[ahead].start <= start:
            latest[nodes[ahead].kind] = ahead
            ahead += 1
        heading = headings.get(kind)
        if heading is None:
            continue
        if not heading.node:
            yield Entry(heading.entry, *_title(heading, text, start, end), *_line(text, start, end), start, end)
            continue
        of_node = latest.get(heading.node)
        if of_node is not None and of_node not in named:
            named.add(of_node)
            node = nodes[of_node]
            yield Entry(heading.entry, *_title(heading, text, start, end), node.start, node.end, start, end)
    for number, node in enumerate(nodes):
        if number not in named and node.kind in kinds:
            yield Entry(kinds[node.kind], *Title(""), node.start, node.end, node.start, node.start)


def _title(heading: Heading, text: str, start: int, end: int) -> Title:
    """The name of an entry, from the text around its token: no more of it, wherever a piece ends."""
    first = max(start - _BEFORE, 0)
    return heading.title(text[first : end + _AHEAD], start - first, end - first)


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """The line of a token, without its line end."""
    newline = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, newline if newline >= 0 else len(text)
