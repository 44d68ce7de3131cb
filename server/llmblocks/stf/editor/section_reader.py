"""The reader of the lines of one section: the decoder's, within the limits of a keystroke."""

from __future__ import annotations

from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.stf import kinds
from llmblocks.stf.reading.commands import CommandReader
from llmblocks.stf.reading.lines import LineReader
from llmblocks.stf.rules import S010_COMMAND_IN_BLOCK, S108_UNKNOWN_ARGUMENT
from llmblocks.stf.scanner import BLOCKS, IN_TEXT, MESSAGE, STRAY, state_of
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, LONGEST_BLOCK, Arguments, Find, LinePlace, parse_arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Command
from llmblocks.stf.values.messages import Message
from llmblocks.stf.values.open_command import OpenCommand


class SectionReader(CommandReader):
    """Finds the problems of the lines of a section."""

    def __init__(self, section: Section) -> None:
        self._section = section
        self._state = state = state_of(section.before)
        super().__init__(DIALECTS.get(state.dialect, AT), "" if state.has_default else None)
        context = state.around or state.context
        if context == MESSAGE or (context == STRAY and state.has_default):
            self.out.start(Message(""))
        self.is_reported = context == STRAY

    def read(self) -> list[Problem]:
        """Return the problems."""
        section, text, state = self._section, self._section.text, self._state
        lines = LineReader(self, begins=state.place != IN_TEXT)
        is_ended = state.context in BLOCKS
        for kind, start, end in section.spans():
            if kind is kinds.HEADER:
                self.dialect = DIALECTS[text[start]]
            elif is_ended and kind in kinds.MESSAGES:
                # only the beginning of a message ends the section of a block
                data = {"name": text[start:end], "block": state.context, "case": "ends-block"}
                self.out.find(S010_COMMAND_IN_BLOCK, LinePlace(start, end, 0), data | {"header": self.dialect.header})
                is_ended = False
            lines.token(kind, text[start:end])
        lines.end_token()
        if not lines.begins:
            self.end_line(lines.at)
        self.close(section.is_last)
        return self.out.problems

    def arguments(self, text: str, start: int, command: Command | None, place: LinePlace) -> Arguments:
        """See `CommandReader`."""
        if len(text) - start > KEYSTROKE_LIMIT:
            return parse_arguments(text, start, len(text), self.dialect, limit=0)
        arguments = super().arguments(text, start, command, place)
        if command is None or command.mode == "end":
            return arguments
        is_embed = command.canonical == "embed"
        by = place.start + 1
        for item in arguments.items:
            # all others are kept as keys of the part
            if item.key == "url" if is_embed else item.key not in command.arguments:
                known = ", ".join(command.arguments)
                case = "embed-url" if is_embed else "" if known else "takes-none"
                data = {"key": item.key, "name": command.name, "known": known} | ({"case": case} if case else {})
                self.out.find(S108_UNKNOWN_ARGUMENT, LinePlace(item.key_start + by, item.key_end + by, 0), data)
        return arguments

    def call(self, opened: OpenCommand) -> None:
        """See `CommandReader`."""
        if opened.size <= LONGEST_BLOCK:
            super().call(opened)

    def read_block(self, block: OpenCommand, report: Find) -> None:
        """See `CommandReader`."""
        if report == self.out.find and block.size <= LONGEST_BLOCK:
            super().read_block(block, report)
