"""The problems of a section, by the decoder's reader within the limits of a keystroke; comments that silence them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from llmblocks.core.document import Document
from llmblocks.core.scan import kind_of, width_of
from llmblocks.core.section import Section, tokens_in
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.silence import Silence, Silencing, lookalikes, read_silence
from llmblocks.stf import kinds, syntax
from llmblocks.stf.reading.assembler import OpenCommand
from llmblocks.stf.rules import RULES, S010_COMMAND_IN_BLOCK, S108_UNKNOWN_ARGUMENT, S302_MIXED_DIALECT
from llmblocks.stf.scanner import BLOCKS, IN_TEXT, MESSAGE, STRAY, state_of
from llmblocks.stf.stream import LineReader
from llmblocks.stf.syntax import AT, DIALECTS, Arguments, Command, Find, LinePlace, parse_arguments
from llmblocks.stf.values.messages import Message

_QUIET = frozenset((kinds.HEADER, kinds.MESSAGE_NAME, kinds.COMMENT_LINE, kinds.BLANK, kinds.LINE_END))
"""The kinds of lines that are always right, except for a header character alone."""
_BUSY = kinds.LINES - _QUIET
_COMMAND_LINES = {
    header: re.compile(rf"^{header}({names})(?![A-Za-z0-9])([^\r\n]{{0,200}})\r?$", re.MULTILINE)
    for header, dialect in DIALECTS.items()
    for names in ["|".join(sorted(set(dialect.commands) - {"end"}))]
}


def _of_lines(section: Section) -> Sequence[Problem]:
    here = section.kinds
    # most sections are text, with at most comment lines and the start of a message
    if state_of(section.before).context == MESSAGE and here.isdisjoint(_BUSY):
        every = [*map(kind_of, section.tokens)] if kinds.HEADER in here else []
        if every.count(kinds.HEADER) == every.count(kinds.MESSAGE_NAME) + every.count(kinds.COMMENT_LINE):
            return ()
    return SectionReader(section).read()


def _problems(section: Section) -> Iterator[Problem]:
    yield from _of_lines(section)
    dialect = DIALECTS.get(state_of(section.before).dialect or state_of(section.after).dialect)
    # most texts contain no header character of the other dialect
    if dialect is None or dialect.other.header not in section.text:
        return
    text, other = section.text, dialect.other
    found = [*_COMMAND_LINES[other.header].finditer(text)]
    ends = [*accumulate(map(width_of, section.tokens))] if found else []
    for line in found:
        kind = section.tokens[bisect_right(ends, line.start())].kind
        if kind is not kinds.TEXT and kind in kinds.LINES:
            continue
        name, rest = line.groups()
        is_command = not rest.strip(" \t") or rest[0] in " \t{"
        if is_command and not parse_arguments(text, *line.span(2), other).problems:
            data = {"written": f"{other.header}{name}", "name": name, "header": dialect.header}
            yield Problem(S302_MIXED_DIALECT, line.start(), line.end(1), data)


FACTS: Final = Facts(RULES, _problems)


class SectionReader(LineReader):
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
        self.begins = state.place != IN_TEXT
        is_ended = state.context in BLOCKS
        for kind, start, end in section.spans():
            if kind is kinds.HEADER:
                self.dialect = DIALECTS[text[start]]
            elif is_ended and kind in kinds.MESSAGES:
                # only the beginning of a message ends the section of a block
                data = {"name": text[start:end], "block": state.context, "case": "ends-block"}
                self.out.find(S010_COMMAND_IN_BLOCK, LinePlace(start, end, 0), data | {"header": self.dialect.header})
                is_ended = False
            self.token(kind, text[start:end])
        self.end_token()
        if not self.begins:
            self.end_line(self.at)
        self.close(section.is_last)
        return [problem for problem, _ in self.out.problems]

    def arguments(self, text: str, start: int, command: Command | None, place: LinePlace) -> Arguments:
        """See `CommandReader`."""
        if len(text) - start > syntax.KEYSTROKE_LIMIT:
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
        if opened.size <= syntax.LONGEST_BLOCK:
            super().call(opened)

    def read_block(self, block: OpenCommand, report: Find) -> None:
        """See `CommandReader`."""
        if report == self.out.find and block.size <= syntax.LONGEST_BLOCK:
            super().read_block(block, report)


_BEGINNINGS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME))
_ENDS = frozenset((*_BEGINNINGS, kinds.FLUSH_NAME))
_COMMENT_SIGN = re.compile(r"(?:#|//)[ \t]*")
DIRECTIVE: Final = re.compile(_COMMENT_SIGN.pattern + "(?=llmblocks:)")
_LINE = "write llmblocks: ignore[CODE] in a comment line in front of the message"


def _find(lines: Section) -> tuple[Silence, ...]:
    found: list[Silence] = []
    text = lines.text
    for kind, start, end in lines.spans():
        if kind is kinds.COMMENT_LINE:
            sign = _COMMENT_SIGN.match(text, start, end)
            header = text.rfind("\n", 0, start) + 1
            header += text.startswith("\ufeff", header)
            says = start if sign is None else sign.end()
            remedy = f"write {text[header]}# llmblocks: ignore[CODE]"
            silence = read_silence(text, (says, end), header, end, remedy)
            if silence is not None:
                found.append(silence)
        elif kind is kinds.COMMENT:
            # a block comment silences nothing
            found += lookalikes(text, start, end, _LINE)
    return (*found,)


def _marks(section: Section) -> Iterator[tuple[int, bool]]:
    """Yield the beginnings of messages, at each of which the one before it ends."""
    for kind, start, _ in tokens_in(section, _ENDS):
        line = section.text.rfind("\n", 0, start) + 1
        yield line, True
        if kind in _BEGINNINGS:
            yield line, False


def _anchor(document: Document, offset: int) -> int:
    """Return the command line of the message around a place, or else the line of the place."""
    start, end = document.line_at(offset)
    for placed in document.backward(offset):
        every = tokens_in(placed.section, _BEGINNINGS)
        found = [begin for _, at, _ in every if (begin := placed.start + at) < end]
        if found:
            return document.line_at(found[-1])[0]
    return start


def _signs(document: Document, offset: int) -> tuple[str, str]:
    return f"{state_of(document.section_at(offset).section.after).dialect or '@'}# ", ""


SILENCING: Final = Silencing(_find, _marks, _anchor, _signs, "this message", _LINE)
