"""The outline of a document, and the names to search for in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from llmblocks.contract.headings import EntryKind, Heading
from llmblocks.core.nest import Nesting, Node, is_open, nest
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.core.sequence import Block
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_SECTIONS = 128
"""The number of sections read between two pauses."""
_BEFORE, _AHEAD = 256, 2048
"""The most text before a name and after it from which the title of an entry is made."""


class Entry(NamedTuple):
    """An entry of an outline, in code points."""

    kind: EntryKind
    name: str
    """May be empty."""
    detail: str
    start: int
    end: int
    name_start: int
    """The start of the text that names it."""
    name_end: int
    depth: int = 0
    """The number of entries around it."""


class SectionOutline(NamedTuple):
    """The entries of a section, in the order of their starts. Places count from the start of the section."""

    entries: tuple[Entry, ...]
    running: int | None
    """The index of the entry that may continue after the section, or None."""
    begins: bool
    """Whether an entry that spans sections ends at the start of this one."""
    closes: bool
    """Whether such an entry ends in this one."""


@lru_cache(maxsize=32)
def outline_of(language: Language, only_outermost: bool = False) -> Query[Section, SectionOutline]:
    """Return the query for the entries of a section: all, or those of the outermost layer without arguments."""
    headings = language.outermost_headings if only_outermost else language.headings
    kinds = {heading.node: heading.entry for heading in headings.values() if heading.node}
    return Query("outline", lambda section: _of_section(section, language.nesting, headings, kinds))


@lru_cache(maxsize=32)
def entry_count(language: Language, only_outermost: bool) -> Query[Block, int]:
    """Return the query for the number of entries in a block of sections; see `outline_of`."""
    find = outline_of(language, only_outermost)
    return Query("number of entries", lambda block: sum([len(find(section).entries) for section in block]))


def outline(ask: Ask, only_outermost: bool = False) -> list[Entry]:
    """Return the entries of a document in the order of their starts; see `outline_of`."""
    find = outline_of(ask.language, only_outermost)
    found: list[Entry] = []
    # a message continues over the sections after its own
    running: int | None = None

    def end(at: int) -> None:
        nonlocal running
        if running is not None:
            found[running] = found[running]._replace(end=at)
            running = None

    for looked, placed in enumerate(ask.document.placed()):
        if looked % _SECTIONS == 0:
            ask.pause()
        own = find(placed.section)
        if own.begins:
            end(placed.start)
        first, deeper = len(found), running is not None
        found += [_moved(each, placed.start, deeper) for each in own.entries]
        if own.running is not None:
            running = first + own.running
        elif own.closes:
            end(placed.end)
    end(len(ask.document))
    return found


def _moved(entry: Entry, by: int, deeper: bool) -> Entry:
    kind, name, detail, start, end, name_start, name_end, depth = entry
    return Entry(kind, name, detail, start + by, end + by, name_start + by, name_end + by, depth + deeper)


def _of_section(
    section: Section, nesting: Nesting, headings: Mapping[Kind, Heading], kinds: Mapping[str, EntryKind]
) -> SectionOutline:
    nodes = nest(section, nesting)
    entries: list[Entry] = []
    ends: list[int] = []
    for found in sorted(_found(section.text, [*section.spans()], nodes, headings, kinds), key=_start):
        while ends and ends[-1] <= found.start:
            ends.pop()
        entries.append(found._replace(depth=len(ends)))
        ends.append(found.end)
    open_node = next((node for node in nodes if is_open(node, section) and node.kind in kinds), None)
    running = None
    if open_node is not None and open_node.kind in nesting.runs:
        running = next(
            number for number, each in enumerate(entries) if each.start == open_node.start and each.depth == 0
        )
    return SectionOutline((*entries,), running, nesting.breaks_run(section), nesting.closes_run(section))


_start: Callable[[Entry], int] = attrgetter("start")


def _found(
    text: str,
    spans: Sequence[Span],
    nodes: Sequence[Node],
    headings: Mapping[Kind, Heading],
    kinds: Mapping[str, EntryKind],
) -> Iterator[Entry]:
    """Yield the entries of a section, without their depths."""
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
            yield _entry(heading, text, start, end, *_line(text, start, end))
            continue
        of_node = latest.get(heading.node)
        if of_node is not None and of_node not in named:
            named.add(of_node)
            node = nodes[of_node]
            yield _entry(heading, text, start, end, node.start, node.end)
    for number, node in enumerate(nodes):
        if number not in named and node.kind in kinds:
            yield Entry(kinds[node.kind], "", "", node.start, node.end, node.start, node.start)


def _entry(heading: Heading, text: str, start: int, end: int, whole: int, stop: int) -> Entry:
    """Return an entry from `whole` to `stop`. The text around a token gives its title."""
    first = max(start - _BEFORE, 0)
    name, detail, kind = heading.title(text[first : end + _AHEAD], start - first, end - first)
    return Entry(kind or heading.entry, name, detail, whole, stop, start, end)


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    newline = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, newline if newline >= 0 else len(text)


EXACT, PREFIX, WORD, LETTERS = range(4)
"""The ways in which a name fits, best first: all of it, its beginning, that of a word in it, letters in their order."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")

Rank = tuple[int, int, str]
"""The sort key of a name: the way in which it fits, then the shorter, then by letters."""


class Landmark(NamedTuple):
    """A name to search for, with its place in the document."""

    kind: str
    name: str
    start: int
    end: int


def ranking(typed: str) -> Callable[[str], Rank | None]:
    """Return the function that ranks names against a query, ignoring white space and case; None for no match."""
    wanted = "".join(typed.lower().split())
    letters = re.compile(".*?".join(map(re.escape, wanted)), re.DOTALL)

    def rank(name: str) -> Rank | None:
        lower = name.lower()
        if lower.startswith(wanted):
            return EXACT if lower == wanted else PREFIX, len(name), name
        if letters.search(lower) is None:
            return None
        begins = wanted in lower and any(lower.startswith(wanted, word.start()) for word in _WORDS.finditer(name))
        return WORD if begins else LETTERS, len(name), name

    return rank


def landmarks(ask: Ask) -> Iterator[Landmark]:
    at = 0
    for number, section in enumerate(ask.document.sections):
        if number % _SECTIONS == 0:
            ask.pause()
        for role, kind, name, start, end in ask.language.stored(section):
            if role == "definition" and kind in ask.language.findable and name:
                yield Landmark(kind, name, at + start, at + end)
        at += section.length
