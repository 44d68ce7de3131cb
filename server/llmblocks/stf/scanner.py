"""Tokens of Simple Text Format."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import ClassVar, Final, Literal

from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.stf import kinds
from llmblocks.stf.context import (
    BEHIND_HEADER,
    BLOCKS,
    EMBED,
    FRESH,
    IN_NAME,
    IN_REST,
    IN_TEXT,
    LINE_START,
    LINES,
    MESSAGE,
    OUTSIDE,
    STRAY,
    TEXT_START,
    StfState,
    meaning,
    unknown,
)
from llmblocks.stf.syntax.dialect import AT, DIALECTS, NAME, NOT_BLANK

_LONGEST_NAME = 16
_KNOWN_LINE = re.compile(rf"([@;])[ \t]{{0,64}}(?:#|//|/\*|\*/|({NAME}))")
_HEADERS = "@;\r\n"
_DECIDING = 1 + 64 + _LONGEST_NAME
"""The maximum length of a line that is searched for its dialect."""
_WHOLE_LINES = MappingProxyType(
    {
        name: re.compile(
            r"([ \t]*+)([A-Za-z][A-Za-z0-9]{0,15}+)(?![A-Za-z0-9])"
            + (r"([^\r\n]*+(?:\r(?!\n)[^\r\n]*+)*+)(\r?\n)" if dialect.crlf else r"([^\n]*+)(\n)")
        )
        for name, dialect in DIALECTS.items()
    }
)
"""A complete command line after its header character."""
_MESSAGES = MappingProxyType(
    {
        header: re.compile(
            rf"{header}[ \t]*+(?:{'|'.join([each.name for each in dialect.commands.values() if each.begins_message])})"
            "(?![A-Za-z0-9])"
        )
        for header, dialect in DIALECTS.items()
    }
)
"""A command that begins a message, with its header character."""
_COMMENT_ENDS = MappingProxyType({name: re.compile(rf"\n{name}[ \t]*(?:/\*|\*/)") for name in DIALECTS})
_REST_KINDS = MappingProxyType(
    {kind.name: kind for kind in (kinds.ARGUMENTS, kinds.MALFORMED, kinds.COMMENT_LINE, kinds.COMMENT)}
)


class StfScanner:
    """Classifies lines as data, command, comment or escape.

    A section is a message, from its command line up to the next one, or text outside messages. To the editor, inside a
    block command only `end` and the start of another message are commands, so that a forgotten `end` does not swallow
    the rest of the document. `dialect` is "@", ";" or "auto", which uses the dialect of the first valid command or
    comment.

    Source: simple-text-format, "File Structure", "Comment", "Command".
    """

    free: ClassVar = frozenset((kinds.TEXT,))
    resets: Final = kinds.MESSAGES

    __slots__ = ("dialect", "initial")

    def __init__(self, dialect: Literal["@", ";", "auto"] = "auto", *, has_default: bool = False) -> None:
        self.dialect = dialect
        known = "" if dialect == "auto" else dialect
        self.initial = StfState(TEXT_START, FRESH, 0, "", known, "", False, has_default=has_default)

    def scan(self, text: str, start: int, stop: int, state: StfState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        return _Scan(text, start, stop, state, final, stop).run()

    def inside(self, text: str, start: int, at: int, stop: int, state: StfState) -> StfState:
        """See `Outer.inside`."""
        inside: StfState = self.scan_up_to(text, start, at, stop, state).state
        return inside

    def scan_up_to(self, text: str, start: int, at: int, stop: int, state: StfState) -> Scanned:
        """Scan a part of the text that a scan from `start` to `stop` has read."""
        return _Scan(text, start, at, state, True, stop).run()


class _Scan:
    """One call of `scan`: its place and its results. It looks ahead up to `sight`, beyond `stop`."""

    __slots__ = (
        "around",
        "at",
        "context",
        "depth",
        "dialect",
        "ended",
        "final",
        "has_default",
        "head",
        "known",
        "place",
        "returns",
        "sight",
        "start",
        "stop",
        "text",
        "tokens",
        "word",
    )

    def __init__(self, text: str, start: int, stop: int, state: StfState, final: bool, sight: int) -> None:
        self.text, self.start, self.stop, self.final, self.sight = text, start, stop, final, sight
        self.at = start
        self.tokens: list[Token] = []
        (
            self.place,
            self.context,
            self.depth,
            self.word,
            self.known,
            self.around,
            self.returns,
            _,
            _,
            self.has_default,
            self.ended,
        ) = state
        self.dialect = DIALECTS.get(self.known, AT)
        self.head = False

    def run(self) -> Scanned:
        stop = self.stop
        if self.place == TEXT_START and self.at < stop:
            if self.text[self.at] == "\ufeff":
                self._take(kinds.BYTE_ORDER_MARK, self.at + 1)
                self.start = self.at
            self.place = LINE_START
        self.head = self.place == LINE_START and not self.depth and (self.context == FRESH or self._begins_message())
        while self.at < stop:
            place = self.place
            if place == LINE_START:
                known = self.known
                if not self._line():
                    self.known = known
                    break
            elif place == IN_TEXT:
                self._data_rest()
            elif place == BEHIND_HEADER:
                if not self._behind_header():
                    break
            elif place == IN_NAME:
                if not self._name():
                    break
            elif not self._rest():
                break
        returns = self.returns or self.text.find("\r\n", self.start, self.at) >= 0
        state = StfState(
            self.place,
            self.context,
            self.depth,
            self.word,
            self.known,
            self.around,
            returns,
            "",
            "",
            self.has_default,
            self.ended,
        )
        return Scanned(self.tokens, self.at, state, self.head)

    def _line(self) -> bool:
        """Begin a line. False if it belongs to the next section, or if too little of it has arrived."""
        if not self.known and not self._decide():
            return False
        header = self.text[self.at] == self.dialect.header
        if self.at > self.start and not self.depth and (self.context == FRESH or (header and self._begins_message())):
            return False
        if header and self.at + 1 == self.stop and not self.final:
            return False
        if self.context == FRESH:
            # the next text is not at the start of a section
            self.context, self.ended = OUTSIDE, False
        if header:
            self._header_line()
        else:
            self._data_lines()
        return True

    def _begins_message(self) -> bool:
        if not self.known:
            self._decide()
        return _MESSAGES[self.dialect.header].match(self.text, self.at, self.sight) is not None

    def _decide(self) -> bool:
        """Use the dialect of the first valid command or comment, in `auto`.

        False if too little of the line has arrived.
        """
        text, at, stop = self.text, self.at, self.sight
        if text[at] not in "@;":
            return True
        if not self.final and stop - at <= _DECIDING and text.find("\n", at, stop) < 0:
            return False
        found = _KNOWN_LINE.match(text, at, min(stop, at + _DECIDING))
        if found and (found[2] is None or found[2] in DIALECTS[found[1]].commands):
            self.known = found[1]
            self.dialect = DIALECTS[self.known]
        return True

    def _data_lines(self) -> None:
        """Read all lines up to the next possible command, in one step."""
        text, at, stop, header = self.text, self.at, self.stop, self.dialect.header
        if self.context in LINES and not self.depth:
            self.place = IN_TEXT
            return
        end = text.find("\n" + header, at, stop) + 1
        if self.depth and end:
            end = self._comment_lines(end)
        if not self.known:
            other = text.find("\n;", at, end or stop) + 1
            end = other or end
        if not end:
            end = stop
        self._data(end)
        self.place = LINE_START if text[end - 1] == "\n" else IN_TEXT

    def _comment_lines(self, start: int) -> int:
        """Return the next line in a comment block that begins or ends one; or the last line if it is incomplete."""
        text, stop = self.text, self.stop
        found = _COMMENT_ENDS[self.dialect.header].search(text, start - 1, stop)
        return found.start() + 1 if found else max(text.rfind("\n", start - 1, stop) + 1, start)

    def _data_rest(self) -> None:
        """Read the rest of a data line."""
        newline = self.text.find("\n", self.at, self.stop)
        if newline < 0:
            self._data(self.stop)
        else:
            closes = self.context in LINES and not self.depth
            self._data(newline + 1)
            self.place = LINE_START
            if closes:
                self.context, self.around = self.around, ""

    def _data(self, end: int) -> None:
        if self.depth:
            kind = kinds.COMMENT
        elif self.context in BLOCKS or self.context in LINES:
            kind = kinds.PATH if self.context == EMBED else kinds.BODY
        else:
            kind = kinds.TEXT
            if self.context == OUTSIDE and NOT_BLANK[self.dialect.header].search(self.text, self.at, end):
                self.context = STRAY
        if end > self.at:
            self.tokens.append(kind.of[end - self.at])
            self.at = end

    def _header_line(self) -> None:
        text, at = self.text, self.at
        escape = at + 1 < self.stop and text[at + 1] == self.dialect.header
        if self.depth:
            self._take(kinds.COMMENT, at + 2 if escape else at + 1)
            self.place = IN_TEXT if escape else BEHIND_HEADER
        elif escape:
            self._take(kinds.BODY if self.context in BLOCKS else kinds.ESCAPE, at + 1)
            self.place = IN_TEXT
        else:
            self.tokens.append(kinds.HEADER.of[1])
            self.at, self.place = at + 1, BEHIND_HEADER
            self._whole_command_line()

    def _whole_command_line(self) -> None:
        """Read a complete command line with one match, if possible. The steps below read the others."""
        found = _WHOLE_LINES[self.dialect.header].match(self.text, self.at, self.stop)
        if found is None:
            return
        indent, name, rest, end = found.groups()
        tokens = self.tokens
        if indent:
            tokens.append(kinds.BLANK.of[len(indent)])
        tokens.append(self._meaning(name).of[len(name)])
        if rest:
            tokens.append(kinds.ARGUMENTS.of[len(rest)])
        tokens.append(kinds.LINE_END.of[len(end)])
        self.at = found.end()
        self.place, self.word = LINE_START, ""

    def _behind_header(self) -> bool:
        text, at, stop = self.text, self.at, self.stop
        end = at
        while end < stop and text[end] in " \t":
            end += 1
        if end > at:
            self._take(kinds.COMMENT if self.depth else kinds.BLANK, end)
            if end == stop:
                return True
        first = text[end]
        if first in "/*" and end + 1 == stop and not self.final:
            return False
        two = text[end : min(end + 2, stop)]
        if two == "/*":
            self.depth += 1
            self._take(kinds.COMMENT_OPEN, end + 2)
            self.place, self.word = IN_REST, kinds.COMMENT.name
        elif two == "*/":
            self._take(kinds.COMMENT_CLOSE if self.depth else kinds.STRAY_CLOSE, end + 2)
            self.depth = max(self.depth - 1, 0)
            self.place, self.word = IN_REST, kinds.COMMENT.name
        elif self.depth:
            self.place, self.word = IN_REST, kinds.COMMENT.name
        elif first == "#" or two == "//":
            self.place, self.word = IN_REST, kinds.COMMENT_LINE.name
        elif first.isascii() and first.isalpha():
            self.place, self.word = IN_NAME, ""
        else:
            self.place, self.word = IN_REST, kinds.MALFORMED.name
        return True

    def _name(self) -> bool:
        """Read the name of a command. Its meaning is known at its end: the parts of a longer one have one kind."""
        text, at, stop = self.text, self.at, self.stop
        end = at
        while end < stop and text[end].isascii() and text[end].isalnum():
            end += 1
        word = text[at:end]
        if end == stop and not self.final and len(word) <= _LONGEST_NAME and not self.word:
            return False
        if self.word or len(word) > _LONGEST_NAME:
            _, self.context, self.around = unknown(self.context, self.around)
            self._take(kinds.UNKNOWN_NAME, end)
            self.word = "…"
            if end < stop:
                self.place, self.word = IN_REST, kinds.ARGUMENTS.name
            return True
        self._take(self._meaning(word), end)
        self.place, self.word = IN_REST, kinds.ARGUMENTS.name
        return True

    def _meaning(self, name: str) -> Kind:
        in_message = MESSAGE in (self.context, self.around)
        kind, self.context, self.around = meaning(name, self.dialect, self.context, self.around)
        self.ended = in_message and self.context == FRESH
        return kind

    def _rest(self) -> bool:
        """Read the rest of a command or comment line."""
        text, at, stop = self.text, self.at, self.stop
        newline = text.find("\n", at, stop)
        end = stop if newline < 0 else newline
        kind = _REST_KINDS[self.word]
        inside = kind is kinds.COMMENT and self.depth
        if self.dialect.crlf and end > at and text[end - 1] == "\r":
            if newline < 0:
                if not self.final:
                    if end - 1 > at:
                        self._take(kind, end - 1)
                    return False
            else:
                end -= 1
        if end > at:
            self._take(kind, end)
        if newline >= 0:
            self._take(kinds.COMMENT if inside else kinds.LINE_END, newline + 1)
            self.place, self.word = LINE_START, ""
        return True

    def _take(self, kind: Kind, end: int) -> None:
        if end > self.at:
            self.tokens.append(kind.of[end - self.at])
            self.at = end
