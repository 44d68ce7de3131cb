"""A document that embeds texts of ours: each is analysed separately, with its places in the host."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from heapq import merge
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import headed
from llmblocks.facts.severity import Severity
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host
from llmblocks.lsp.documents.diagnostics import diagnostic, not_shown, notice
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.plain import PlainText, Splice
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.lsp.wire.uris import GUEST
from llmblocks.rules.host_findings import host_findings
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.core.sequence import Placed
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.lsp.wire.values import Diagnostic, Position, Range, TextEdit

_SYNTAX = re.compile(r"(\\[\\$}]|\$\d+|\$\{\d+[:|]?|\|?\})")
"""The syntax of snippets: escapes, and the beginnings and ends of placeholders."""
_ESCAPE = r"\$"
_MEANS_MORE = re.compile(r"[\\$}]")


class Guest:
    """An analysed embedded text, with its places in the host: see `Places`.

    `uri` is its own, as long as it exists. `form` is a new object whenever its segments may have changed otherwise than
    by moving.
    """

    __slots__ = ("_host", "embedded", "form", "inner", "text", "uri")

    def __init__(self, host: HostedText, embedded: EmbeddedText, text: AnalysedText, uri: str) -> None:
        self._host = host
        self.embedded = embedded
        self.inner = embedded.text
        self.text = text
        self.uri = uri
        self.form = object()

    @property
    def start(self) -> int:
        return self.embedded.segments[0].start

    @property
    def end(self) -> int:
        return self.embedded.segments[-1].end

    @property
    def key(self) -> object:
        return self.form, self._host.position(self.start)

    def offset(self, line: int, character: int) -> int:
        """Return the code point of the embedded text nearest to a place."""
        return self.embedded.nearest(self._host.offset(line, character))

    def place(self, offset: int) -> Position:
        """Return the place in the host."""
        return self._host.place(self.embedded.outside(offset))

    def line_start(self, line: int) -> Position:
        """Return the place in the host of the start of a line."""
        return self.place(self.text.offset(line, 0))

    def span(self, start: int, end: int) -> Range:
        """Return the range in the host, without the host's text after the last line."""
        return self._host.span(*self.embedded.span(start, end))

    def edit(self, edit: Edit, *, is_snippet: bool = False, at: Range | None = None) -> TextEdit:
        """Return an edit with the host's text before lines, and with its escapes."""
        start, end, text = self._host.host.outside(self._host.text, self.embedded, edit)
        if is_snippet and (self._has_escapes or self._written(_ESCAPE) != _ESCAPE):
            text = "".join(map(self._in_snippet, _SYNTAX.split(edit.text)))
        return {"range": at or self._host.span(start, end), "newText": text}

    def in_section(self, placed: Placed) -> _Inside:
        """Return the places of a section in the host."""
        return _Inside(self, placed.start)

    @property
    def _has_escapes(self) -> bool:
        """Whether some of its characters have another length in the host."""
        return any(len(each.text) != each.end - each.start for each in self.embedded.segments)

    def _in_snippet(self, part: str) -> str:
        """Escape a part of a snippet for the host."""
        is_syntax = _SYNTAX.fullmatch(part) is not None
        if is_syntax and not part.startswith("\\"):
            return part
        return _MEANS_MORE.sub(r"\\\g<0>", self._written(part[1:] if is_syntax else part))

    def _written(self, text: str) -> str:
        """Return a text as the host writes it."""
        return self._host.host.outside(self._host.text, self.embedded, Edit(0, 0, text)).text


def _one() -> int:
    return 1


class _Inside:
    """The places of a section of an embedded text. They are never cached: the host may change."""

    __slots__ = ("_guest", "_start")

    def __init__(self, guest: Guest, start: int) -> None:
        self._guest = guest
        self._start = start

    @property
    def key(self) -> object:
        return self

    def place(self, offset: int) -> Position:
        return self._guest.place(self._start + offset)

    def end(self, offset: int) -> Position:
        at = self._start + offset
        return self._guest.span(max(at - 1, 0), at)["end"]

    def span(self, start: int, end: int) -> Range:
        return self._guest.span(self._start + start, self._start + end)


class HostedText(PlainText):
    """The text of a host, with the analysed texts in it.

    `analyse` analyses an embedded text in its language, under a URI. `settings` apply to the host.
    """

    def __init__(
        self,
        text: str,
        host: Host,
        settings: Settings,
        uri: str,
        encoding: Encoding,
        analyse: Callable[[str, str, str], AnalysedText],
    ) -> None:
        super().__init__(text, encoding)
        self.host = host
        self.settings = settings
        self.uri = uri
        self._analyse = analyse
        self._guests: list[Guest] = []
        self._own: list[Finding] = []
        self._unread: tuple[int, str] | None = None
        self._serial = 0
        self._is_stale = True

    def apply(self, change: LspChange) -> None:
        """Make one change, as every text does, and update the embedded texts."""
        splice = self.splice_of(change)
        if splice is None:
            return
        guest = None if self._is_stale else self._guest_of_line(splice)
        is_known = guest is not None or (not self._is_stale and self._is_prose(splice))
        self.document.edit(*splice)
        if is_known:
            self._move(splice)
        elif self._is_stale or not self.host.by_line or splice.start < (head := self._first_row_end()):
            self._is_stale = True
        else:
            self._find_in_lines(splice, head)
        if guest is not None:
            self._type(guest, splice)

    def guests(self) -> list[Guest]:
        """Return the embedded texts, in order."""
        if self._is_stale:
            self._is_stale = False
            read = self.host.read(self.text)
            self._own = host_findings(read, self.settings, self.text)
            self._unread = read.unread
            self._guests = self._found(read.texts, self._guests)
        return self._guests

    def own_findings(self) -> Sequence[Finding]:
        """Return the findings outside of embedded texts, in order."""
        self.guests()
        return self._own

    def diagnostics(self) -> list[Diagnostic]:
        """Return its own and its embedded texts' diagnostics up to the limit, then the number of the others."""
        guests = self.guests()
        found: list[Diagnostic] = []
        if self._unread is not None:
            offset, reason = self._unread
            found.append(notice(headed(reason), Severity.INFORMATION, self.position(offset)[0]))
        own = ((each.start, [diagnostic(each, self.span(each.start, each.end))], _one) for each in self._own)
        inside = ((guest.start, guest.text.diagnostics(guest), guest.text.told.count) for guest in guests)
        left, more, line = self.settings.max_diagnostics, 0, -1
        for _, items, count in merge(own, inside, key=itemgetter(0)):
            found += items[:left]
            if items and (past := count() - left) > 0:
                more += past
                line = line if line >= 0 else items[left]["range"]["start"]["line"]
            left = max(left - len(items), 0)
        return [*found, notice(not_shown(more), Severity.INFORMATION, line)] if more else found

    def guests_between(self, start: int, end: int) -> list[Guest]:
        """Return the embedded texts that a stretch touches."""
        return [each for each in self.guests() if each.start <= end and start <= each.end]

    def guest_at(self, offset: int) -> Guest | None:
        """Return the embedded text at a place."""
        return next((each for each in self.guests() if each.embedded.inside(offset) is not None), None)

    def guest_of(self, uri: str) -> Guest | None:
        """Return the embedded text with a URI; None if it no longer exists."""
        return next((each for each in self.guests() if each.uri == uri), None)

    def _first_row_end(self) -> int:
        """Return the end of the first non-blank line, which may decide what the others embed."""
        from llmblocks.hosts.json_row import after_blanks

        document, start = self.document, 0
        for line in range(1, document.sections.newlines + 2):
            end = document.line_start(line)
            row = document.slice(start, end)
            if after_blanks(row, line == 1 and row.startswith("\ufeff")) < len(row):
                return end
            start = end
        return len(document)

    def _find_in_lines(self, splice: Splice, head: int) -> None:
        """Find the embedded texts in the lines of an edit, which are independent. The first row ends at `head`."""
        document = self.document
        start = document.line_start(document.position(splice.start)[0])
        end = document.line_start(document.position(splice.start + len(splice.text))[0] + 1)
        by = len(splice.text) - (splice.end - splice.start)
        host = self.host.settled(document.slice(0, head))
        lines = document.slice(start, end)
        read = EmbeddedTexts(()) if host is None else host.read(lines)
        first, last = (bisect_left(self._guests, each, key=attrgetter("start")) for each in (start, end - by))
        behind = self._guests[last:]
        for each in behind if by else ():
            each.embedded = each.embedded.moved(by)
        found = self._found([each.moved(start) for each in read.texts], self._guests[first:last])
        self._guests[first:] = [*found, *behind]
        first, last = (bisect_left(self._own, each, key=attrgetter("start")) for each in (start, end - by))
        moved = [each.moved(by) for each in self._own[last:]]
        self._own[first:] = [*[each.moved(start) for each in host_findings(read, self.settings, lines)], *moved]

    def _found(self, found: Sequence[EmbeddedText], known: list[Guest]) -> list[Guest]:
        """Return the embedded texts found. Unchanged and edited ones keep their analysis."""
        texts = [(each.language_id, each.text) for each in found]
        olds = [(each.embedded.language_id, each.inner) for each in known]
        most = min(len(texts), len(olds))
        head = next((at for at in range(most) if texts[at] != olds[at]), most)
        tail = next((at for at in range(most - head) if texts[-1 - at] != olds[-1 - at]), most - head)
        last, old_last = len(texts) - tail, len(olds) - tail
        guests = []
        for number, embedded in enumerate(found):
            old = number if number < last else number - last + old_last
            same = known[old] if number >= last or old < old_last else None
            if same is None or same.embedded.language_id != embedded.language_id:
                self._serial += 1
                uri = f"{self.uri}{GUEST}{self._serial}"
                guests.append(Guest(self, embedded, self._analyse(embedded.text, embedded.language_id, uri), uri))
                continue
            same.embedded, same.form = embedded, object()
            if same.inner != texts[number][1]:
                same.inner = texts[number][1]
                same.text.apply(LspChange(None, same.inner))
            guests.append(same)
        return guests

    def _guest_of_line(self, splice: Splice) -> Guest | None:
        """Return the embedded text whose line contains an edit, if the host still reads the line in the same way."""
        start, end, text = splice
        for each in self._guests:
            if each.start < start and end <= each.end:
                number = each.embedded.number_at(start)
                segment = each.embedded.segments[number]
                line = segment.text.rstrip("\r\n")
                if not (segment.start < start and end <= segment.start + len(line)):
                    return None
                return each if self.host.keeps_text(segment, self.document.slice(start, end), text) else None
        return None

    def _type(self, guest: Guest, splice: Splice) -> None:
        """Make an edit of one line of an embedded text."""
        start, end = (guest.embedded.nearest(each) for each in splice[:2])
        span = LspRange(*guest.text.position(start), *guest.text.position(end))
        guest.text.apply(LspChange(span, splice.text))
        guest.inner = guest.inner[:start] + splice.text + guest.inner[end:]
        guest.embedded, guest.form = guest.embedded.typed(start, end, splice.text), object()

    def _is_prose(self, splice: Splice) -> bool:
        """Return whether an edit outside of embedded texts only moves them."""
        start, end, text = splice
        line = self.document.line_start(self.document.position(start)[0])
        if not self.host.keeps_all(self.document.slice(line, start), self.document.slice(start, end), text):
            return False
        return not any(each.start <= end and start <= each.end for each in self._guests)

    def _move(self, splice: Splice) -> None:
        """Move the texts after an edit."""
        by = len(splice.text) - (splice.end - splice.start)
        if not by:
            return
        for each in self._guests:
            if each.start > splice.start:
                each.embedded = each.embedded.moved(by)
        self._own = [each.moved(by) if each.start > splice.start else each for each in self._own]
