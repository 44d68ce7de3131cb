"""The diagnostics of a document, as values of the protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from llmblocks.contract.markup import prose
from llmblocks.core.places import order
from llmblocks.core.query import Query
from llmblocks.facts.finding import PAGES, Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.languages.ask import SectionFindings
from llmblocks.lsp.documents.cursor import Cursor
from llmblocks.lsp.documents.locations import located

if TYPE_CHECKING:
    from llmblocks.core.document import Change, Document
    from llmblocks.core.index import Index
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Placed
    from llmblocks.lsp.documents.columns import ClientPositions, Encoding
    from llmblocks.rules.checker import Checker
    from llmblocks.rules.name_findings import NamedFinding, NameFindings
    from llmblocks.rules.silences import Silences

Json = Any
_ARRIVING = FindingMessage("still arriving", "the file grows, and what is incomplete is checked later")
_UNNECESSARY, _DEPRECATED = 1, 2
ALL_TAGS: Final = frozenset((_UNNECESSARY, _DEPRECATED))
TOP: Final[Json] = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


class DocumentDiagnostics:
    """The diagnostics of one document."""

    def __init__(
        self,
        check: Checker,
        names: NameFindings | None,
        document: Document,
        positions: ClientPositions,
        uri: str,
        most: int,
    ) -> None:
        self._check = check
        self._document = document
        self._names = names
        self._positions = positions
        self._uri = uri
        self._most = most
        self._signed = dict.fromkeys(check.signed(document.sections))
        """The sections with comments that silence something."""
        self._silences: Silences | None = None
        self._arriving = False
        self._stale = True
        self._items: list[Json] = []
        self._places = _places_of(check, positions.encoding)

    def index(self) -> Index | None:
        """The names of the document, if a rule needs them."""
        return self._names.index if self._names else None

    def note(self, change: Change) -> None:
        """Register an edit of the document."""
        self._stale = True
        for section in change.removed if self._signed else ():
            self._signed.pop(section, None)
        self._signed.update(dict.fromkeys(self._check.signed(change.added)))
        if self._names is not None:
            self._names.note(change)

    def arrive(self, *, arriving: bool) -> bool:
        """Register whether the end of the document is still being written; returns whether a diagnostic may change."""
        changes = arriving or self._arriving
        self._stale, self._arriving = self._stale or changes, arriving
        return changes

    def other_files_changed(self, names: Mapping[str, set[str]] | None) -> bool:
        """Check names again because other files have changed; returns whether a diagnostic changes."""
        changes = self._names is not None and self._names.other_files_changed(names)
        self._stale = self._stale or changes
        return changes

    def places_moved(self, files: Collection[str]) -> bool:
        """Look again for the places in some other files; returns whether a diagnostic changes."""
        changes = self._names is not None and self._names.places_moved(files)
        self._stale = self._stale or changes
        return changes

    def items(self) -> list[Json]:
        """All diagnostics, as many as may be shown, and one that says how many more there are."""
        if self._stale:
            self._refresh()
            self._items = [*self._made()]
            self._stale = False
        return self._items

    def findings(self, start: int, end: int) -> list[Finding]:
        """The findings that touch a stretch of text, in order, places counted from the start of the document."""
        self._refresh()
        found: list[Finding] = []
        for placed in self._document.onward(max(start - 1, 0)):
            if placed.start > end:
                break
            found += self._in_section(placed)
        found += self._own
        return sorted([each for each in found if each.start <= end and each.end >= start], key=order)

    def all_findings(self) -> Iterator[SectionFindings]:
        """The findings of each section that has some, but for those of comments."""
        self._refresh()
        for placed in self._document.with_findings(self._by_section.keys()):
            if found := self._in_section(placed):
                yield SectionFindings(placed, found)

    def count(self) -> int:
        """The number of findings, as of the last look."""
        count = self._document.sections.finding_count + (self._names.count if self._names else 0)
        return count + len(self._own) - (self._silences.hidden if self._silences else 0)

    @property
    def _own(self) -> Sequence[Finding]:
        """The findings about comments."""
        return self._silences.findings if self._silences else ()

    @property
    def _by_section(self) -> Mapping[Section, tuple[NamedFinding, ...]]:
        return self._names.by_section if self._names else {}

    def _refresh(self) -> None:
        if self._stale:
            self._silences = self._check.silences(self._document, self._signed, self._names)

    def _in_section(self, placed: Placed) -> list[Finding]:
        """The findings in a section that no comment silences, places counted from the start of the document."""
        found = [each.moved(placed.start) for each in self._check.findings(placed.section)]
        if self._names is not None:
            found += [self._names.placed(each) for each in self._by_section.get(placed.section, ())]
        return [each for each in found if self._silences is None or not self._silences.hides(each.code, each.start)]

    def _made(self) -> Iterator[Json]:
        unfinished = self._unfinished() if self._arriving else None
        own = [*reversed(self._own)]
        left = self._most
        others: Set[Section] = self._by_section.keys()
        if own:
            others = others | {self._document.section_at(each.start).section for each in own}
        for placed in self._document.with_findings(others):
            if unfinished is not None and placed.start >= unfinished.start:
                break
            found = [*self._in_place(placed)]
            while own and own[-1].start < placed.end:
                finding = own.pop()
                found.append((finding, self._written(finding)))
            found.sort(key=lambda pair: order(pair[0]))
            yield from [item for _, item in found[:left]]
            if len(found) > left:
                yield notice(not_shown(self.count() - self._most), Severity.INFORMATION, placed.line + placed.returns)
                break
            left -= len(found)
        if unfinished is not None:
            yield notice(_ARRIVING, Severity.HINT, unfinished.line + unfinished.returns)

    def _in_place(self, placed: Placed) -> Iterator[tuple[Finding, Json]]:
        """The findings in a section that no comment silences, each with its diagnostic."""
        section, start, line, returns, _ = placed
        found = self._check.findings(section)
        if found:
            line += returns
            column = 0 if self._document.sections.begins_line(placed) else self._positions.position(start)[1]
            for finding, places in zip(found, self._places(section), strict=True):
                if self._silences is None or not self._silences.hides(finding.code, start + finding.start):
                    ranges = [_range(places[at : at + 4], line, column) for at in range(0, len(places), 4)]
                    related = zip(ranges[1:], [each.message for each in finding.related], strict=True)
                    yield finding.moved(start), self._diagnostic(finding, ranges[0], related)
        for named in self._by_section.get(section, ()):
            assert self._names is not None, "the findings come from it"
            at = start + named.start
            if self._silences is None or not self._silences.hides(named.code, at):
                finding = self._names.placed(named)
                yield finding, self._written(finding)

    def _written(self, finding: Finding) -> Json:
        """The diagnostic of a finding, by its places in the document."""
        related = [(self._span(each.start, each.end), each.message) for each in finding.related]
        return self._diagnostic(finding, self._span(finding.start, finding.end), related)

    def _diagnostic(self, finding: Finding, span: Json, related: Iterable[tuple[Json, str]]) -> Json:
        item = diagnostic(finding, span)
        places = [{"location": {"uri": self._uri, "range": each}, "message": message} for each, message in related]
        places += [
            {"location": located(place, self._positions.encoding), "message": message}
            for place, message in finding.elsewhere
        ]
        if places:
            item["relatedInformation"] = places
        return item

    def _span(self, start: int, end: int) -> Json:
        (line, character), (last, stop) = self._positions.position(start), self._positions.position(end)
        return {"start": {"line": line, "character": character}, "end": {"line": last, "character": stop}}

    def _unfinished(self) -> Placed | None:
        """The last section, if what it says is not complete."""
        from llmblocks.settings.rule_names import BY_CODE

        last = self._document.sections.at(len(self._document))
        codes = [each.code for each in self._check.findings(last.section)]
        codes += [each.code for each in self._by_section.get(last.section, ())]
        return last if any(BY_CODE[code].unfinished for code in codes) else None


@lru_cache(maxsize=8)
def _places_of(check: Checker, encoding: Encoding) -> Query[Section, list[Sequence[int]]]:
    """Line and character of both ends of each finding of a section and of its related places, from its start."""

    def of(section: Section) -> list[Sequence[int]]:
        cursor, other = Cursor(section, encoding), Cursor(section, encoding)
        return [
            (
                *cursor.place(finding.start),
                *cursor.place(finding.end),
                *[number for each in finding.related for at in (each.start, each.end) for number in other.place(at)],
            )
            for finding in check.findings(section)
        ]

    return Query("places of findings", of)


def _range(places: Sequence[int], line: int, column: int) -> Json:
    """A range in a section that begins at a line and column."""
    first, start, last, end = places
    return {
        "start": {"line": line + first, "character": start if first else column + start},
        "end": {"line": line + last, "character": end if last else column + end},
    }


def not_shown(count: int) -> FindingMessage:
    """The message about the findings that are not shown."""
    findings = "1 more finding is" if count == 1 else f"{count} more findings are"
    return FindingMessage(f"{findings} not shown", help="fix some, or raise llmblocks.diagnostics.maxPerDocument")


def diagnostic(finding: Finding, span: Json) -> Json:
    """A diagnostic at a range, without other places."""
    item = {
        "range": span,
        "codeDescription": {"href": f"{PAGES}{finding.code}.md"},
        "severity": int(finding.severity),
        "code": finding.code,
        "source": "llmblocks",
    }
    tags = [_UNNECESSARY] * finding.unnecessary + [_DEPRECATED] * finding.deprecated
    if tags:
        item["tags"] = tags
    item["message"] = finding.message.lines
    return item


def notice(message: FindingMessage, severity: Severity, line: int = 0) -> Json:
    """A diagnostic of the server itself, at the start of a line."""
    here = {"line": line, "character": 0}
    return {
        "range": {"start": here, "end": here},
        "severity": int(severity),
        "source": "llmblocks",
        "message": message.lines,
    }


def without_lines(items: list[Json], lines: Collection[int]) -> list[Json]:
    """Diagnostics without those that begin on some lines of the client or reach into them."""
    return [each for each in items if not any(_touches(each["range"], line) for line in lines)]


def _touches(span: Json, line: int) -> bool:
    end = span["end"]
    return bool(span["start"]["line"] == line or (end["line"] == line and end["character"] > 0))


def with_known_tags(items: list[Json], known: frozenset[int]) -> list[Json]:
    """Diagnostics without the tags that a client does not know."""
    return items if known >= ALL_TAGS else [_with_known_tags(each, known) for each in items]


def with_markup(items: list[Json]) -> list[Json]:
    """Diagnostics whose messages are Markdown: a paragraph for each line."""
    return [{**each, "message": {"kind": "markdown", "value": _marked(each["message"])}} for each in items]


def _marked(message: str) -> str:
    headline, *rest = map(prose, message.split("\n"))
    return "\n\n".join([f"**{headline}**", *rest])


def _with_known_tags(item: Json, known: frozenset[int]) -> Json:
    if "tags" not in item:
        return item
    tags = [each for each in item["tags"] if each in known]
    rest = {name: value for name, value in item.items() if name != "tags"}
    return {**rest, "tags": tags} if tags else rest
