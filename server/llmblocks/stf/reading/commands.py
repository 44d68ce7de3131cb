"""The meaning of lines: commands, comments and data, with their problems. The decoder and the editor share it."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.core.places import Related
from llmblocks.stf import rules, syntax
from llmblocks.stf.reading.assembler import Assembler, Event, OpenCommand
from llmblocks.stf.syntax import Arguments, Command, Dialect, Find, LinePlace
from llmblocks.stf.values.messages import Message
from llmblocks.stf.values.shape import what

_HEADER = re.compile(rf"[ \t]*+(?:(?P<note>#|//)|(?P<open>/\*)|(?P<close>\*/)|(?P<name>{syntax.NAME}))")
_ROLES: Final = {name: each.role for name, each in syntax.AT_COMMANDS.items() if each.role is not None}
"""The commands of roles, which both dialects have."""
_OF_EMBED: Final = ("type", "mime", "data", "name", "format", "file_id")
_NOT_BLANK = re.compile(r"[^ \t\n]")


class CommandReader:
    """Reads header lines with `header`, data with `text`, in any pieces, and `end_line`; `out` gets what they mean."""

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None = None) -> None:
        self.dialect = dialect
        self.default_role = default_role
        self.out = Assembler(events)
        self.comments: list[LinePlace] = []
        self.opened: OpenCommand | None = None
        self.is_reported = False
        """Whether a line outside of messages has been reported, since the last message."""
        self.line_at = (0, 0)
        """The place and the number of the last line outside of messages."""
        self._is_stray = False
        self._blank_lines: list[tuple[str, bool]] = []

    @property
    def idle(self) -> bool:
        """Whether a command has its normal meaning: no comment, block or line command is open."""
        return not self.comments and self.opened is None

    def end_message(self) -> None:
        """End the open message, if there is one."""
        self.out.end()
        self.is_reported = False
        self._blank_lines = []

    # Data

    def text(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Read data without its last newline. `at` and `line` are the place of its first character."""
        if self.comments:
            return
        opened = self.opened
        if opened is not None and opened.command.mode == "line":
            first, newline, rest = fragment.partition("\n")
            opened.add(first, at, line, begins_line)
            if newline:
                self.end_line(at + len(first))
                self.text(rest, at + len(first) + 1, line + 1, True)
        elif opened is not None:
            opened.add(fragment, at, line, begins_line)
        elif self.out.message is not None:
            self.out.content(fragment, begins_line)
        else:
            self._outside(fragment, at, line, begins_line)

    def _outside(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Report the first line outside of messages; with a default role, it begins one, with blank lines before it."""
        match = _NOT_BLANK.search(fragment)
        if self.default_role is not None:
            self._blank_lines.append((fragment, begins_line))
            if match is not None:
                self.out.start(Message(self.default_role))
                for text, begins in self._blank_lines:
                    self.out.content(text, begins)
            return
        if begins_line:
            self.line_at = at, line
        if match is not None and not self.is_reported:
            self.is_reported = self._is_stray = True
            begin, end = fragment.rfind("\n", 0, match.start()) + 1, fragment.find("\n", match.start())
            if begin:
                self.line_at = at + begin, line + fragment.count("\n", 0, begin)
            if end >= 0:
                self.end_line(at + end)

    def end_line(self, at: int) -> None:
        """End a data line at `at`."""
        if self._is_stray:
            (start, line), self._is_stray = self.line_at, False
            self.out.find(rules.S009_DATA_BEFORE_MESSAGE, LinePlace(start, at, line))
        elif self.opened is not None and self.opened.command.mode == "line" and self.opened.has_line:
            opened, self.opened = self.opened, None
            # without a message, the command line has been reported
            if self.out.message is not None and opened.command.canonical == "call":
                self.call(opened)
            elif self.out.message is not None:
                self.out.embed(opened.read_part())

    def call(self, opened: OpenCommand) -> None:
        """Read a call with its data line."""
        self.out.call(opened.read_call(self.out.find))

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
                self.out.find(rules.S005_MALFORMED_COMMAND_LINE, place, {"header": self.dialect.header})
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
                self.out.find(rules.S001_UNMATCHED_COMMENT_END, place)

    def _command(self, text: str, name_end: int, name: str, name_place: LinePlace, place: LinePlace) -> None:
        if self.opened is not None and not self._miss_data(self.opened):
            if name == "end":
                self._end_block(self.opened)
                return
            if not self._ends_block(self.opened, name, name_place):
                return
        self._blank_lines = []
        if name == "end":
            self.out.find(rules.S006_UNEXPECTED_END, name_place)
            return
        commands = self.dialect.commands
        # only the case may be wrong
        command = commands.get(name) or commands.get(name.lower())
        arguments = self.arguments(text, name_end, command, place)
        if name not in commands:
            kind, data = syntax.unknown_name(name, self.dialect)
            self.out.find(kind, name_place, data)
        if command is None or command.mode == "end":
            return
        if command.mode == "line" and self.out.message is None:
            self.out.find(rules.S009_DATA_BEFORE_MESSAGE, name_place, {"case": "line-command", "name": command.name})
        given = self._given(command, arguments, name_place, place.start + 1)
        if command.mode == "message":
            current = None if self.out.message is None else self.out.message.role
            roles = (command.role, given.get("role"), current, self.default_role)
            role = next((role for role in roles if role is not None), None)
            # Wrong arguments are already reported, and may contain the role.
            if role is None and not arguments.problems and arguments.get("role") is None:
                self.out.find(rules.S201_MESSAGE_WITHOUT_ROLE, name_place)
            self.end_message()
            self.out.start(Message(role or "", "", given.get("id"), given.get("name"), given.get("call_id")))
            return
        if command.mode == "flush" or command.canonical == "raw":
            self.end_message()
        if command.mode == "block":
            self.out.break_text()
        if command.mode != "flush":
            self.opened = OpenCommand(command, name_place, arguments, given)

    def arguments(self, text: str, start: int, command: Command | None, place: LinePlace) -> Arguments:
        """Read the arguments in a header line, and report their problems. `command` is None for an unknown one."""
        arguments = syntax.parse_arguments(text, start, len(text), self.dialect)
        for problem in (*arguments.problems, *arguments.repeated):
            moved = problem.moved(place.start + 1)
            self.out.find(moved.rule, LinePlace(moved.start, moved.end, place.line), moved.data, moved.related)
        return arguments

    def _given(self, command: Command, arguments: Arguments, name: LinePlace, by: int) -> dict[str, str]:
        """Return the string arguments of a command, whose places count from `by` characters before the line's text."""
        known = _OF_EMBED if command.canonical == "embed" else command.arguments
        found: dict[str, str] = {}
        for item in [each for each in arguments.items if each.key in known]:
            if not isinstance(item.value, str):
                data = {"key": item.key, "was": what(item.value)}
            elif item.key == "type" and item.value not in syntax.EMBED_TYPES:
                data = {"case": "embed-type", "was": item.value}
            else:
                found[item.key] = item.value
                continue
            place = LinePlace(item.value_start + by, item.value_end + by, name.line)
            self.out.find(rules.S107_ARGUMENTS_NOT_AN_OBJECT, place, data)
        if command.canonical == "call" and not arguments.problems and arguments.get("name") is None:
            self.out.find(rules.S107_ARGUMENTS_NOT_AN_OBJECT, name, {"case": "no-name"})
        return found

    # Blocks

    def _ends_block(self, block: OpenCommand, name: str, place: LinePlace) -> bool:
        """Report a command inside a block; return whether it ends the block and is executed."""
        data = {"name": name, "block": block.command.name}
        opened = (Related(block.place.start, block.place.end, "the block begins here"),)
        if name.lower() == "end":
            self.out.find(rules.S004_COMMAND_CASE, place, {**data, "case": "in-block", "meant": "end"}, opened)
            self._end_block(block)
            return False
        command = self.dialect.commands.get(name)
        if command is None or not command.begins_message:
            self.out.find(rules.S010_COMMAND_IN_BLOCK, place, data, opened)
            return False
        # At the next message, a forgotten end does the least harm.
        self.out.find(rules.S010_COMMAND_IN_BLOCK, place, {**data, "case": "ends-block", "header": self.dialect.header})
        self._end_block(block, quietly=True)
        return True

    def _end_block(self, block: OpenCommand, quietly: bool = False) -> None:
        self.opened = None
        if block.command.canonical == "extra" and self.out.message is None:
            data = {"case": "block-command", "name": block.command.name}
            self.out.find(rules.S009_DATA_BEFORE_MESSAGE, block.place, data)
        else:
            self.read_block(block, (Assembler() if quietly else self.out).find)

    def read_block(self, block: OpenCommand, report: Find) -> None:
        """Read the body of a complete block."""
        if block.command.canonical == "raw":
            if (message := block.read_message(report)) is not None:
                self.out.whole(message)
        elif (result := block.read_json(report)) is not None:
            if block.command.canonical == "extra":
                self.out.set_extra(result.value)
            else:
                self.out.set_metadata(result.value)

    def _miss_data(self, opened: OpenCommand) -> bool:
        """Report the missing data of a line command; return false for a block command."""
        if opened.command.mode != "line":
            return False
        self.opened = None
        if self.out.message is not None:
            self.out.find(rules.S008_MISSING_DATA_LINE, opened.place, {"name": opened.command.name})
        return True

    def close(self, is_last: bool = True) -> None:
        """End the text; or a section of it, after which a message begins."""
        if self.comments:
            self.out.find(rules.S002_UNTERMINATED_COMMENT, self.comments[0], {"header": self.dialect.header})
        if self.opened is not None and not self._miss_data(self.opened):
            if is_last:
                data = {"name": self.opened.command.name, "header": self.dialect.header}
                self.out.find(rules.S007_UNTERMINATED_BLOCK, self.opened.place, data)
            self._end_block(self.opened, quietly=True)
        self.end_message()
