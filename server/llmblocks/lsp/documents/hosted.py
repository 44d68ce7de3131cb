"""A document that embeds texts of ours: each is analysed by itself, with its places in the host."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from llmblocks.core.document import Document
from llmblocks.core.scan import Kind, Scanned
from llmblocks.hosts.embedded import EmbeddedText, Host
from llmblocks.lsp.documents.columns import ClientPositions, Encoding
from llmblocks.lsp.documents.open import GUEST
from llmblocks.lsp.documents.splice import Splice, difference
from llmblocks.lsp.wire.params import LspChange, LspRange

if TYPE_CHECKING:
    from llmblocks.lsp.documents.text import AnalysedText

_PROSE = Kind("prose", merges=True)
_IN_A_WORD = re.compile(r"[ \t>]*[^\W\d_]")
_ENDS = re.compile(r"[\r\n`~\0]")
_PLAIN = re.compile(r"[\w ,.;:!'\"()]*")


class _Prose:
    """The scanner of a host's own text, which is not read here."""

    initial = None

    def scan(self, text: str, start: int, stop: int, state: None, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        return Scanned([_PROSE.of[stop - start]] if stop > start else [], stop, None, head=False)


class Guest:
    """An embedded text that is analysed. Shape: `uri` is its own, for as long as it is there."""

    __slots__ = ("embedded", "inner", "text", "uri")

    def __init__(self, embedded: EmbeddedText, text: AnalysedText, uri: str) -> None:
        self.embedded = embedded
        self.inner = embedded.text
        self.text = text
        self.uri = uri

    @property
    def start(self) -> int:
        return self.embedded.segments[0].start

    @property
    def end(self) -> int:
        return self.embedded.segments[-1].end


class HostedText:
    """The text of a host, with the analysed texts in it.

    Shape: `analyse` begins to analyse an embedded text: with its language, under a URI.
    """

    def __init__(
        self, text: str, host: Host, uri: str, encoding: Encoding, analyse: Callable[[str, str, str], AnalysedText]
    ) -> None:
        self.host = host
        self.uri = uri
        self._analyse = analyse
        self._document = Document(_Prose(), text)
        self._positions = ClientPositions(self._document, encoding)
        self._guests: list[Guest] = []
        self._serial = 0
        self._is_stale = True

    @property
    def text(self) -> str:
        return self._document.text

    @property
    def size(self) -> int:
        """The number of code points."""
        return len(self._document)

    def offset(self, line: int, character: int) -> int:
        """The code point at a place of the client."""
        return self._positions.offset(line, character)

    def position(self, offset: int) -> tuple[int, int]:
        """The client's line and character of a code point."""
        return self._positions.position(offset)

    def apply(self, change: LspChange) -> None:
        """Make one change, as `AnalysedText.apply` does."""
        span, text = change
        if span is None:
            splice = difference(self.text, text)
            if splice is None:
                return
        else:
            ends = self.offset(span.start_line, span.start_character), self.offset(span.end_line, span.end_character)
            splice = Splice(min(ends), max(ends), text)
        guest = None if self._is_stale else self._guest_of_line(splice)
        is_known = guest is not None or (not self._is_stale and self._is_prose(splice))
        self._document.edit(*splice)
        if is_known:
            self._move(splice)
        else:
            self._is_stale = True
        if guest is not None:
            self._type(guest, splice)

    def guests(self) -> list[Guest]:
        """The embedded texts, in order."""
        if self._is_stale:
            self._is_stale = False
            self._find()
        return self._guests

    def guest_at(self, offset: int) -> Guest | None:
        """The embedded text that a place is in."""
        return next((each for each in self.guests() if each.embedded.inside(offset) is not None), None)

    def guest_of(self, uri: str) -> Guest | None:
        """The embedded text with a URI; None if it is there no more."""
        return next((each for each in self.guests() if each.uri == uri), None)

    def _find(self) -> None:
        """Look for the embedded texts. What has stayed or was edited keeps its analysis."""
        known, found = self._guests, [*self.host.find(self.text)]
        texts = [(each.language_id, each.text) for each in found]
        olds = [(each.embedded.language_id, each.inner) for each in known]
        most = min(len(texts), len(olds))
        head = next((at for at in range(most) if texts[at] != olds[at]), most)
        tail = next((at for at in range(most - head) if texts[-1 - at] != olds[-1 - at]), most - head)
        last, old_last = len(texts) - tail, len(olds) - tail
        self._guests = []
        for number, embedded in enumerate(found):
            old = number if number < last else number - last + old_last
            same = known[old] if number >= last or old < old_last else None
            if same is None or same.embedded.language_id != embedded.language_id:
                self._serial += 1
                uri = f"{self.uri}{GUEST}{self._serial}"
                self._guests.append(Guest(embedded, self._analyse(embedded.text, embedded.language_id, uri), uri))
                continue
            same.embedded = embedded
            if same.inner != texts[number][1]:
                same.inner = texts[number][1]
                same.text.apply(LspChange(None, same.inner))
            self._guests.append(same)

    def _guest_of_line(self, splice: Splice) -> Guest | None:
        """The embedded text with a line that an edit is in, where the host reads the line as before.

        What the host has in front of a line, and the first sign of the line, stay; no fence is in the line.
        """
        start, end, text = splice
        if _ENDS.search(text) is not None:
            return None
        for each in self._guests:
            if each.start < start and end <= each.end:
                number = each.embedded.number_at(start)
                segment = each.embedded.segments[number]
                line = segment.text.rstrip("\r\n")
                is_inside = segment.start < start and end <= segment.start + len(line)
                return each if is_inside and not line[:1].isspace() and _ENDS.search(line) is None else None
        return None

    def _type(self, guest: Guest, splice: Splice) -> None:
        """Make an edit of one line of an embedded text."""
        start, end = (guest.embedded.nearest(each) for each in splice[:2])
        span = LspRange(*guest.text.position(start), *guest.text.position(end))
        guest.text.apply(LspChange(span, splice.text))
        guest.inner = guest.inner[:start] + splice.text + guest.inner[end:]
        guest.embedded = guest.embedded.typed(start, end, splice.text)

    def _is_prose(self, splice: Splice) -> bool:
        """Whether an edit is one of words behind a letter that begins a line outside of embedded texts.

        What such a line is to Markdown depends on its start alone, and no fence begins or ends because of it.
        """
        start, end, text = splice
        old = self._document.slice(start, end)
        if _PLAIN.fullmatch(old) is None or _PLAIN.fullmatch(text) is None:
            return False
        line = self._document.line_start(self._document.position(start)[0])
        if _IN_A_WORD.match(self._document.slice(line, start)) is None:
            return False
        return not any(each.start <= end and start <= each.end for each in self._guests)

    def _move(self, splice: Splice) -> None:
        """Move the embedded texts behind an edit."""
        by = len(splice.text) - (splice.end - splice.start)
        for each in self._guests if by else ():
            if each.start > splice.start:
                each.embedded = each.embedded.moved(by)
