"""All diagnostics of a document as JSON text, of which a keystroke rewrites only the changed ones."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from llmblocks.core.places import order
from llmblocks.core.section import Piece, Section
from llmblocks.core.sequence import Address
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import Message
from llmblocks.facts.severity import Severity
from llmblocks.languages.ask import SectionFindings
from llmblocks.lsp.documents.columns import ClientPositions
from llmblocks.lsp.documents.diagnostics import as_text, notice
from llmblocks.lsp.documents.name_diagnostics import NameDiagnostics
from llmblocks.lsp.documents.rows import Rows, Shown
from llmblocks.lsp.documents.silenced_diagnostics import SilencedDiagnostics

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.index import Index
    from llmblocks.core.rescan import Change
    from llmblocks.core.sequence import Placed
    from llmblocks.rules.checker import Checker
    from llmblocks.rules.name_findings import NameFindings
    from llmblocks.rules.silences import Silences

_ARRIVING = Message("still arriving", "the file grows, and what is incomplete is checked later")


class DocumentDiagnostics:
    """The diagnostics of one document.

    Shape: `_shown` is what is found, where that is not `_stale`; `_items` is that with what it ends with, `_more` the
           number of findings that this tells.
    """

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
        self._name_diagnostics = NameDiagnostics(names, positions)
        self._silences = SilencedDiagnostics(check, document, names)
        self._rows = Rows(check, document, positions, as_text(uri), self._name_diagnostics, self._silences)
        if names is not None:
            names.forget = self._rows.forget
        self._most = most
        self._arriving = False
        self._stale = True
        self._shown = Shown(b"", None)
        self._items = b""
        self._more = -1

    def index(self) -> Index | None:
        """The names of the document, if a rule needs them."""
        return self._names.index if self._names else None

    def note(self, change: Change) -> None:
        """Take in what an edit has done to the document."""
        removed, added = change.removed, change.added
        concerned = not self._stale and self._are_found_in(removed)
        for piece in change.gone:
            self._rows.forget(piece)
        named = self._names is not None and self._names.note(change)
        moved = not self._goes_on_alike(change)
        if named or moved:
            self._rows.move()
        if not self._silences.note(change, named=named):
            self._rows.silence()
            self._stale = True
        if self._stale or named or self._arriving:
            self._stale = True
        elif self._shown.cut is None or self._document.sections.returns or change.line <= self._shown.cut.line:
            self._stale = concerned or (moved and bool(self._shown.items)) or self._are_found_in(added)

    def arrive(self, *, arriving: bool) -> bool:
        """Take in whether the end of the document is still being written; says whether a diagnostic may change."""
        told = arriving or self._arriving
        self._stale, self._arriving = self._stale or told, arriving
        return told

    def other_files_changed(self, names: Mapping[str, set[str]] | None) -> bool:
        """Check names again because other files have changed: see `NameFindings`; says whether a diagnostic changes."""
        told = self._names is not None and self._names.other_files_changed(names)
        if told:
            self._silences.lose()
            self._rows.silence()
        self._stale = self._stale or told
        return told

    def places_moved(self, files: Collection[str]) -> bool:
        """Look again for the places in some other files; says whether a diagnostic changes."""
        told = self._names is not None and self._names.places_moved(files)
        self._stale = self._stale or told
        return told

    def items(self) -> bytes:
        """All diagnostics separated by commas, as many as may be shown, and one that says how many more there are."""
        if self._stale:
            self._silences.refresh()
            unfinished = self._unfinished() if self._arriving else None
            self._shown = self._rows.first(self._most, unfinished.start if unfinished else sys.maxsize)
            self._more = -1
            self._items = self._shown.items
            if unfinished:
                tail = notice(_ARRIVING, Severity.HINT, unfinished.line + unfinished.returns)
                self._items = b",".join(filter(None, (self._items, tail)))
            self._stale = False
        more = self.count() - self._most
        if self._shown.cut is not None and more != self._more:
            self._more = more
            tail = notice(not_shown(more), Severity.INFORMATION, self._shown.cut.section)
            self._items = b",".join(filter(None, (self._shown.items, tail)))
        return self._items

    def findings(self, start: int, end: int) -> list[Finding]:
        """The findings that touch a stretch of text, in order, places counted from the start of the document."""
        found: list[Finding] = []
        silences = self._silences.refresh()
        for placed in self._document.onward(max(start - 1, 0)):
            if placed.start > end:
                break
            found += self._findings_in(placed, silences)
            for number in self._silences.numbers(placed.section):
                at = placed.start + placed.section.up_to(number).length
                found += [each.moved(at) for each in self._silences.own[placed.section.pieces[number]]]
        return sorted([each for each in found if each.start <= end and each.end >= start], key=order)

    def all_findings(self) -> Iterator[SectionFindings]:
        """The findings of each section that has some, but for those of comments."""
        silences = self._silences.refresh()
        for placed in self._document.with_findings(self._name_diagnostics.by_piece):
            if found := self._findings_in(placed, silences):
                yield SectionFindings(placed, found)

    def _findings_in(self, placed: Placed, silences: Silences | None) -> list[Finding]:
        """The findings in a section that no comment silences; the places count from the start of the document."""
        section = placed.section
        found = [*self._check(section)] if section.finding_count else []
        for number in self._name_diagnostics.numbers(section):
            at = section.up_to(number).length
            found += [each.finding.moved(at) for each in self._name_diagnostics.by_piece[section.pieces[number]]]
        if silences is not None:
            found = [each for each in found if not silences.hides_in(section, each.code, each.start)]
        return [each.moved(placed.start) for each in found]

    def _goes_on_alike(self, change: Change) -> bool:
        """Whether what follows a change starts on the same line as before, at the same column."""
        gone, come = change.gone, change.come
        if gone and come and gone[-1].text.endswith("\n") and come[-1].text.endswith("\n"):
            return _line_ends(gone) == _line_ends(come)
        if self._shown.items:
            self._shift(change)
        return False

    def _shift(self, change: Change) -> None:
        """What follows a change starts at another column: write what is found in it anew, up to the end of the line."""
        sections = self._document.sections
        first = sections.find(change.come[-1]) if change.come else None
        # nothing says where in their sections pieces have gone
        left = 1 if first else sum([section.pieces.leaves for section in change.added])
        for piece in sections.pieces_from(first or Address(sections.at(change.start).number, 0)):
            left -= 1
            self._rows.forget(piece)
            self._name_diagnostics.shift(piece)
            if left < 0 and (piece.newlines or piece.returns):
                break

    def _unfinished(self) -> Placed | None:
        """The last section, if what it says is not complete."""
        from llmblocks.settings.rule_names import BY_CODE

        last = self._document.sections.at(len(self._document))
        return last if any(BY_CODE[each.code].unfinished for each in self._findings_in(last, None)) else None

    def _are_found_in(self, sections: Sequence[Section]) -> bool:
        """Whether anything is found in one of the sections."""
        for section in sections:
            if section.finding_count or self._name_diagnostics.are_in(section) or self._silences.numbers(section):
                return True
        return False

    def count(self) -> int:
        """The number of findings, as of the last look."""
        return self._document.sections.finding_count + self._name_diagnostics.count + self._silences.count


def _line_ends(pieces: Sequence[Piece]) -> int:
    """The number of line ends of the client."""
    return sum([piece.newlines + piece.returns for piece in pieces])


def not_shown(count: int) -> Message:
    """What a document tells of the findings that are not shown."""
    findings = "1 more finding is" if count == 1 else f"{count} more findings are"
    return Message(f"{findings} not shown", help="fix some, or raise llmblocks.diagnostics.maxPerDocument")
