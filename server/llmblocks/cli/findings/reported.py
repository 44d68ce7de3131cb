"""Findings with their lines and columns, as plain values: they pass between processes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.source import InputError, SourceFile
from llmblocks.facts.fingerprint import FINGERPRINT
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.rules.check import Region

if TYPE_CHECKING:
    from llmblocks.core.edits import Edit
    from llmblocks.core.lines import Lines
    from llmblocks.facts.finding import Finding
    from llmblocks.rules.fix import Fix

_MOST_BEFORE = _MOST_BEHIND = 400
_LINE_END = re.compile(r"[\r\n]")


class Excerpt(NamedTuple):
    """The line on which a span starts, cut far from the span."""

    before: str
    """The text of the line before the span, which ends with the line."""
    text: str
    behind: str
    """The text of the line after the span."""
    cut: tuple[bool, bool] = (False, False)
    """Whether text is missing before and after it."""


class RelatedPlace(NamedTuple):
    path: str | None
    """None for the file of the finding."""
    span: Region
    message: str
    excerpt: Excerpt | None = None


class Remedy(NamedTuple):
    title: str
    safe: bool
    edits: tuple[tuple[Region, str], ...] = ()
    """Stretches of the file, each with its new text."""

    @classmethod
    def of(cls, fix: Fix, edits: Iterable[Edit], lines: Lines) -> Remedy:
        """Return a fix with edits of a file, given its lines."""
        return cls(fix.title, fix.safe, tuple([(Region.of(lines, start, end), text) for start, end, text in edits]))

    def moved(self, by: int, lines: int) -> Remedy:
        """Return the same fix after other lines of its file. See `Region.moved`."""
        return self._replace(edits=tuple([(span.moved(by, lines), text) for span, text in self.edits]))


class Reported(NamedTuple):
    """A finding in a file, or, without a code, the reason why it could not be checked."""

    path: str
    language_id: str
    code: str
    severity: Severity
    message: FindingMessage
    span: Region
    related: tuple[RelatedPlace, ...] = ()
    excerpt: Excerpt | None = None
    """Set, like `remedy`, if the output format shows it."""
    remedy: Remedy | None = None
    fingerprint: str = ""
    is_known: bool = False

    def moved(self, by: int, lines: int) -> Reported:
        """Return the same finding after other lines of its file. See `Region.moved`."""
        related = [
            each if each.path is not None else each._replace(span=each.span.moved(by, lines)) for each in self.related
        ]
        remedy = self.remedy and self.remedy.moved(by, lines)
        return self._replace(span=self.span.moved(by, lines), related=(*related,), remedy=remedy)


def reported(
    path: str, language_id: str, finding: Finding, lines: Lines, text: str | None = None, remedy: Remedy | None = None
) -> Reported:
    """Return a finding for the report. With the `text` of the file, it has excerpts."""

    def excerpt(span: Region) -> Excerpt | None:
        return None if text is None else _excerpt(text, span)

    here = Region.of(lines, finding.start, finding.end)
    places = []
    for each in finding.related:
        span = Region.of(lines, each.start, each.end)
        places.append(RelatedPlace(None, span, each.message, excerpt(span)))
    for place, message in finding.elsewhere:
        shown = Excerpt(place.before[-_MOST_BEFORE:], place.text, "")
        places.append(RelatedPlace(place.file, Region.elsewhere(place), message, shown))
    code, severity, said = finding.code, finding.severity, finding.message
    fingerprint = str(finding.data.get(FINGERPRINT, ""))
    return Reported(path, language_id, code, severity, said, here, (*places,), excerpt(here), remedy, fingerprint)


def unread(source: SourceFile | InputError, error: str) -> Reported:
    """Return the entry for a file that could not be checked."""
    language_id = "" if isinstance(source, InputError) else source.language_id
    message = error.removeprefix(f"{source.name}: ")
    return Reported(source.name, language_id, "", Severity.ERROR, FindingMessage(message), Region(0, 0, 1, 1, 1, 1))


def _excerpt(text: str, span: Region) -> Excerpt:
    line_start = span.start - span.column + 1
    first = max(line_start, span.start - _MOST_BEFORE)
    limit = min(len(text), max(span.start, min(span.end, span.start + _MOST_BEHIND)) + _MOST_BEHIND)
    found = _LINE_END.search(text, span.start, limit)
    last = found.start() if found else limit
    end = min(span.end, last)
    cut = first > line_start, found is None and limit < len(text)
    return Excerpt(text[first : span.start], text[span.start : end], text[end:last], cut)
