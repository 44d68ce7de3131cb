"""All diagnostics of a document as JSON text, of which a keystroke rewrites only the changed ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from llmblocks.core.places import order
from llmblocks.core.section import Section
from llmblocks.facts.finding import Finding
from llmblocks.facts.severity import Severity
from llmblocks.languages.ask import SectionFindings
from llmblocks.lsp.documents.columns import ClientPositions
from llmblocks.lsp.documents.diagnostics import as_text, notice
from llmblocks.lsp.documents.name_diagnostics import NameDiagnostics
from llmblocks.lsp.documents.rows import Row, Rows
from llmblocks.lsp.documents.silenced_diagnostics import SilencedDiagnostics

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.index import Index
    from llmblocks.core.rescan import Change
    from llmblocks.core.sequence import Placed
    from llmblocks.lsp.documents.rows import Key
    from llmblocks.rules.checker import Checker
    from llmblocks.rules.name_findings import NameFindings
    from llmblocks.rules.silences import Silences

_MANY_SECTIONS = 32
_ARRIVING = "still arriving — the file grows, and what is not complete yet is judged once it is"


class DocumentDiagnostics:
    """The diagnostics of one document.

    Shape: `_lines`, `_keys` and `_parts` go together: the rows of findings, in order, as far as shown. The part of a
           row is empty where all of it is silenced. `_cut` is the engine's line of the first row that is not shown as
           a whole, `_cut_line` the client's line of its section.
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
        written_uri = as_text(uri)
        self._name_diagnostics = NameDiagnostics(names, positions, written_uri)
        self._silences = SilencedDiagnostics(check, document, names)
        self._rows = Rows(check, document, positions, written_uri, self._name_diagnostics, self._silences)
        self._most = most
        self._arriving = False
        self._stale = True
        self._items: bytes | None = None
        self._lines: list[int] = []
        self._keys: list[Key] = []
        self._parts: list[bytes] = []
        self._tail = b""
        self._cut = self._cut_line = 0

    def index(self) -> Index | None:
        """The names of the document, if a rule needs them."""
        return self._names.index if self._names else None

    def note(self, change: Change) -> None:
        """Take in what an edit has done to the document."""
        self._stale = self._stale or self._arriving
        removed, added = change.removed, change.added
        concerned = not self._stale and self._are_found_in(removed)
        shown = concerned and not (self._tail and change.line + _line_ends(removed)[0] > self._cut)
        gone = [key for section in removed for key in self._rows.keys(section)] if shown else []
        named = self._names is not None and self._names.note(change)
        count = self._silences.count
        if not self._silences.note(change, named=named):
            self._stale = True
        if self._stale:
            return
        lines, returns = _line_ends(removed)
        if named or len(removed) + len(added) > _MANY_SECTIONS or returns or self._document.sections.returns:
            self._stale = True
            return
        concerned = concerned or self._are_found_in(added)
        moved = _line_ends(added) != (lines, 0) or not self._ends_alike(change)
        if moved:
            # where there is nothing behind the change, nothing has moved; a related place may be anywhere
            self._stale = (
                concerned
                or not self._lines
                or self._lines[-1] >= change.line
                or bool(self._tail)
                or self._name_diagnostics.count > 0
            )
        elif concerned:
            self._replace(change, gone, more=self._silences.count - count)

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
            self._write_all()
        if self._items is None:
            self._items = b",".join(filter(None, (*self._parts, self._tail)))
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

    def _ends_alike(self, change: Change) -> bool:
        """Whether what follows the change starts at the same column as before."""
        removed, added = change.removed, change.added
        if not removed or not added:
            return False
        if removed[-1].pieces[-1].text.endswith("\n") and added[-1].pieces[-1].text.endswith("\n"):
            return True
        return change.start + sum(section.length for section in added) == len(self._document)

    def _replace(self, change: Change, gone: list[Key], more: int) -> None:
        """Put other rows in the place of some, where nothing else is concerned.

        Shape: `more` is the change of the number of findings that comments have made.
        """
        self._stale = True
        lines, end = self._lines, change.line + _line_ends(change.removed)[0]
        if self._tail or self.count() > self._most:
            if not self._tail or self.count() <= self._most:
                return
            if change.line > self._cut:
                # nothing behind the cut is shown, but for how many they are
                self._tell_more()
                self._stale = False
                return
            if end > self._cut or _finding_count(change.removed) != _finding_count(change.added) + more:
                # the cut is in here, or elsewhere
                return
        first = bisect_left(lines, change.line)
        last = (
            max(bisect_left(lines, end), first)
            if change.removed[-1].pieces[-1].text.endswith("\n")
            else bisect_left(lines, end + 1)
        )
        old = self._keys[first:last]
        if len(old) != len(gone) or any(one is not other for one, other in zip(old, gone, strict=True)):
            # something else begins on the same line
            return
        rows: list[Row] = []
        for section, placed in zip(change.added, self._document.onward(change.start), strict=False):
            if placed.section is not section:
                return
            rows += self._rows.of(placed)
        self._lines[first:last] = [row.at for row in rows]
        self._keys[first:last] = [row.key for row in rows]
        parts = [self._rows.json(row) for row in rows]
        if parts != self._parts[first:last]:
            self._parts[first:last], self._items = parts, None
        self._stale = False

    def _write_all(self) -> None:
        self._lines, self._keys, self._parts, self._tail = [], [], [], b""
        left = self._most
        self._silences.refresh()
        unfinished = self._unfinished() if self._arriving else None
        if unfinished is not None:
            self._tail = notice(_ARRIVING, Severity.HINT, unfinished.line + unfinished.returns)
        for placed, row in self._rows.all():
            if unfinished is not None and placed.start == unfinished.start:
                break
            count = len(row.written.converted)
            if left < count:
                if left:
                    self._parts.append(self._rows.beginning(row, left))
                self._cut, self._cut_line = row.at, placed.line + placed.returns
                self._tell_more()
                break
            left -= count
            self._lines.append(row.at)
            self._keys.append(row.key)
            self._parts.append(self._rows.json(row))
        self._stale, self._items = False, None

    def _tell_more(self) -> None:
        """Say how many findings there are behind the cut."""
        self._tail = notice(not_shown(self.count() - self._most), Severity.INFORMATION, self._cut_line)
        self._items = None

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


def _finding_count(sections: Sequence[Section]) -> int:
    return sum([section.finding_count for section in sections])


def _line_ends(sections: Sequence[Section]) -> tuple[int, int]:
    """The number of `\\n`, and that of lone `\\r`."""
    newlines = returns = 0
    for section in sections:
        newlines += section.newlines
        returns += section.returns
    return newlines, returns


def not_shown(count: int) -> str:
    """What a document tells of the findings that are not shown."""
    return f"{count} more findings are not shown — fix some, or raise llmblocks.diagnostics.maxPerDocument"
