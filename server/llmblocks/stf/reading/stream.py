"""Simple Text Format that arrives in chunks."""

from __future__ import annotations

from collections.abc import Callable

from llmblocks.core.halves import is_ascii, join_halves, not_text
from llmblocks.stf.reading.assembler import Assembler
from llmblocks.stf.reading.decoder import BOM, find_byte_order_mark, keeps_byte_order_mark
from llmblocks.stf.reading.events import ContentDelta, Event
from llmblocks.stf.reading.report import Place
from llmblocks.stf.syntax.dialect import AT, Dialect, detect, dialect_of, first_told
from llmblocks.stf.syntax.problems import check_role

# Where the stream stands in its line.
_START, _HEADER, _DATA = 0, 1, 2

_new = object.__new__


class StfStream:
    """Reads Simple Text Format chunk by chunk: `feed` what arrives, `close` at the end; both give what happened.

    Shape: text is told as soon as it cannot be a header line any more; a newline is told with the line after it. With
           `dialect="auto"` nothing is told before the first line that is a command or a comment. The messages are
           those of `decode` of the whole text, and so are the findings.
    Errors: `ValueError` for a dialect that does not exist, and for `feed` after `close`; `TypeError` for a chunk that
            is no str. Any text is input.
    """

    def __init__(self, *, dialect: str = "auto", default_role: str | None = None) -> None:
        check_role(default_role)
        self._default_role = default_role
        # While the dialect is unknown: the lines that are complete, and the pieces of the line that is not.
        self._undecided: list[str] | None = [] if dialect == "auto" else None
        self._tail: list[str] = []
        self._events: list[Event] = []
        self._begin(AT if dialect == "auto" else dialect_of(dialect))
        self._closed = False
        self._half = ""  # the first half of a character, whose other comes in the next chunk

    def _begin(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._assembler = Assembler(dialect, self._default_role, self._events)
        self._at = 0
        self._line = 1
        self._state = _START
        self._header: list[str] = []
        self._header_at = 0
        # A "\\r" that may belong to the line end; only where the dialect knows such ends.
        self._return = False
        # The line has given nothing yet.
        self._fresh = True
        # Takes text straight to the open message; None where text is not that.
        self._append: Callable[[str], None] | None = None

    @property
    def metadata(self) -> object:
        """The metadata so far, None where there is none."""
        return self._assembler.metadata

    def feed(self, chunk: str) -> list[Event]:
        """Take more text; what happened because of it."""
        try:
            if not is_ascii(chunk) or self._half:
                chunk, self._half = join_halves(self._half + chunk)
        except TypeError:
            raise not_text(chunk) from None
        # More of a line of content, which is most of what a model writes: nothing to look at.
        append = self._append
        if append is not None and chunk and "\n" not in chunk and "\r" not in chunk:
            self._at += len(chunk)
            append(chunk)
            growth = _new(ContentDelta)  # a call of the class costs a fifth of this whole method
            growth.delta = chunk
            return [growth]
        if self._closed:
            raise ValueError("feed after close: a stream that is closed takes no more text; make another one")
        if self._undecided is not None:
            self._decide(self._undecided, chunk)
        else:
            self._read(chunk)
        return self._take()

    def close(self) -> list[Event]:
        """The text ends here; what happened because of it. Closing again does nothing."""
        if self._closed:
            return []
        half, self._half = self._half, ""
        if self._undecided is not None:
            held, self._undecided = "".join((*self._undecided, *self._tail, half)), None
            self._begin(detect(held))
            self._read(held)
        elif half:
            self._read(half)
        self._closed = True
        self._append = None
        self._end()
        return self._take()

    def _take(self) -> list[Event]:
        # The list stays the one that the assembler writes to.
        events = self._events.copy()
        self._events.clear()
        return events

    def _decide(self, lines: list[str], chunk: str) -> None:
        """Hold text back until a complete line tells the dialect."""
        self._tail.append(chunk)
        if "\n" not in chunk:
            return
        text = "".join(self._tail)
        complete = text.rfind("\n") + 1
        dialect = first_told(text[:complete], starts_text=not lines)
        if dialect is None:
            lines.append(text[:complete])
            self._tail = [text[complete:]]
            return
        self._undecided, self._tail = None, []
        self._begin(dialect)
        self._read("".join((*lines, text)))

    def _read(self, chunk: str) -> None:
        pos, size = 0, len(chunk)
        if self._at == 0 and chunk.startswith(BOM) and not keeps_byte_order_mark(self._dialect, self._default_role):
            find_byte_order_mark(self._assembler)
            pos = self._at = 1
        bulk = not self._return and "\r" not in chunk
        while pos < size:
            ended = self._return and chunk[pos] == "\n"
            if self._return and not ended:
                self._give("\r", self._at - 1)
            self._return = False
            if self._state != _START:
                pos = self._go_on(chunk, pos, ended)
            elif chunk[pos] == self._dialect.header:
                self._state, self._header_at = _HEADER, self._at
                self._at += 1
                pos += 1
            else:
                pos = self._lines(chunk, pos) if bulk else pos
                self._state = _DATA if pos < size and chunk[pos] != self._dialect.header else _START
                self._fresh = True
        message = self._assembler.open
        inside = self._state == _DATA and not self._fresh and not self._return and self._assembler.idle
        self._append = message.pieces.append if inside and message is not None else None

    def _lines(self, chunk: str, pos: int) -> int:
        """Give all data lines that stand complete at `pos` as one text; where the next line begins."""
        end = chunk.find("\n" + self._dialect.header, pos)
        if end < 0:
            end = chunk.rfind("\n", pos)
        if end < 0:
            return pos
        text = chunk[pos:end]
        self._assembler.text(text, self._at, self._line, True)
        self._at += len(text)
        self._assembler.end_line(self._at)
        self._at += 1
        self._line += text.count("\n") + 1
        return end + 1

    def _go_on(self, chunk: str, pos: int, ended: bool) -> int:
        """Take what the chunk has of the line; where it goes on from. `ended`: a "\\r" before it ends the line."""
        newline = chunk.find("\n", pos)
        end = len(chunk) if newline < 0 else newline
        piece = chunk[pos:end]
        at = self._at
        self._at += len(piece)
        if self._dialect.crlf and piece.endswith("\r"):
            piece = piece[:-1]
            self._return = newline < 0
        if piece:
            self._give(piece, at)
        if newline < 0:
            return end
        self._end_line(at + len(piece) - ended)
        self._at += 1
        self._line += 1
        return end + 1

    def _give(self, piece: str, at: int) -> None:
        """More of the line: text for the assembler, or the header line that waits for its end."""
        if self._state == _HEADER:
            if self._header or piece[0] != self._dialect.header:
                self._header.append(piece)
                return
            # Doubled, the header character begins data.
            self._state, self._fresh = _DATA, True
        self._assembler.text(piece, at, self._line, self._fresh)
        self._fresh = False

    def _end_line(self, at: int) -> None:
        if self._state == _HEADER:
            self._assembler.header("".join(self._header), Place(self._header_at, at, self._line))
            self._header = []
        else:
            if self._fresh:
                self._assembler.text("", at, self._line, True)
            self._assembler.end_line(at)
        self._state = _START

    def _end(self) -> None:
        if self._return:
            self._return = False
            self._give("\r", self._at - 1)
        if self._state != _START:
            self._end_line(self._at)
        elif self._dialect.final_newline_is_content or self._at == 0:
            self._assembler.text("", self._at, self._line, True)
            self._assembler.end_line(self._at)
        self._assembler.close()
