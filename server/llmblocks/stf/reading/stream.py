"""The stream decoder of Simple Text Format."""

from __future__ import annotations

from collections.abc import Callable

from llmblocks.core.chunks import is_ascii, join_halves, not_text, size_of
from llmblocks.stf.reading.assembler import Assembler
from llmblocks.stf.reading.decoder import BOM, find_byte_order_mark, keeps_byte_order_mark
from llmblocks.stf.reading.events import ContentDelta, Event
from llmblocks.stf.syntax.dialect import AT, Dialect, detect, dialect_of, first_told
from llmblocks.stf.syntax.place import LinePlace
from llmblocks.stf.syntax.problems import check_role

# The position of the stream in its line.
_START, _HEADER, _DATA = 0, 1, 2

_new = object.__new__


class StfStream:
    """Reads Simple Text Format chunk by chunk: `feed` chunks, `close` at the end; both return events.

    Shape: text comes out as soon as it cannot be a header line, a newline with the next line. With `dialect="auto"`,
           nothing comes out before the first valid command or comment. Messages and findings are those of `decode`.
    Errors: `ValueError` for an unknown dialect, and for `feed` after `close`; `TypeError` for a chunk that is not a
            str. None for any text.
    """

    def __init__(self, *, dialect: str = "auto", default_role: str | None = None) -> None:
        check_role(default_role)
        self._default_role = default_role
        # While the dialect is unknown: the complete lines, and the pieces of the last one.
        self._undecided: list[str] | None = [] if dialect == "auto" else None
        self._tail: list[str] = []
        self._events: list[Event] = []
        self._begin(AT if dialect == "auto" else dialect_of(dialect))
        self._closed = False
        self._half = ""  # the first half of a character; the other half is in the next chunk

    def _begin(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._assembler = Assembler(dialect, self._default_role, self._events)
        self._at = 0
        self._line = 1
        self._state = _START
        self._header: list[str] = []
        self._header_at = 0
        # A "\\r" that may belong to the line end, in the dialect with such ends.
        self._return = False
        # Nothing of the line has come out yet.
        self._fresh = True
        # Adds text directly to the open message; None if text goes elsewhere.
        self._append: Callable[[str], None] | None = None

    @property
    def metadata(self) -> object:
        """The metadata so far, or None."""
        return self._assembler.metadata

    @property
    def held(self) -> str:
        """The text held back: an unfinished command line, the body of a command; all, while the dialect is unknown."""
        if self._undecided is not None:
            return "".join((*self._undecided, *self._tail, self._half))
        header = (self._dialect.header, *self._header) if self._state == _HEADER else ()
        return "".join((self._assembler.held, *header, "\r" * self._return, self._half))

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy of it."""
        if self._undecided is not None:
            return size_of(self._undecided) + size_of(self._tail) + len(self._half)
        header = 1 + size_of(self._header) if self._state == _HEADER else 0
        return self._assembler.held_size + header + self._return + len(self._half)

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk; returns its events."""
        try:
            if not is_ascii(chunk) or self._half:
                chunk, self._half = join_halves(self._half + chunk)
        except TypeError:
            raise not_text(chunk) from None
        # The rest of a line of content, the most frequent case, needs no search.
        append = self._append
        if append is not None and chunk and "\n" not in chunk and "\r" not in chunk:
            self._at += len(chunk)
            append(chunk)
            growth = _new(ContentDelta)  # calling the class would cost a fifth of this whole method
            growth.delta = chunk
            return [growth]
        if self._closed:
            raise ValueError("feed after close: a closed stream takes no more text; create another one")
        if self._undecided is not None:
            self._decide(self._undecided, chunk)
        else:
            self._read(chunk)
        return self._take()

    def close(self) -> list[Event]:
        """End the text; returns the last events. Closing again does nothing."""
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
        """Hold text back until a complete line determines the dialect."""
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
        """Read all complete data lines at `pos` as one text; returns the start of the next line."""
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
        """Read the line's part of the chunk; returns its end. `ended`: a "\\r" before it ends the line."""
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
        """Continue the line: text for the assembler, or a header line that is still incomplete."""
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
            self._assembler.header("".join(self._header), LinePlace(self._header_at, at, self._line))
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
