"""Puts messages together from lines: what the decoder and the stream share."""

from __future__ import annotations

import re

from llmblocks.core.finding import Related
from llmblocks.stf.reading.block import Block, merged
from llmblocks.stf.reading.events import (
    Called,
    ContentDelta,
    Embedded,
    Event,
    MessageEnded,
    MessageStarted,
    MetadataChanged,
)
from llmblocks.stf.reading.line_command import Waiting, embed_part, tool_call
from llmblocks.stf.reading.open_message import OpenMessage
from llmblocks.stf.reading.report import Place, Report
from llmblocks.stf.reading.stray_data import Outside
from llmblocks.stf.syntax.arguments import Arguments, parse_arguments
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.dialect import NAME, Dialect
from llmblocks.stf.values.messages import Message, TextPart

_HEADER = re.compile(rf"[ \t]*+(?:(?P<note>#|//)|(?P<open>/\*)|(?P<close>\*/)|(?P<name>{NAME}))")


class Assembler(Report):
    """Takes header lines and data, gives messages, metadata and findings.

    Every line is told by `header`, or by `text` (in one piece, in several, or several lines at once) and `end_line`.
    Where `events` is a list, what happens is appended to it as it happens; messages and findings are not kept then.
    """

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None = None) -> None:
        super().__init__(events)
        self.dialect = dialect
        self.default_role = default_role
        self.messages: list[Message] = []
        self.metadata: object = None
        self.null_metadata = False
        self.open: OpenMessage | None = None
        self.comments: list[Place] = []
        self.block: Block | None = None
        self.waiting: Waiting | None = None
        self.waiting_text: list[str] | None = None
        self.waiting_at = (0, 0)
        self.outside = Outside(default_role is not None)

    @property
    def idle(self) -> bool:
        """Whether a command is just that: no comment, block or line command is open."""
        return not self.comments and self.block is None and self.waiting is None

    # Data

    def text(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Data, without the newline that ends its last line; `at` and `line` are those of its first character."""
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
        """Text of the open message."""
        if begins_line:
            if message.has_line:
                fragment = "\n" + fragment
            message.has_line = True
        if fragment:
            message.pieces.append(fragment)
            if self.events is not None:
                self.events.append(ContentDelta(fragment))

    def _line_text(self, fragment: str, at: int, line: int) -> None:
        """The data line that a line command waits for; what follows it is data again."""
        if self.waiting_text is None:
            self.waiting_text = []
            self.waiting_at = (at, line)
        first, newline, rest = fragment.partition("\n")
        self.waiting_text.append(first)
        if newline:
            self.end_line(at + len(first))
            self.text(rest, at + len(first) + 1, line and line + 1, True)

    def end_line(self, at: int) -> None:
        """A data line is complete; `at` is where it ends."""
        if self.outside.stray is not None:
            self.outside.tell(self, at)
        elif self.waiting is not None and self.waiting_text is not None:
            waiting, text, (start, line) = self.waiting, "".join(self.waiting_text), self.waiting_at
            self.waiting = self.waiting_text = None
            place = Place(start, at, line)
            if self.open is None:
                message = f"'{waiting.command.name}' command requires an active message — it is lost with its data line"
                self.find("S009", "no_message", waiting.name, message)
            elif waiting.command.canonical == "call":
                call = tool_call(waiting, text, place, self)
                self.open.calls.append(call)
                self.emit(Called(call))
            else:
                part = embed_part(waiting, text, self)
                self.open.embed(part)
                self.emit(Embedded(part))

    # Header lines

    def header(self, text: str, place: Place) -> None:
        """A line that begins with the header character; `text` is what follows that character."""
        match = _HEADER.match(text)
        if match is None:
            if not self.comments or self.dialect.checks_commented_lines:
                escape = self.dialect.header * 2
                message = f"Unknown command line — it is dropped; to begin a data line with it, write {escape}"
                self.find("S005", "unknown_line", place, message)
        elif (name := match["name"]) is not None:
            if not self.comments:
                start = place.start + 1 + match.start("name")
                self._command(text, match.end(), name, Place(start, start + len(name), place.line), place)
        elif match["open"]:
            self.comments.append(place)
        elif match["close"]:
            if self.comments:
                self.comments.pop()
            else:
                self.find("S001", "comment", place, "Unexpected block comment end — no comment is open; remove it")

    def _command(self, text: str, name_end: int, name: str, name_place: Place, place: Place) -> None:
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
            self.find("S006", "end", name_place, "Unexpected 'end' command — no block is open; remove it")
            return
        arguments = parse_arguments(text, name_end, len(text), self.dialect)
        self.arguments(arguments, place.start + 1, place.line)
        command = self.dialect.commands.get(name) or self._unknown(name, name_place)
        if command is None or command.mode == "end":
            return
        if command.mode == "message":
            self._start_message(command, arguments, name_place, place)
        elif command.mode == "line":
            self.waiting = Waiting(command, arguments, place, name_place)
        elif command.mode == "flush":
            self.end_message()
        else:
            if command.canonical == "raw":
                self.end_message()
            elif self.open is not None:
                # What stands on both sides of `meta` and `extra` is put together without a newline.
                self.open.has_line = False
            self.block = Block(command, name_place)

    def _unknown(self, name: str, place: Place) -> Command | None:
        """Say that a name is no command; the command that was meant, where only its case is wrong."""
        meant = self.dialect.commands.get(name.lower())
        wording = f"Unknown command '{name}'"
        if meant is not None:
            message = f"{wording} — commands are in lower case; write '{meant.name}'"
            self.find("S004", "unknown_command", place, message)
        elif name.lower() in self.dialect.other.commands:
            other = self.dialect.other.header
            message = f"{wording} — only the '{other}' dialect has it; the line is dropped"
            self.find("S003", "unknown_command", place, message)
        else:
            self.find("S003", "unknown_command", place, f"{wording} — the line is dropped")
        return meant

    def _start_message(self, command: Command, arguments: Arguments, name: Place, place: Place) -> None:
        given = self.strings(arguments, command.arguments, place.start + 1, place.line)
        role = command.role
        if role is None:
            role = given.get("role")
        if role is None:
            role = self.open.message.role if self.open is not None else self.default_role
        if role is None:
            # Where the arguments are wrong, they are told already, and may hold the role.
            if not arguments.problems and arguments.get("role") is None:
                wording = "Attempt to create a new message without a role"
                self.find("S201", "no_role", name, f"{wording} — its role is empty; add role=…")
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

    def adopt(self, message: Message, has_line: bool) -> None:
        """Go on with a message that the caller made, and put into `messages`, itself."""
        self.open = OpenMessage(message)
        self.open.pieces.append(str(message.content))
        self.open.has_line = has_line

    # Blocks

    def _ends_block(self, block: Block, name: str, place: Place) -> bool:
        """Say that a command stands inside a block; whether it ends the block, and is a command all the same."""
        wording = f"Unexpected command '{name}' while a command '{block.command.name}' is being invoked"
        opened = (Related(block.place.start, block.place.end, "the block begins here"),)
        if name.lower() == "end":
            message = f"{wording} — commands are in lower case; write 'end'"
            self.find("S004", "nested_command", place, message, opened)
            self._end_block(block)
            return False
        command = self.dialect.commands.get(name)
        if command is None or command.mode == "line":
            message = f"{wording} — it is dropped; end the block before it"
            self.find("S010", "nested_command", place, message, opened)
            return False
        # The next command is where a forgotten end does least harm.
        message = f"{wording} — it ends the block; write '{self.dialect.header}end' before it"
        self.find("S010", "nested_command", place, message, opened)
        self._end_block(block, quietly=True)
        return True

    def _end_block(self, block: Block, quietly: bool = False) -> None:
        self.block = None
        if block.command.canonical == "raw":
            message = block.read_message(self, quietly)
            if message is not None:
                self._whole_message(message)
            return
        if block.command.canonical == "extra" and self.open is None:
            self.find("S009", "no_message", block.place, "'extra' command requires an active message — it does nothing")
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
        """A message that came in one piece."""
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

    def _miss_data(self, waiting: Waiting) -> None:
        self.waiting = self.waiting_text = None
        name = waiting.command.name
        message = f"'{name}' command requires a data line after it — it does nothing; write the line below it"
        self.find("S008", "unterminated", waiting.name, message)

    def close(self) -> None:
        """The text ends."""
        if self.comments:
            self.find("S002", "comment", self.comments[0], "Unterminated block comment — all that follows is ignored")
        if self.block is not None:
            name = self.block.command.name
            message = f"Unterminated '{name}' command — close it with '{self.dialect.header}end'"
            self.find("S007", "unterminated", self.block.place, message)
            self._end_block(self.block, quietly=True)
        if self.waiting is not None:
            self._miss_data(self.waiting)
        self.end_message()
