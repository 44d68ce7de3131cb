"""The decoder of Simple Text Format: a stream, and a whole text at once."""

from __future__ import annotations

import re
from collections.abc import Callable

from llmblocks.core.chunks import ScannedChunks, expect_text, is_ascii, join_halves, not_text, size_of
from llmblocks.stf.reading.assembler import ContentDelta, Event
from llmblocks.stf.reading.lines import LineReader
from llmblocks.stf.scanner import LINE_START, StfScanner
from llmblocks.stf.syntax import DIALECTS, Dialect, detect, dialect_of, first_decided
from llmblocks.stf.values.messages import Message, StfError, Transcript

_PLAIN = {
    header: (
        re.compile(
            rf"{header}({names})(?: id=([A-Za-z0-9_-]+))?\n((?:(?!{header})[^\r\n]*\n)*+)(?={header}(?:{names})[ \n])"
        ),
        re.compile(rf"\n(?={header}(?:{names})[ \n])"),
    )
    for header, dialect in DIALECTS.items()
    for names in ["|".join([name for name, each in dialect.commands.items() if each.role])]
}
"""A plain message before another message, and the newline before a possible one."""
_WINDOW = 4096
_new = object.__new__


def keeps_byte_order_mark(dialect: Dialect, default_role: str | None) -> bool:
    """Return whether a byte-order mark is content, as in llm-msg-io; with a default role, it then begins a message."""
    return not dialect.crlf and default_role is not None


class _TextReader(LineReader):
    """Reads a text that arrives in chunks."""

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None) -> None:
        super().__init__(dialect, default_role, events)
        self.is_inside = False
        """Whether a part of a data line has been passed on, and nothing is held back."""
        scanner = StfScanner(dialect.header, has_default=default_role is not None)
        self._chunks = ScannedChunks(scanner)
        if keeps_byte_order_mark(dialect, default_role):
            self._chunks.state = scanner.initial._replace(place=LINE_START)

    @property
    def held(self) -> tuple[str, ...]:
        return "" if self.opened is None else self.opened.text(), *self.held_line, self._chunks.held

    @property
    def held_size(self) -> int:
        return (0 if self.opened is None else self.opened.size) + self.held_line_size + len(self._chunks.held)

    def read_all(self, text: str) -> None:
        """Read a whole text. Most messages are plain, and scanning them would take ten times as long."""
        plain, before = _PLAIN[self.dialect.header]
        commands, messages = self.dialect.commands, self.out.messages
        at, size = 0, len(text)
        while at < size:
            while self.begins and self.idle and (found := plain.match(text, at)):
                self.end_message()
                name, message_id, content = found.groups()
                messages.append(Message(commands[name].role or "", content[:-1], message_id))
                at = found.end()
            self.line += text.count("\n", self.at, at)
            self.at = at
            next_one = before.search(text, at if self.idle else at + _WINDOW)
            end = next_one.start() + 1 if next_one else size
            self.read(text[at:end])
            at = end

    def read(self, chunk: str, final: bool = False) -> None:
        """Read a chunk, of any size."""
        for kind, text in self._chunks.take(chunk, final):
            self.token(kind, text)
        self.is_inside = not (self.begins or self._chunks.held or self.held_line_size)

    def close(self, is_last: bool = True) -> None:
        """See `CommandReader`."""
        self.read("", True)
        if not self.end_token() and (not self.begins or self.at == 0 or self.dialect.final_newline_is_content):
            if self.begins:
                self.text("", self.at, self.line, True)
            self.end_line(self.at)
        super().close()


class StfStream:
    """Reads Simple Text Format chunk by chunk: `feed` chunks, `close` at the end; both return events.

    Text is emitted as soon as it cannot be a header line, a newline with the next line. With `dialect="auto"`, nothing
    is emitted before the first valid command or comment. Messages and findings are those of `decode`. Never raises for
    any text.

    Raises:
        ValueError: The dialect is unknown, or `feed` is called after `close`.
        TypeError: A chunk is not a str.
    """

    def __init__(self, *, dialect: str = "auto", default_role: str | None = None) -> None:
        if default_role is not None:
            expect_text(default_role, "default_role")
        self._default_role = default_role
        self._events: list[Event] = []
        self._lines = None if dialect == "auto" else _TextReader(dialect_of(dialect), default_role, self._events)
        # While the dialect is unknown: the complete lines, and the pieces of the last one.
        self._undecided: list[str] = []
        self._tail: list[str] = []
        self._half = ""  # likewise, the first half of a character
        self._closed = False
        # Adds text directly to the open message; None if text goes elsewhere.
        self._append: Callable[[str], None] | None = None

    @property
    def metadata(self) -> object:
        """The metadata so far, or None."""
        return None if self._lines is None else self._lines.out.metadata

    @property
    def held(self) -> str:
        """The text held back: an unfinished command line or a command's body; all text while the dialect is unknown."""
        if self._lines is not None:
            return "".join(self._lines.held)
        return "".join((*self._undecided, *self._tail, self._half))

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy."""
        if self._lines is not None:
            return self._lines.held_size
        return size_of(self._undecided) + size_of(self._tail) + len(self._half)

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk, and return its events."""
        try:
            is_plain = is_ascii(chunk)
        except TypeError:
            raise not_text(chunk) from None
        # The rest of a line of content, the most frequent case, needs no scan.
        append = self._append
        if append is not None and is_plain and chunk and "\n" not in chunk and "\r" not in chunk:
            assert self._lines is not None, "a message is open"
            self._lines.at += len(chunk)
            append(chunk)
            growth = _new(ContentDelta)  # calling the class would cost a fifth of this whole method
            growth.delta = chunk
            return [growth]
        if self._closed:
            raise ValueError("feed after close: a closed stream takes no more text; create another one")
        lines = self._lines
        if lines is not None:
            lines.read(chunk)
        elif (lines := self._decided(chunk)) is None:
            return []
        out = lines.out
        inside = out.message is not None and lines.is_inside and lines.idle
        self._append = out.pieces.append if inside else None
        return self._take()

    def close(self) -> list[Event]:
        """End the text, and return the last events. Closing again does nothing."""
        if self._closed:
            return []
        self._closed = True
        self._append = None
        if self._lines is None:
            held = self.held
            self._lines = _TextReader(detect(held), self._default_role, self._events)
            self._lines.read(held)
        self._lines.close()
        return self._take()

    def _take(self) -> list[Event]:
        events = self._events.copy()
        self._events.clear()  # the assembler keeps writing to this list
        return events

    def _decided(self, chunk: str) -> _TextReader | None:
        """Hold text back until a complete line determines the dialect."""
        if self._half or not chunk.isascii():
            chunk, self._half = join_halves(self._half + chunk)
        self._tail.append(chunk)
        if "\n" not in chunk:
            return None
        text = "".join(self._tail)
        complete = text.rfind("\n") + 1
        dialect = first_decided(text[:complete], starts_text=not self._undecided)
        if dialect is None:
            self._undecided.append(text[:complete])
            self._tail = [text[complete:]]
            return None
        self._lines = _TextReader(dialect, self._default_role, self._events)
        self._lines.read("".join((*self._undecided, text, self._half)))
        self._undecided, self._tail = [], []
        return self._lines


def decode(text: str, *, dialect: str = "auto", default_role: str | None = None, strict: bool = False) -> Transcript:
    """Read a whole text of Simple Text Format. Never raises for a text unless `strict`; see `Transcript.findings`.

    Args:
        text: The text.
        dialect: "@", ";", or "auto": that of the first valid command or comment.
        default_role: The role of data before the first message.
        strict: Raise an error for a text with findings.

    Returns:
        The transcript, with findings in reading order.

    Raises:
        StfError: The text has findings, and `strict` is true.
        ValueError: The dialect is unknown.
        TypeError: The argument is not text.

    Source: simple-text-format for `@`, llm-msg-io 0.2 for `;`.
    """
    expect_text(text, "decode")
    if default_role is not None:
        expect_text(default_role, "default_role")
    lines = _TextReader(detect(text) if dialect == "auto" else dialect_of(dialect), default_role, None)
    lines.read_all(text if text.isascii() else "".join(join_halves(text)))
    lines.close()
    out, findings = lines.out, lines.out.findings()
    if strict and findings:
        raise StfError(findings)
    return Transcript(out.messages, out.metadata, findings, out.null_metadata)
