"""The assembly of messages from lines, shared by the decoder and the stream."""

from __future__ import annotations

import re

from llmblocks.core.chunks import size_of
from llmblocks.core.places import Related
from llmblocks.stf import rules
from llmblocks.stf.reading.events import (
    Called,
    ContentDelta,
    Embedded,
    Event,
    MessageEnded,
    MessageStarted,
    MetadataChanged,
)
from llmblocks.stf.reading.open_message import OpenMessage, WaitingCommand, embed_part, tool_call
from llmblocks.stf.reading.report import ProblemReport
from llmblocks.stf.reading.stray_data import StrayData
from llmblocks.stf.syntax.arguments import Arguments, parse_arguments
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.dialect import NAME, Dialect, unknown_name
from llmblocks.stf.syntax.place import BLOCK_BEGINS, MOST_RELATED, STILL_OPEN, LinePlace
from llmblocks.stf.values.arguments import given_by
from llmblocks.stf.values.block import OpenBlock, merged
from llmblocks.stf.values.messages import Message, TextPart

_HEADER = re.compile(rf"[ \t]*+(?:(?P<note>#|//)|(?P<open>/\*)|(?P<close>\*/)|(?P<name>{NAME}))")


class Assembler(ProblemReport):
    """Builds messages, metadata and findings from header lines and data.

    Pass each line to `header`, or to `text` (in one piece, in several, or several lines at once) and `end_line`. If
    `events` is a list, events are appended to it, and messages and findings are not kept.
    """

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None = None) -> None:
        super().__init__(events)
        self.dialect = dialect
        self.default_role = default_role
        self.messages: list[Message] = []
        self.metadata: object = None
        self.null_metadata = False
        self._bare = {name: each.role for name, each in dialect.commands.items()}
        self.open: OpenMessage | None = None
        self.comments: list[LinePlace] = []
        self.block: OpenBlock | None = None
        self.waiting: WaitingCommand | None = None
        self.waiting_text: list[str] | None = None
        self.waiting_at = (0, 0)
        self.outside = StrayData(default_role is not None)

    @property
    def idle(self) -> bool:
        """Whether a command has its normal meaning: no comment, block or line command is open."""
        return not self.comments and self.block is None and self.waiting is None

    @property
    def held(self) -> str:
        """The body, so far, of an open block or line command."""
        return self.block.text() if self.block is not None else "".join(self.waiting_text or ())

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy."""
        return len(self.block) if self.block is not None else size_of(self.waiting_text or [])

    # Data

    def text(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Read data without its last newline. `at` and `line` are the place of its first character."""
        if self.comments:
            return
        if self.block is not None:
            self.block.add(fragment, at, line, begins_line)
        elif self.waiting is not None:
            self._line_text(fragment, at, line)
        elif self.open is not None:
            self.content(self.open, fragment, begins_line)
        elif (held := self.outside.text(fragment, at, line, begins_line)) is not None:
            self._start(Message(self.default_role or ""))
            for text, begins in held:
                self.text(text, at, line, begins)

    def content(self, message: OpenMessage, fragment: str, begins_line: bool) -> None:
        """Add text to the open message."""
        if begins_line:
            if message.has_line:
                fragment = "\n" + fragment
            message.has_line = True
        if fragment:
            message.pieces.append(fragment)
            if self.events is not None:
                self.events.append(ContentDelta(fragment))

    def _line_text(self, fragment: str, at: int, line: int) -> None:
        """Read the data line of a line command; data follows it."""
        if self.waiting_text is None:
            self.waiting_text = []
            self.waiting_at = (at, line)
        first, newline, rest = fragment.partition("\n")
        self.waiting_text.append(first)
        if newline:
            self.end_line(at + len(first))
            self.text(rest, at + len(first) + 1, line and line + 1, True)

    def end_line(self, at: int) -> None:
        """End a data line at `at`."""
        if self.outside.stray is not None:
            self.outside.tell(self, at)
        elif self.waiting is not None and self.waiting_text is not None:
            waiting, text, (start, line) = self.waiting, "".join(self.waiting_text), self.waiting_at
            self.waiting = self.waiting_text = None
            place = LinePlace(start, at, line)
            if self.open is None:
                return  # the command line has been reported
            if waiting.command.canonical == "call":
                call = tool_call(waiting, text, place, self)
                self.open.calls.append(call)
                self.emit(Called(call))
            else:
                part = embed_part(waiting, text)
                self.open.embed(part)
                self.emit(Embedded(part))

    # Header lines

    def header(self, text: str, place: LinePlace) -> None:
        """Read a header line; `text` is the text after the header character."""
        role = self._bare.get(text)
        if role is not None and self.idle:
            # nearly every message begins like this, and takes a third of the time here
            self.end_message()
            self._start(Message(role))
            return
        match = _HEADER.match(text)
        # in one dialect a return is part of the line, but this is never intended
        place = place._replace(end=place.start + 1 + len(text.rstrip("\r")))
        if match is None:
            if not self.comments or self.dialect.checks_commented_lines:
                self.find(rules.MALFORMED_COMMAND_LINE, place, {"header": self.dialect.header})
        elif (name := match["name"]) is not None:
            if not self.comments:
                start = place.start + 1 + match.start("name")
                self._command(text, match.end(), name, LinePlace(start, start + len(name), place.line), place)
        elif match["open"]:
            self.comments.append(place)
        elif match["close"]:
            if self.comments:
                self.comments.pop()
            else:
                self.find(rules.UNMATCHED_COMMENT_END, place)

    def _command(self, text: str, name_end: int, name: str, name_place: LinePlace, place: LinePlace) -> None:
        if self.block is not None:
            if name == "end":
                self._end_block(self.block)
                return
            if not self._ends_block(self.block, name, name_place):
                return
        if self.waiting is not None:
            self._miss_data(self.waiting)
        self.outside.command()
        if name == "end":
            self.find(rules.UNEXPECTED_END, name_place)
            return
        arguments = parse_arguments(text, name_end, len(text), self.dialect)
        self.arguments(arguments, place.start + 1, place.line)
        command = self.dialect.commands.get(name) or self._unknown(name, name_place)
        if command is None or command.mode == "end":
            return
        if command.mode == "message":
            self._start_message(command, arguments, name_place, place)
        elif command.mode == "line":
            if self.open is None:
                self.find(rules.DATA_BEFORE_MESSAGE, name_place, {"case": "line-command", "name": command.name})
            given = given_by(command, arguments, name_place, place.start + 1, self)
            self.waiting = WaitingCommand(command, arguments, name_place, given)
        elif command.mode == "flush":
            self.end_message()
        else:
            if command.canonical == "raw":
                self.end_message()
            elif self.open is not None:
                # Text before and after `meta` and `extra` is joined without a newline.
                self.open.has_line = False
            self.block = OpenBlock(command, name_place)

    def _unknown(self, name: str, place: LinePlace) -> Command | None:
        """Report an unknown command; return the intended command if only its case is wrong."""
        kind, data = unknown_name(name, self.dialect)
        self.find(kind, place, data)
        return self.dialect.commands.get(name.lower())

    def _start_message(self, command: Command, arguments: Arguments, name: LinePlace, place: LinePlace) -> None:
        given = given_by(command, arguments, name, place.start + 1, self)
        role = command.role
        if role is None:
            role = given.get("role")
        if role is None:
            role = self.open.message.role if self.open is not None else self.default_role
        if role is None:
            # Wrong arguments are already reported, and may contain the role.
            if not arguments.problems and arguments.get("role") is None:
                self.find(rules.MESSAGE_WITHOUT_ROLE, name)
            role = ""
        self.end_message()
        self._start(Message(role, "", given.get("id"), given.get("name"), given.get("call_id")))

    def _start(self, message: Message) -> None:
        self.open = OpenMessage(message)
        if self.events is None:
            self.messages.append(message)
        else:
            self.events.append(MessageStarted(message.role, message.id, message.name, message.call_id))

    def end_message(self) -> None:
        """End the open message, if there is one."""
        if self.open is not None:
            message = self.open.close()
            self.open = None
            self.emit(MessageEnded(message))
        self.outside.begin()

    # Blocks

    def _ends_block(self, block: OpenBlock, name: str, place: LinePlace) -> bool:
        """Report a command inside a block; return whether it ends the block and is executed."""
        data = {"name": name, "block": block.command.name}
        opened = (Related(block.place.start, block.place.end, BLOCK_BEGINS),)
        if name.lower() == "end":
            self.find(rules.COMMAND_CASE, place, {**data, "case": "in-block", "meant": "end"}, opened)
            self._end_block(block)
            return False
        command = self.dialect.commands.get(name)
        if command is None or not command.begins_message:
            self.find(rules.COMMAND_IN_BLOCK, place, data, opened)
            return False
        # At the next message, a forgotten end does the least harm.
        self.find(rules.COMMAND_IN_BLOCK, place, {**data, "case": "ends-block", "header": self.dialect.header})
        self._end_block(block, quietly=True)
        return True

    def _end_block(self, block: OpenBlock, quietly: bool = False) -> None:
        self.block = None
        if block.command.canonical == "raw":
            message = block.read_message(self, quietly)
            if message is not None:
                self._whole_message(message)
            return
        if block.command.canonical == "extra" and self.open is None:
            self.find(rules.DATA_BEFORE_MESSAGE, block.place, {"case": "block-command", "name": block.command.name})
            return
        result = block.read_json(self, quietly)
        if result is None:
            return
        if self.open is not None and block.command.canonical == "extra":
            self.open.set_extra(result.value)
        else:
            self.metadata = merged(self.metadata, result.value)
            self.null_metadata = self.metadata is None
            self.emit(MetadataChanged(self.metadata))

    def _whole_message(self, message: Message) -> None:
        """Add a complete message."""
        if self.events is None:
            self.messages.append(message)
            return
        self.emit(MessageStarted(message.role, message.id, message.name, message.call_id))
        for part in [TextPart(message.content)] if isinstance(message.content, str) else message.content:
            if not isinstance(part, TextPart):
                self.emit(Embedded(part))
            elif part.text:
                self.emit(ContentDelta(part.text))
        for call in message.tool_calls or ():
            self.emit(Called(call))
        self.emit(MessageEnded(message))

    def _miss_data(self, waiting: WaitingCommand) -> None:
        self.waiting = self.waiting_text = None
        if self.open is not None:
            self.find(rules.MISSING_DATA_LINE, waiting.name, {"name": waiting.command.name})

    def close(self) -> None:
        """End the text."""
        if self.comments:
            outermost, *inner = self.comments[: MOST_RELATED + 1]
            related = tuple([Related(each.start, each.end, STILL_OPEN) for each in inner])
            self.find(rules.UNTERMINATED_COMMENT, outermost, {"header": self.dialect.header}, related)
        if self.block is not None:
            data = {"name": self.block.command.name, "header": self.dialect.header}
            self.find(rules.UNTERMINATED_BLOCK, self.block.place, data)
            self._end_block(self.block, quietly=True)
        if self.waiting is not None:
            self._miss_data(self.waiting)
        self.end_message()
