"""The meaning of lines: commands, comments and data, with their problems. The decoder and the editor share it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from llmblocks.core.chunks import size_of
from llmblocks.core.places import Related
from llmblocks.stf import rules
from llmblocks.stf.reading.assembler import Assembler
from llmblocks.stf.reading.events import Event
from llmblocks.stf.reading.stray_data import StrayData
from llmblocks.stf.syntax.arguments import Arguments, parse_arguments
from llmblocks.stf.syntax.commands import AT_COMMANDS, Command
from llmblocks.stf.syntax.dialect import NAME, Dialect, unknown_name
from llmblocks.stf.syntax.place import LinePlace
from llmblocks.stf.values.arguments import call_arguments, embed_part, given_by
from llmblocks.stf.values.block import OpenBlock
from llmblocks.stf.values.messages import Message, ToolCall

_HEADER = re.compile(rf"[ \t]*+(?:(?P<note>#|//)|(?P<open>/\*)|(?P<close>\*/)|(?P<name>{NAME}))")
_ROLES: Final = {name: each.role for name, each in AT_COMMANDS.items() if each.role is not None}
"""The commands of roles, which both dialects have."""
_MOST_RELATED: Final = 8


class WaitingCommand(NamedTuple):
    """A line command that waits for its data line."""

    command: Command
    arguments: Arguments
    name: LinePlace
    """The place of its name."""
    given: dict[str, str]
    """Its valid arguments."""


class CommandReader:
    """Reads header lines and data, and reports their problems.

    Pass each line to `header`, or to `text` (in one piece, in several, or several lines at once) and `end_line`.

    Attributes:
        out: Receives messages, metadata and problems.
    """

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None = None) -> None:
        self.dialect = dialect
        self.default_role = default_role
        self.out = Assembler(events)
        self.comments: list[LinePlace] = []
        self.block: OpenBlock | None = None
        self.waiting: WaitingCommand | None = None
        self.waiting_text: list[str] | None = None
        self.waiting_at = (0, 0)
        self.outside = StrayData(default_role is not None)

    @property
    def role(self) -> str | None:
        """The role of the open message, or None."""
        return None if self.out.message is None else self.out.message.role

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

    def end_message(self) -> None:
        """End the open message, if there is one."""
        self.out.end()
        self.outside.begin()

    # Data

    def text(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Read data without its last newline. `at` and `line` are the place of its first character."""
        if self.comments:
            return
        if self.block is not None:
            self.block.add(fragment, at, line, begins_line)
        elif self.waiting is not None:
            self._line_text(fragment, at, line)
        elif self.out.message is not None:
            self.out.content(fragment, begins_line)
        elif (held := self.outside.text(fragment, at, line, begins_line)) is not None:
            self.out.start(Message(self.default_role or ""))
            for text, begins in held:
                self.out.content(text, begins)

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
            self.outside.end_line(self.out, at)
        elif self.waiting is not None and self.waiting_text is not None:
            waiting, text, (start, line) = self.waiting, "".join(self.waiting_text), self.waiting_at
            self.waiting = self.waiting_text = None
            if self.out.message is None:
                return  # the command line has been reported
            if waiting.command.canonical == "call":
                self.call(waiting.given, text, LinePlace(start, at, line))
            else:
                self.out.embed(embed_part(waiting.given, waiting.arguments, text))

    def call(self, given: Mapping[str, str], text: str, place: LinePlace) -> None:
        """Read a call with its data line."""
        arguments = call_arguments(text, place, self.out)
        self.out.call(ToolCall(given.get("name", ""), arguments, given.get("id"), given.get("call_id")))

    # Header lines

    def header(self, text: str, place: LinePlace) -> None:
        """Read a header line; `text` is the text after the header character."""
        role = _ROLES.get(text)
        if role is not None and self.idle:
            # nearly every message begins like this, and takes a third of the time here
            self.end_message()
            self.out.start(Message(role))
            return
        match = _HEADER.match(text)
        # in one dialect a return is part of the line, but this is never intended
        place = place._replace(end=place.start + 1 + len(text.rstrip("\r")))
        if match is None:
            if not self.comments or self.dialect.checks_commented_lines:
                self.out.find(rules.MALFORMED_COMMAND_LINE, place, {"header": self.dialect.header})
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
                self.out.find(rules.UNMATCHED_COMMENT_END, place)

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
            self.out.find(rules.UNEXPECTED_END, name_place)
            return
        commands = self.dialect.commands
        # only the case may be wrong
        command = commands.get(name) or commands.get(name.lower())
        arguments = self.arguments(text, name_end, command, place)
        if name not in commands:
            kind, data = unknown_name(name, self.dialect)
            self.out.find(kind, name_place, data)
        if command is None or command.mode == "end":
            return
        if command.mode == "message":
            self._begin(command, arguments, name_place, place)
        elif command.mode == "line":
            if self.out.message is None:
                self.out.find(rules.DATA_BEFORE_MESSAGE, name_place, {"case": "line-command", "name": command.name})
            given = given_by(command, arguments, name_place, place.start + 1, self.out)
            self.waiting = WaitingCommand(command, arguments, name_place, given)
        elif command.mode == "flush":
            self.end_message()
        else:
            if command.canonical == "raw":
                self.end_message()
            self.out.break_text()
            self.block = OpenBlock(command, name_place)

    def arguments(self, text: str, start: int, command: Command | None, place: LinePlace) -> Arguments:
        """Read the arguments in a header line, and report their problems. `command` is None for an unknown one."""
        arguments = parse_arguments(text, start, len(text), self.dialect)
        for problem in (*arguments.problems, *arguments.repeated):
            moved = problem.moved(place.start + 1)
            self.out.find(moved.rule, LinePlace(moved.start, moved.end, place.line), moved.data, moved.related)
        return arguments

    def _begin(self, command: Command, arguments: Arguments, name: LinePlace, place: LinePlace) -> None:
        given = given_by(command, arguments, name, place.start + 1, self.out)
        role: str | None = None
        for each in (command.role, given.get("role"), self.role, self.default_role):
            role = each if role is None else role
        if role is None:
            # Wrong arguments are already reported, and may contain the role.
            if not arguments.problems and arguments.get("role") is None:
                self.out.find(rules.MESSAGE_WITHOUT_ROLE, name)
            role = ""
        self.end_message()
        self.out.start(Message(role, "", given.get("id"), given.get("name"), given.get("call_id")))

    # Blocks

    def _ends_block(self, block: OpenBlock, name: str, place: LinePlace) -> bool:
        """Report a command inside a block; return whether it ends the block and is executed."""
        data = {"name": name, "block": block.command.name}
        opened = (Related(block.place.start, block.place.end, "the block begins here"),)
        if name.lower() == "end":
            self.out.find(rules.COMMAND_CASE, place, {**data, "case": "in-block", "meant": "end"}, opened)
            self._end_block(block)
            return False
        command = self.dialect.commands.get(name)
        if command is None or not command.begins_message:
            self.out.find(rules.COMMAND_IN_BLOCK, place, data, opened)
            return False
        # At the next message, a forgotten end does the least harm.
        self.out.find(rules.COMMAND_IN_BLOCK, place, {**data, "case": "ends-block", "header": self.dialect.header})
        self._end_block(block, quietly=True)
        return True

    def _end_block(self, block: OpenBlock, quietly: bool = False) -> None:
        self.block = None
        if block.command.canonical == "extra" and self.out.message is None:
            self.out.find(rules.DATA_BEFORE_MESSAGE, block.place, {"case": "block-command", "name": block.command.name})
        else:
            self.read_block(block, quietly)

    def read_block(self, block: OpenBlock, quietly: bool) -> None:
        """Read the data of a complete block; `quietly` without its problems."""
        if block.command.canonical == "raw":
            message = block.read_message(self.out, quietly)
            if message is not None:
                self.out.whole(message)
        elif (result := block.read_json(self.out, quietly)) is not None:
            if block.command.canonical == "extra":
                self.out.set_extra(result.value)
            else:
                self.out.set_metadata(result.value)

    def _miss_data(self, waiting: WaitingCommand) -> None:
        self.waiting = self.waiting_text = None
        if self.out.message is not None:
            self.out.find(rules.MISSING_DATA_LINE, waiting.name, {"name": waiting.command.name})

    def close(self, is_last: bool = True) -> None:
        """End the text; or a section of it, after which a message begins."""
        if self.comments:
            outermost, *inner = self.comments[: _MOST_RELATED + 1]
            related = tuple([Related(each.start, each.end, "still open inside it") for each in inner])
            self.out.find(rules.UNTERMINATED_COMMENT, outermost, {"header": self.dialect.header}, related)
        if self.block is not None:
            if is_last:
                data = {"name": self.block.command.name, "header": self.dialect.header}
                self.out.find(rules.UNTERMINATED_BLOCK, self.block.place, data)
            self._end_block(self.block, quietly=True)
        if self.waiting is not None:
            self._miss_data(self.waiting)
        self.end_message()
