"""An editable text, with its tokens and sections kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from typing import Any, NamedTuple

from llmblocks.core.scan import Scanner, Token, canonical
from llmblocks.core.section import Section
from llmblocks.core.sequence import Placed, Sections

CountFindings = Callable[[Section], int]


class Change(NamedTuple):
    """The sections that an edit changed."""

    removed: list[Section]
    added: list[Section]
    start: int
    """The start of the first one, in code points."""


class Document:
    """A text as a sequence of sections.

    An edit scans the sections that it touches again, and continues until the scanner's state agrees with the old one.
    Every other section stays the same object.

    Places are code points, and `\\n` alone ends a line. `count_findings` counts the findings of every new section.
    """

    __slots__ = ("_count_findings", "_scanner", "_sections")

    def __init__(self, scanner: Scanner, text: str = "", count_findings: CountFindings = lambda _: 0) -> None:
        self._scanner = scanner
        self._count_findings = count_findings
        found, _ = scanned(scanner, text, scanner.initial, final=True)
        sections = found or [self._empty()]
        for section in sections:
            section.finding_count = count_findings(section)
            # few sections of a newly opened text are queried again
            section.memory = None
        self._sections = Sections(sections)

    def __len__(self) -> int:
        return self._sections.length

    @property
    def scanner(self) -> Scanner:
        return self._scanner

    @property
    def text(self) -> str:
        return "".join([section.text for section in self._sections])

    @property
    def sections(self) -> Sections:
        return self._sections

    @property
    def end_state(self) -> Any:
        """The scanner's state at the end of the text, which shows the constructs that are still open."""
        return self._sections[-1].after

    def tokens(self) -> list[Token]:
        """Return all tokens in order, with split tokens joined."""
        return canonical([token for section in self._sections for token in section.tokens])

    def section_at(self, offset: int) -> Placed:
        """Return the section at `offset`, with its place."""
        return self._sections.at(offset)

    def placed(self) -> Iterator[Placed]:
        """Return all sections with their places."""
        return self._sections.all()

    def onward(self, offset: int) -> Iterator[Placed]:
        """Return the section at a place, and those after it."""
        return map(self._sections.placed, range(self._sections.at(offset).number, len(self._sections)))

    def backward(self, offset: int) -> Iterator[Placed]:
        """Return the section at a place, and those before it, nearest first."""
        return map(self._sections.placed, range(self._sections.at(offset).number, -1, -1))

    def slice(self, start: int, end: int) -> str:
        """Return the text between two places."""
        start, end = max(start, 0), min(end, len(self))
        inside = takewhile(lambda placed: placed.start < end, self.onward(start))
        return "".join([section.text[max(start - at, 0) : end - at] for section, at, *_ in inside])

    def line_at(self, offset: int) -> tuple[int, int]:
        """Return the start of the line of a place, and that of the next line; the end of the text without one."""
        offset = min(max(offset, 0), len(self))
        before = ((section.text.rfind("\n", 0, max(offset - at, 0)), at) for section, at, *_ in self.backward(offset))
        after = ((section.text.find("\n", max(offset - at, 0)), at) for section, at, *_ in self.onward(offset))
        start = next((at + found + 1 for found, at in before if found >= 0), 0)
        return start, next((at + found + 1 for found, at in after if found >= 0), len(self))

    def edit(self, start: int, end: int, text: str) -> Change:
        """Replace the text from `start` to `end`, clamped to the text, with `text`."""
        sections = self._sections
        start = min(max(start, 0), len(self))
        end = min(max(end, start), len(self))
        first = sections.at(start)
        last = sections.at(max(end - 1, start)).number
        step = 1
        while True:
            # a decision depends on the rest of its line: begin and end at line starts
            while first.number and not sections[first.number - 1].text.endswith("\n"):
                first = sections.placed(first.number - 1)
            while last + 1 < len(sections) and not sections[last].text.endswith("\n"):
                last += 1
            old = [*islice(sections.onward(first.number), last + 1 - first.number)]
            was = "".join([section.text for section in old])
            new = was[: start - first.start] + text + was[end - first.start :]
            is_end = last + 1 == len(sections)
            if not is_end and new and not new.endswith("\n"):
                last += 1
                continue
            found, is_head = scanned(self._scanner, new, old[0].before, final=is_end)
            if first.number and (not is_head or (is_end and not found)):
                # the text continues the section before it
                first = sections.placed(first.number - 1)
                continue
            state = found[-1].after if found else old[0].before
            if is_end or state == sections[last + 1].before:
                break
            last = min(last + step, len(sections) - 1)
            step *= 2
        if not found and len(old) == len(sections):
            found = [self._empty()]
        for section in found:
            section.finding_count = self._count_findings(section)
        sections.replace(first.number, last + 1, found)
        return Change(old, found, first.start)

    def _empty(self) -> Section:
        return Section("", (), self._scanner.initial, self._scanner.initial, is_last=True)


def scanned(scanner: Scanner, text: str, state: Any, *, final: bool) -> tuple[list[Section], bool]:
    """Scan a text from a line start to a line start or, if `final`, to the end of the document.

    Returns:
        The sections, and whether one begins at the start; otherwise the first continues the section before it.
    """
    found: list[Section] = []
    is_head = True
    scan, at, size = scanner.scan, 0, len(text)
    start, before, tokens = 0, state, list[Token]()
    while at < size:
        made, end, after, head, cuts = scan(text, at, size, state, final)
        assert end > at, "a scanner takes all text up to a line start"
        if not at:
            is_head = head
        elif head:
            found.append(Section(text[start:at], tokens, before, state))
            start, before, tokens = at, state, []
        first = 0
        for offset, token, between in cuts:
            found.append(Section(text[start:offset], [*tokens, *made[first:token]], before, between))
            start, before, tokens, first = offset, between, [], token
        tokens = [*tokens, *made[first:]]
        at, state = end, after
    if size:
        found.append(Section(text[start:], tokens, before, state, is_last=final))
    return found, is_head
