"""The findings of a document, and their diagnostics for a client."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from llmblocks.contract.markup import prose
from llmblocks.core.places import order
from llmblocks.facts.finding import Finding
from llmblocks.facts.fingerprint import FINGERPRINT
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.languages.ask import SectionFindings
from llmblocks.lsp.documents.places import Encoding, Kept, Places, SectionPlaces, located
from llmblocks.lsp.wire.values import Diagnostic, Range, RelatedInformation
from llmblocks.settings.rule_names import page_of

if TYPE_CHECKING:
    from llmblocks.core.document import Change, Document
    from llmblocks.core.index import Index
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Block, Placed
    from llmblocks.rules.checker import Checker
    from llmblocks.rules.name_findings import NamedFinding, NameFindings
    from llmblocks.rules.silences import Silences
    from llmblocks.settings.baseline import Baseline

_ARRIVING = FindingMessage("still arriving", "the file grows, and what is incomplete is checked later")
_UNNECESSARY, _DEPRECATED = 1, 2
TOP: Final[Range] = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
_Order = tuple[int, int, str]


class DocumentDiagnostics:
    """The findings of one document, and its diagnostics, which have a `uri`.

    `touched` are the names that edits have added or removed since it was last cleared, by kind.
    """

    def __init__(
        self, check: Checker, names: NameFindings | None, document: Document, encoding: Encoding, uri: str, most: int
    ) -> None:
        self.touched: dict[str, set[str]] = {}
        self.edited = False
        self._check = check
        self._document = document
        self._names = names
        self._encoding: Encoding = encoding
        self._uri = uri
        self._most = most
        self._signed = dict.fromkeys(check.signed(document.sections))
        """The sections with comments that silence something."""
        self._silences: Silences | None = None
        self._arriving = False
        self._stale = True
        self._key: object = None
        self._items: list[Diagnostic] = []
        self._of_block = Kept("diagnostics of a block")
        self._of_section = Kept("diagnostics of a section")

    def index(self) -> Index | None:
        """Return the names of the document, if a rule needs them."""
        return self._names.index if self._names else None

    def note(self, change: Change) -> None:
        self._stale = self.edited = True
        for section in change.removed if self._signed else ():
            self._signed.pop(section, None)
        self._signed.update(dict.fromkeys(self._check.signed(change.added)))
        for kind, names in (self._names.note(change) if self._names is not None else {}).items():
            self.touched.setdefault(kind, set()).update(names)

    def arrive(self, *, arriving: bool) -> bool:
        """Register whether the end of the document is still being written; return whether a diagnostic may change."""
        was_arriving, self._arriving = self._arriving, arriving
        return self._changes(arriving or was_arriving)

    def other_files_changed(self) -> bool:
        """Check names again after changes of other files; return whether a diagnostic changed."""
        return self._changes(self._names is not None and self._names.other_files_changed())

    def _changes(self, changes: bool) -> bool:
        self._stale = self._stale or changes
        return changes

    def items(self, places: Places) -> list[Diagnostic]:
        """Return the diagnostics up to the limit, and one with the number of the others."""
        if self._stale or (self._items and self._key != places.key):
            self._refresh()
            self._items = [*self._made(places)]
            self._stale, self._key = False, places.key
        return self._items

    def findings(self, start: int, end: int) -> list[Finding]:
        """Return the findings that touch a stretch of text, in order. Places count from the start of the document."""
        self._refresh()
        found: list[Finding] = []
        for placed in self._document.onward(max(start - 1, 0)):
            if placed.start > end:
                break
            found += self._in_section(placed)
        found += self._own
        return sorted([each for each in found if each.start <= end and each.end >= start], key=order)

    def all_findings(self) -> Iterator[SectionFindings]:
        """Yield the findings of each section that has some, except those about comments."""
        self._refresh()
        for placed in self._document.placed():
            has_some = placed.section.finding_count or placed.section in self._by_section
            if has_some and (found := self._in_section(placed)):
                yield SectionFindings(placed, found)

    def count(self) -> int:
        """Return the number of findings at the last check."""
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

    def _hides(self, code: str, at: int) -> bool:
        return self._silences is not None and self._silences.hides(code, at)

    def _in_section(self, placed: Placed) -> list[Finding]:
        """Return the unsilenced findings in a section. Places count from the start of the document."""
        found = [each.moved(placed.start) for each in self._check.findings(placed.section)]
        if self._names is not None:
            found += [self._names.placed(each) for each in self._by_section.get(placed.section, ())]
        return [each for each in found if not self._hides(each.code, each.start)]

    def _made(self, places: Places) -> Iterator[Diagnostic]:
        unfinished = self._unfinished() if self._arriving else None
        left = self._most
        for found in self._by_part(places, len(self._document) if unfinished is None else unfinished.start):
            yield from found[:left]
            if len(found) > left:
                message = not_shown(self.count() - self._most)
                yield notice(message, Severity.INFORMATION, found[left]["range"]["start"]["line"])
                break
            left -= len(found)
        if unfinished is not None:
            yield notice(_ARRIVING, Severity.HINT, places.line_start(unfinished.breaks)["line"])

    def _by_part(self, places: Places, end: int) -> Iterator[list[Diagnostic]]:
        """Yield the diagnostics of each block or section with some that begins before `end`."""
        is_plain = self._silences is None and not self._arriving
        own = deque(self._own)
        for block in self._document.sections.blocks:
            named = [*filter(None, map(self._by_section.get, block.sections))]
            if not (named or block.finding_count or own):
                continue
            if is_plain and all(each.is_inside for found in named for each in found):
                key = places.in_section(self._document.sections.first_of(block)).key, named
                yield self._of_block(block, key, self._in_block, block, places)
                continue
            for placed in self._document.sections.placed_in(block):
                if placed.start < end:
                    yield self._of_placed(placed, places, own)

    def _in_block(self, block: Block, places: Places) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for placed in self._document.sections.placed_in(block):
            found += self._of_placed(placed, places, deque())
            if len(found) > self._most:
                break
        return found

    def _of_placed(self, placed: Placed, places: Places, own: deque[Finding]) -> list[Diagnostic]:
        """Return the diagnostics in a section in order, with those of the first of `own`, which are removed."""
        section, start = placed.section, placed.start
        named = self._by_section.get(section, ())
        found: list[tuple[_Order, Diagnostic]] = []
        if section.finding_count or named:
            inside = places.in_section(placed)
            # others reach into the next sections, which move separately
            key = (inside.key, named) if all(each.is_inside for each in named) else object()
            found = self._of_section(section, key, self._judged, section, named, inside, places)
        if self._silences is not None:
            found = [each for each in found if not self._silences.hides(each[0][2], start + each[0][0])]
        while own and own[0].start < placed.end:
            found.append(self._judgement(own.popleft().moved(-start), places.in_section(placed)))
        return [item for _, item in (sorted(found, key=itemgetter(0)) if len(found) > 1 else found)]

    def _judged(
        self, section: Section, named: Iterable[NamedFinding], inside: SectionPlaces, places: Places
    ) -> list[tuple[_Order, Diagnostic]]:
        """Return the diagnostics of a section. Their order counts from its start."""
        found = [self._judgement(each, inside) for each in self._check.findings(section)]
        for each in named:
            if each.is_inside:
                found.append(self._judgement(each.finding, inside))
            elif self._names is not None:
                _, item = self._judgement(self._names.placed(each), places)
                found.append(((each.start, each.end, each.code), item))
        return found

    def _judgement(self, finding: Finding, places: Places | SectionPlaces) -> tuple[_Order, Diagnostic]:
        """Return the diagnostic of a finding with its other places."""
        item = diagnostic(finding, places.span(finding.start, finding.end))
        found: list[RelatedInformation] = [
            {"location": {"uri": self._uri, "range": places.span(each.start, each.end)}, "message": each.message}
            for each in finding.related
        ]
        other = [(located(place, self._encoding), message) for place, message in finding.elsewhere]
        found += [{"location": location, "message": message} for location, message in other]
        if found:
            item["relatedInformation"] = found
        return order(finding), item

    def _unfinished(self) -> Placed | None:
        """Return the last section if it is incomplete."""
        from llmblocks.settings.rule_names import BY_CODE

        last = self._document.sections.at(len(self._document))
        codes = [each.code for each in self._check.findings(last.section)]
        codes += [each.code for each in self._by_section.get(last.section, ())]
        return last if any(BY_CODE[code].unfinished for code in codes) else None


def not_shown(count: int) -> FindingMessage:
    """Return the message about the findings beyond the limit."""
    findings = "1 more finding is" if count == 1 else f"{count} more findings are"
    return FindingMessage(f"{findings} not shown", help="fix some, or raise llmblocks.diagnostics.maxPerDocument")


def diagnostic(finding: Finding, span: Range) -> Diagnostic:
    """Return a diagnostic at a range, without other places."""
    page = page_of(finding.code)
    item: Diagnostic = {
        "range": span,
        "severity": int(finding.severity),
        "code": finding.code,
        "source": "llmblocks",
        "message": finding.message.lines,
    }
    if page:
        item["codeDescription"] = {"href": page}
    if FINGERPRINT in finding.data:
        item["data"] = str(finding.data[FINGERPRINT])
    tags = [_UNNECESSARY] * finding.unnecessary + [_DEPRECATED] * finding.deprecated
    if tags:
        item["tags"] = tags
    return item


def notice(message: FindingMessage, severity: Severity, line: int = 0) -> Diagnostic:
    """Return a diagnostic of the server itself, at the start of a line."""
    span: Range = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
    return {"range": span, "severity": int(severity), "source": "llmblocks", "message": message.lines}


def without_lines(items: list[Diagnostic], lines: Collection[int]) -> list[Diagnostic]:
    """Return the diagnostics without those that touch some lines of the client."""
    return [each for each in items if not any(_touches(each["range"], line) for line in lines)]


def _touches(span: Range, line: int) -> bool:
    end = span["end"]
    return span["start"]["line"] == line or (end["line"] == line and end["character"] > 0)


def with_baseline(items: list[Diagnostic], baseline: Baseline, path: str) -> list[Diagnostic]:
    """Return the diagnostics of a file, those in its baseline as hints. `data` are fingerprints."""
    prints = [each.get("data", "") for each in items]
    known = iter(baseline.matched({path: [*filter(None, prints)]}).known[path])
    return [_greyed(each, is_known=next(known)) if print_ else each for each, print_ in zip(items, prints, strict=True)]


def _greyed(item: Diagnostic, *, is_known: bool) -> Diagnostic:
    made = item.copy()
    del made["data"]
    if is_known:
        made["severity"] = int(Severity.HINT)
        made["tags"] = [*{*item.get("tags", ()), _UNNECESSARY}]
    return made


def in_markdown(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [{**each, "message": {"kind": "markdown", "value": _marked(each["message"])}} for each in items]


def _marked(message: str) -> str:
    headline, *rest = map(prose, message.split("\n"))
    return "\n\n".join([f"**{headline}**", *rest])
