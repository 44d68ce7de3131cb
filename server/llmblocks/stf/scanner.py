"""Tokens of Simple Text Format, and the state of the scanner: the context of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.stf import kinds
from llmblocks.stf.syntax import AT, DIALECTS, NAME, NOT_BLANK, Dialect, first_decided, parse_arguments

# The position of the scanner in a line.
TEXT_START: Final = -1  # the first line of the text, which may begin with a byte-order mark
LINE_START: Final = 0
IN_TEXT: Final = 1
BEHIND_HEADER: Final = 2
IN_REST: Final = 3
FRESH: Final = "fresh"  # nothing read since the document began or a message ended
OUTSIDE: Final = "outside"
STRAY: Final = "stray"  # outside, after text: with a default role, that text is a message
MESSAGE: Final = "message"
RAW: Final = "raw"  # in a block command that is a message
CALL: Final = "call"  # between a line command and its data line
EMBED: Final = "embed"
BLOCKS: Final = frozenset((RAW, "meta", "extra"))
"""The contexts in block commands. All but `raw` belong to the message around them, or to no message."""
LINES: Final = frozenset((CALL, EMBED))
_ONLY: Final = {kinds.TEXT_OF_CALLS: frozenset(("gadget",)), kinds.TEXT_OF_BLOCKS: frozenset(("tags",))}
"""The formats in a text that holds not all of them."""
_LONGEST_NAME = 16
_LONGEST_GIVEN = 4096
"""The maximum length of arguments that are searched for a role."""
_DECIDING = 1 + 64 + _LONGEST_NAME
"""The maximum length of a line that is searched for its dialect."""
_COMMAND = re.compile(rf"([ \t]*+)(?:(#|//|/\*|\*/)|({NAME}))?")
"""The start of a command line, after its header character."""
_NAME_END = re.compile(r"[^A-Za-z0-9]")
_MESSAGES = {
    header: re.compile(rf"{header}[ \t]*+(?:{names})(?![A-Za-z0-9])")
    for header, dialect in DIALECTS.items()
    for names in ["|".join([each.name for each in dialect.commands.values() if each.begins_message])]
}
"""A command that begins a message, with its header character."""


def meaning(name: str, dialect: Dialect, context: str, around: str) -> tuple[Kind, str, str]:
    """Return the kind of a command's name, and the contexts after and around it; an unknown one may be misspelt."""
    exact = dialect.commands.get(name)
    command = exact or dialect.commands.get(name.lower())
    in_block = context in BLOCKS
    is_dropped = in_block and command is not None and command.mode != "end" and not (exact and exact.begins_message)
    if command is None or is_dropped:
        # the line command before it has no data line
        return (kinds.UNKNOWN_NAME, around, "") if context in LINES else (kinds.UNKNOWN_NAME, context, around)
    outer = around or (OUTSIDE if context in (RAW, FRESH) else context)
    if command.begins_message:
        found = (kinds.RAW_NAME, RAW, "") if command.canonical == RAW else (kinds.MESSAGE_NAME, MESSAGE, "")
    elif command.mode == "end":
        after = FRESH if context == RAW else outer
        found = kinds.END_NAME if in_block else kinds.STRAY_END, after, ""
    elif command.mode == "flush":
        found = kinds.FLUSH_NAME, FRESH, ""
    else:
        found = kinds.BLOCK_NAME if command.mode == "block" else kinds.LINE_NAME, command.canonical, outer
    return found if exact else (kinds.UNKNOWN_NAME, *found[1:])


class StfState(NamedTuple):
    """The state of the scanner."""

    dialect: str
    """"" until a line has decided it."""
    place: int = TEXT_START
    context: str = FRESH
    around: str = ""
    """The context around the open block or line command."""
    depth: int = 0
    """The number of open comment blocks."""
    rest: Kind | None = None
    returns: bool = False
    """Whether a `\\r\\n` has been read."""
    has_default: bool = False
    """Whether text outside of messages is a message of a default role."""
    text: Kind = kinds.TEXT
    given: str = ""
    """In a line that may name a role: its arguments so far, after a `=`."""

    @property
    def crlf(self) -> bool:
        """Whether `\\r\\n` ends a line of a message, as `\\n` does."""
        return DIALECTS[self.dialect or "@"].crlf


def state_of(state: object) -> StfState:
    """Return the state of this format's scanner, which is the outermost one."""
    found = state_in(state, StfState)
    assert found is not None
    return found


class StfScanner:
    """Classifies lines as data, command, comment or escape.

    A section is a message, from its command line up to the next one, or text outside messages. To the editor, inside a
    block command only `end` and the start of another message are commands, so that a forgotten `end` does not swallow
    the rest of the document. `dialect` is "@", ";" or "auto", which uses the dialect of the first valid command or
    comment. `kind_of` returns the kind of text in messages of a role, which is empty for text without one.

    Source: simple-text-format, "File Structure", "Comment", "Command".
    """

    free: Final = frozenset((kinds.TEXT, kinds.TEXT_OF_CALLS, kinds.TEXT_OF_BLOCKS))
    resets: Final = kinds.MESSAGES

    __slots__ = ("initial", "kind_of", "only")

    def __init__(
        self,
        dialect: Literal["@", ";", "auto"] = "auto",
        *,
        has_default: bool = False,
        kind_of: Callable[[str], Kind] | None = None,
    ) -> None:
        known = "" if dialect == "auto" else dialect
        self.kind_of = kind_of or (lambda _: kinds.TEXT)
        self.only = {} if kind_of is None else _ONLY
        # without a default role, text outside of messages is lost, with all that is in it
        outside = self.kind_of("") if has_default else kinds.PLAIN_TEXT
        self.initial = StfState(known, has_default=has_default, text=outside)

    def scan(self, text: str, start: int, stop: int, state: StfState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        return _Scan(self, text, start, stop, state, final, stop).run()

    def inside(self, text: str, start: int, at: int, stop: int, state: StfState) -> StfState:
        """See `Outer.inside`."""
        return state_of(self.scan_up_to(text, start, at, stop, state).state)

    def scan_up_to(self, text: str, start: int, at: int, stop: int, state: StfState) -> Scanned:
        """Scan a part of the text that a scan from `start` to `stop` has read."""
        return _Scan(self, text, start, at, state, True, stop).run()


class _Scan:
    """One call of `scan`: its place and its results. It looks ahead up to `sight`, beyond `stop`."""

    def __init__(
        self, scanner: StfScanner, text: str, start: int, stop: int, state: StfState, final: bool, sight: int
    ) -> None:
        self.scanner = scanner
        self.text, self.start, self.stop, self.final, self.sight = text, start, stop, final, sight
        self.at = start
        self.tokens: list[Token] = []
        self.known, self.place, self.context, self.around, self.depth, self.rest = state[:6]
        self.returns, self.has_default, self.kind, self.given = state[6:]
        self.dialect = DIALECTS.get(self.known, AT)

    def run(self) -> Scanned:
        if self.place == TEXT_START and self.at < self.stop:
            self._take(kinds.BYTE_ORDER_MARK, self.at + self.text.startswith("\ufeff", self.at))
            self.start, self.place = self.at, LINE_START
        head = self.place == LINE_START and not self.depth and (self.context == FRESH or self._begins_message())
        goes_on = True
        while goes_on and self.at < self.stop:
            goes_on = _STEPS[self.place](self)
        returns = self.returns or self.text.find("\r\n", self.start, self.at) >= 0
        here = self.known, self.place, self.context, self.around, self.depth, self.rest
        state = StfState(*here, returns, self.has_default, self.kind, self.given)
        return Scanned(self.tokens, self.at, state, head)

    def _line(self) -> bool:
        """Begin a line. False if it belongs to the next section, or if too little of it has arrived."""
        text, at = self.text, self.at
        known = self.known or self._decided()
        if known is None:
            return False
        dialect = DIALECTS.get(known, AT)
        is_header = text[at] == dialect.header
        if at > self.start and not self.depth and (self.context == FRESH or (is_header and self._begins_message())):
            return False
        if is_header and at + 1 == self.stop and not self.final:
            return False
        self.known, self.dialect = known, dialect
        if self.context == FRESH:
            # the next text is not at the start of a section
            self.context = OUTSIDE
        if not is_header:
            self._data_lines()
        elif not text.startswith(dialect.header, at + 1, self.stop):
            self._take(kinds.COMMENT if self.depth else kinds.HEADER, at + 1)
            self.place = BEHIND_HEADER
        else:
            escape = kinds.BODY if self.context in BLOCKS else kinds.ESCAPE
            self._take(kinds.COMMENT if self.depth else escape, at + 1 + bool(self.depth))
            self.place = IN_TEXT
        return True

    def _begins_message(self) -> bool:
        return _MESSAGES[self.known or self._decided() or "@"].match(self.text, self.at, self.sight) is not None

    def _decided(self) -> str | None:
        """Return the dialect that this line decides; None if too little of it has arrived."""
        line, newline, _ = self.text[self.at : min(self.sight, self.at + _DECIDING + 1)].partition("\n")
        if line[:1] not in DIALECTS:
            return ""
        if not (self.final or newline or len(line) > _DECIDING):
            return None
        decided = first_decided(line[:_DECIDING])
        return decided.header if decided else ""

    def _data_lines(self) -> None:
        """Read all lines up to the next possible command, in one step."""
        text, at, stop = self.text, self.at, self.stop
        if self.context in LINES and not self.depth:
            self.place = IN_TEXT
            return
        end = text.find("\n" + self.dialect.header, at, stop) + 1
        if not self.known:
            end = text.find("\n;", at, end or stop) + 1 or end
        self._data(end or stop)

    def _data_rest(self) -> bool:
        """Read the rest of a data line."""
        end = self.text.find("\n", self.at, self.stop) + 1
        self._data(end or self.stop)
        if end and self.context in LINES and not self.depth:
            self.context, self.around = self.around, ""
        return True

    def _data(self, end: int) -> None:
        if self.depth:
            kind = kinds.COMMENT
        elif self.context in BLOCKS or self.context in LINES:
            kind = kinds.PATH if self.context == EMBED else kinds.BODY
        else:
            kind = self.kind
            if self.context == OUTSIDE and NOT_BLANK[self.dialect.header].search(self.text, self.at, end):
                self.context = STRAY
        self._take(kind, end)
        self.place = LINE_START if self.text[end - 1] == "\n" else IN_TEXT

    def _command(self) -> bool:
        """Read spaces, and a sign or a name, which determines the kind of the rest of the line."""
        found = _COMMAND.match(self.text, self.at, self.stop)
        assert found is not None, "nothing need be there"
        sign, name = found.group(2, 3)
        self._take(kinds.COMMENT if self.depth else kinds.BLANK, found.end(1))
        if self.at == self.stop:
            return True
        end = self.stop if sign is None and self.text[self.at] in "/*" and self.at + 1 == self.stop else found.end()
        if not sign and end == self.stop and not self.final and len(name or "") <= _LONGEST_NAME:
            return False
        self.place, self.rest = IN_REST, kinds.COMMENT
        if sign == "/*":
            self.depth += 1
            self._take(kinds.COMMENT_OPEN, end)
        elif sign == "*/":
            self._take(kinds.COMMENT_CLOSE if self.depth else kinds.STRAY_CLOSE, end)
            self.depth = max(self.depth - 1, 0)
        elif not self.depth and name:
            in_message = MESSAGE in (self.context, self.around)
            kind, self.context, self.around = meaning(name, self.dialect, self.context, self.around)
            role = self.dialect.commands[name].role if kind is kinds.MESSAGE_NAME else None
            self.given = "=" if kind is kinds.MESSAGE_NAME and role is None else ""
            if role is not None:
                self.kind = self.scanner.kind_of(role)
            elif self.context in (RAW, FRESH):
                self.kind = self.scanner.initial.text
            elif self.context == MESSAGE and not in_message:
                # or else the role is that of the message before it
                self.kind = self.scanner.kind_of("")
            self._take(kind, end)
            # the end of a longer name may be in another chunk
            self.rest = kinds.ARGUMENTS if len(name) <= _LONGEST_NAME else kind
        elif not self.depth:
            self.rest = kinds.COMMENT_LINE if sign else kinds.MALFORMED
        return True

    def _rest(self) -> bool:
        """Read the rest of a command or comment line."""
        text, at, stop, kind = self.text, self.at, self.stop, self.rest
        assert kind is not None, "the start of the line decides"
        if kind is kinds.UNKNOWN_NAME:
            found = _NAME_END.search(text, at, stop)
            self._take(kind, found.start() if found else stop)
            if not found:
                return True
            at, kind = self.at, kinds.ARGUMENTS
            self.rest = kind
        newline = text.find("\n", at, stop)
        end = stop if newline < 0 else newline
        if self.dialect.crlf and end > at and text[end - 1] == "\r" and (newline >= 0 or not self.final):
            end -= 1
        if kind is kinds.ARGUMENTS and self.given:
            self.given = (self.given + text[at:end])[: _LONGEST_GIVEN + 2]
        self._take(kind, end)
        if newline >= 0:
            if self.given:
                role = parse_arguments(self.given, 1, len(self.given), self.dialect, limit=_LONGEST_GIVEN).get("role")
                if role is not None and isinstance(role.value, str):
                    self.kind = self.scanner.kind_of(role.value)
                self.given = ""
            inside = kind is kinds.COMMENT and self.depth
            self._take(kinds.COMMENT if inside else kinds.LINE_END, newline + 1)
            self.place, self.rest = LINE_START, None
        return newline >= 0 or end == stop

    def _take(self, kind: Kind, end: int) -> None:
        if end > self.at:
            self.tokens.append(kind.of[end - self.at])
            self.at = end


_STEPS = {LINE_START: _Scan._line, IN_TEXT: _Scan._data_rest, BEHIND_HEADER: _Scan._command, IN_REST: _Scan._rest}
