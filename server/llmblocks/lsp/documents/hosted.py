"""A document that embeds texts of ours: each is analysed separately, with its places in the host."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import headed
from llmblocks.facts.severity import Severity
from llmblocks.hosts.embedded import EmbeddedText, Host
from llmblocks.lsp.documents.diagnostics import diagnostic, not_shown, notice
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.plain import PlainText, alike
from llmblocks.lsp.wire.params import LspChange
from llmblocks.lsp.wire.uris import GUEST
from llmblocks.rules.checker import host_findings
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
    """An analysed embedded text, with its places in the host: see `Places`. `uri` is its own, as long as it exists."""

    def __init__(self, host: HostedText, embedded: EmbeddedText, text: AnalysedText, uri: str) -> None:
        self._host = host
        self.embedded = embedded
        self.text = text
        self.uri = uri

    @property
    def start(self) -> int:
        return self.embedded.segments[0].start

    @property
    def end(self) -> int:
        return self.embedded.segments[-1].end

    @property
    def key(self) -> object:
        return self.embedded

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

    def in_section(self, placed: Placed) -> GuestSection:
        """Return the places of a section in the host."""
        return GuestSection(self, placed.start)

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


class GuestSection:
    """The places of a section of an embedded text. They are never cached: the host may change."""

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

    def guests(self) -> list[Guest]:
        """Return the embedded texts, in order."""
        if self._is_stale:
            self._is_stale = False
            read = self.host.read(self.text)
            self._own = host_findings(read, self.settings, self.text)
            self._unread = read.unread
            self._guests = self._matched(read.texts, self._guests)
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
        parts = [(each.start, [diagnostic(each, self.span(each.start, each.end))], 1) for each in self._own]
        parts += [(each.start, each.text.diagnostics(each), each.text.told.count()) for each in guests]
        left, more, line = self.settings.max_diagnostics, 0, -1
        for _, items, count in sorted(parts, key=itemgetter(0)):
            found += items[:left]
            if items and (past := count - left) > 0:
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

    def _edit(self, edit: Edit) -> None:
        super()._edit(edit)
        self._is_stale = True

    def _matched(self, found: Sequence[EmbeddedText], known: list[Guest]) -> list[Guest]:
        """Return the embedded texts found. Unchanged and edited ones keep their analysis."""
        olds = [(each.embedded.language_id, each.embedded.text) for each in known]
        _, tail = alike(olds, [(each.language_id, each.text) for each in found])
        last, old_last = len(found) - tail, len(known) - tail
        guests = []
        for number, embedded in enumerate(found):
            old = number if number < last else number - last + old_last
            guest = known[old] if number >= last or old < old_last else None
            if guest is None or guest.embedded.language_id != embedded.language_id:
                self._serial += 1
                uri = f"{self.uri}{GUEST}{self._serial}"
                guest = Guest(self, embedded, self._analyse(embedded.text, embedded.language_id, uri), uri)
            elif guest.embedded.text != embedded.text:
                guest.text.apply(LspChange(None, embedded.text))
            guest.embedded = embedded
            guests.append(guest)
        return guests
