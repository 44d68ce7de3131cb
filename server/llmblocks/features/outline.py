"""The outline of a document: messages, calls, arguments and blocks as a tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.headings import EntryKind, Heading, Title
from llmblocks.core.nest import Node, nest
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language


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
    depth: int


class SectionOutline(NamedTuple):
    """The entries of a section, places counted from its start.

    Shape: a message goes on over the sections behind the one that it begins in: `runs` says that the last entry of
           depth 0 does. `breaks` says that the section ends a message in front of it at its start, `closes` at its end.
    """

    entries: tuple[Entry, ...]
    runs: bool
    breaks: bool
    closes: bool


def outline(ask: Ask) -> list[Entry]:
    """The entries of a document in the order of their starts."""
    of_section = outline_of_section(ask.language)
    found: list[Entry] = []
    running: int | None = None

    def end(at: int) -> None:
        if running is not None:
            found[running] = found[running]._replace(end=at)

    for placed in ask.document.placed():
        start = placed.start
        entries, runs, breaks, closes = of_section(placed.section)
        if breaks:
            end(start)
            running = None
        deeper = running is not None
        top = len(found)
        for each in entries:
            if not each.depth:
                top = len(found)
            found.append(_moved(each, start, deeper))
        if runs:
            running = top
        elif closes:
            end(start + placed.section.length)
            running = None
    end(len(ask.document))
    return found


def _moved(entry: Entry, by: int, deeper: bool) -> Entry:
    kind, name, detail, start, end, name_start, name_end, depth = entry
    return Entry(kind, name, detail, start + by, end + by, name_start + by, name_end + by, depth + deeper)


@lru_cache(maxsize=16)
def outline_of_section(language: Language) -> Query[Section, SectionOutline]:
    """The outline of each section of a language."""
    return Query("outline", lambda section: _of_section(section, language))


def _of_section(section: Section, language: Language) -> SectionOutline:
    nesting = language.nesting
    spans = [*section.spans()]
    first = next((span.kind for span in spans if span.kind not in nesting.leads), None)
    closes = any(nesting.closes.get(span.kind) in nesting.runs for span in spans)
    nodes = nest(section, nesting)
    entries: list[Entry] = []
    ends: list[int] = []
    runs = False
    for found in sorted(_found(section.text, spans, nodes, language.headings), key=lambda each: each.start):
        while ends and ends[-1] <= found.start:
            ends.pop()
        if not ends:
            node = found.node
            runs = node is not None and node.kind in nesting.runs and not node.closed and node.end == section.length
        kind, title, start, end, name_start, name_end, _ = found
        entries.append(Entry(kind, *title, start, end, name_start, name_end, len(ends)))
        ends.append(end)
    return SectionOutline((*entries,), runs, first in nesting.breaks, closes)


class _Found(NamedTuple):
    """An entry, and its node if it has one."""

    kind: EntryKind
    title: Title
    start: int
    end: int
    name_start: int
    name_end: int
    node: Node | None


def _found(
    text: str, spans: Sequence[Span], nodes: Sequence[Node], headings: Mapping[Kind, Heading]
) -> Iterator[_Found]:
    kinds = {heading.node: heading.entry for heading in headings.values()}
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
            yield _Found(heading.entry, heading.title(text, start, end), *_line(text, start, end), start, end, None)
            continue
        of_node = latest.get(heading.node)
        if of_node is not None and of_node not in named:
            named.add(of_node)
            node = nodes[of_node]
            yield _Found(heading.entry, heading.title(text, start, end), node.start, node.end, start, end, node)
    for number, node in enumerate(nodes):
        if number not in named and node.kind in kinds:
            yield _Found(kinds[node.kind], Title(""), node.start, node.end, node.start, node.start, node)


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """The line of a token, without its line end."""
    newline = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, newline if newline >= 0 else len(text)
