"""Findings as diagnostics, written as JSON text by hand: a keystroke must not pay for those that did not change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.finding import Finding, Severity
from llmblocks.lsp.places import Place, Places, SectionPlaces
from llmblocks.lsp.rpc import encode

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Placed

DOCS = "https://github.com/llmblocks/llmblocks/blob/main/docs/rules/"
_UNNECESSARY = 1
Check = Callable[["Section"], Sequence[Finding]]


class Drawn(NamedTuple):
    """A finding as its section sees it: two places, and what follows them in the JSON.

    Shape: `related` holds places too, so that they move with the section; each with its message as JSON.
    """

    start: Place
    end: Place
    rest: str
    related: tuple[tuple[Place, Place, str], ...]


def draw(section: Section, findings: Sequence[Finding], places: SectionPlaces) -> list[Drawn]:
    """All that can be written of a section's findings without knowing where the section stands."""
    return [
        Drawn(
            places.place(section, finding.start),
            places.place(section, finding.end),
            _rest(finding),
            tuple(
                (places.place(section, other.start), places.place(section, other.end), _text(other.message))
                for other in finding.related
            ),
        )
        for finding in findings
    ]


def write(drawn: Sequence[Drawn], line: int, character: int, uri: str) -> str:
    """Diagnostics separated by commas, for a section that starts at this line and character. Shape: `uri` is JSON."""
    return ",".join(
        f'{{"range":{_range(each.start, each.end, line, character)},{each.rest}'
        + (_related(each, line, character, uri) if each.related else "}")
        for each in drawn
    )


def write_one(finding: Finding, where: str) -> str:
    """A diagnostic at a range that is JSON already."""
    return f'{{"range":{where},{_rest(finding)}}}'


def notice(message: str, severity: Severity, line: int = 0) -> str:
    """A diagnostic of the server itself, at the start of a line."""
    here = f'{{"line":{line},"character":0}}'
    return (
        f'{{"range":{{"start":{here},"end":{here}}},"severity":{int(severity)},"source":"llmblocks",'
        f'"message":{_text(message)}}}'
    )


def _range(start: Place, end: Place, line: int, character: int) -> str:
    start_character = start.character + character if start.line == 0 else start.character
    end_character = end.character + character if end.line == 0 else end.character
    return (
        f'{{"start":{{"line":{line + start.line},"character":{start_character}}},'
        f'"end":{{"line":{line + end.line},"character":{end_character}}}}}'
    )


def _rest(finding: Finding) -> str:
    tags = f'"tags":[{_UNNECESSARY}],' if finding.unnecessary else ""
    code = finding.code
    return (
        f'"severity":{int(finding.severity)},"code":{_text(code)},"codeDescription":{{"href":"{DOCS}{code}.md"}},'
        f'"source":"llmblocks",{tags}"message":{_text(finding.message)}'
    )


def _related(drawn: Drawn, line: int, character: int, uri: str) -> str:
    items = ",".join(
        f'{{"location":{{"uri":{uri},"range":{_range(start, end, line, character)}}},"message":{message}}}'
        for start, end, message in drawn.related
    )
    return f',"relatedInformation":[{items}]}}'


def _text(value: str) -> str:
    return encode(value).decode("ascii")


class _Written:
    """What was last written for a section: most keystrokes leave most sections where they were."""

    __slots__ = ("character", "drawn", "json", "line")

    def __init__(self, drawn: list[Drawn]) -> None:
        self.drawn = drawn
        self.line = self.character = -1
        self.json = ""


class Writer:
    """Writes the diagnostics of one document.

    Shape: `check` gives the findings of a section; what is drawn of them is remembered on the section.
    """

    def __init__(self, check: Check, places: Places, uri: str) -> None:
        self._check = check
        self._places = places
        self._uri = _text(uri)
        self._sections = SectionPlaces(places.encoding)

    def write(self, document: Document, most: int) -> str:
        """All diagnostics separated by commas, at most so many, and one that says how many more there are."""
        parts, left, character = [], most, 0
        for placed in document.flagged():
            section = placed.section
            written = section.remember(self._draw)
            if not written.drawn:
                continue
            line = placed.line + placed.returns
            if written.drawn[0].start.line == 0:
                character = self._start_character(document, placed)
            if left < len(written.drawn):
                if left:
                    parts.append(write(written.drawn[:left], line, character, self._uri))
                more = document.sections.weight - most
                message = (
                    f"{more} more findings are not shown — mend some, or raise llmblocks.diagnostics.maxPerDocument"
                )
                parts.append(notice(message, Severity.INFORMATION, line))
                break
            if written.line != line or written.character != character:
                written.line, written.character = line, character
                written.json = write(written.drawn, line, character, self._uri)
            parts.append(written.json)
            left -= len(written.drawn)
        return ",".join(parts)

    def _draw(self, section: Section) -> _Written:
        return _Written(draw(section, self._check(section), self._sections))

    def _start_character(self, document: Document, placed: Placed) -> int:
        start = placed.start
        if start == 0 or document.slice(start - 1, start) == "\n":
            return 0
        return self._places.position(start)[1]
