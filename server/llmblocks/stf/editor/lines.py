"""The block and line commands of a section, and the problems of its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind, kind_of
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.stf import kinds
from llmblocks.stf.context import (
    BLOCKS,
    CALL,
    FRESH,
    IN_TEXT,
    LINES,
    MESSAGE,
    OUTSIDE,
    STRAY,
    StfState,
    meaning,
    state_of,
)
from llmblocks.stf.editor.arguments import arguments_in
from llmblocks.stf.editor.lost_lines import commented, data_line
from llmblocks.stf.rules import (
    BYTE_ORDER_MARK,
    COMMAND_CASE,
    COMMAND_IN_BLOCK,
    DATA_BEFORE_MESSAGE,
    MALFORMED_COMMAND_LINE,
    MISSING_DATA_LINE,
    UNEXPECTED_END,
    UNTERMINATED_BLOCK,
)
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, NO_ARGUMENTS, Arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS, NOT_BLANK, unknown_name
from llmblocks.stf.syntax.place import BLOCK_BEGINS

LONGEST_BLOCK: Final = 65_536
"""The maximum length of a block that is read at each keystroke, in characters."""

NAME_TOKENS = kinds.NAMES | {kinds.STRAY_END, kinds.UNKNOWN_NAME}
_COMMENTS = (kinds.COMMENT, kinds.COMMENT_LINE, kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.STRAY_CLOSE)
OURS = NAME_TOKENS | {
    *_COMMENTS,
    kinds.HEADER,
    kinds.BLANK,
    kinds.LINE_END,
    kinds.MALFORMED,
    kinds.ARGUMENTS,
    kinds.BODY,
    kinds.PATH,
}
_BUSY = (NAME_TOKENS - {kinds.MESSAGE_NAME}) | {
    kinds.ARGUMENTS,
    kinds.BODY,
    kinds.PATH,
    kinds.COMMENT,
    kinds.MALFORMED,
}
_ARGUMENTS = frozenset((kinds.ARGUMENTS,))
_MESSAGE = [kinds.HEADER, kinds.MESSAGE_NAME, kinds.ARGUMENTS]
_BEGUN = frozenset((kinds.MESSAGE_NAME, kinds.COMMENT_LINE, kinds.COMMENT_OPEN, kinds.STRAY_CLOSE))

Run = tuple[int, int]
Given = Callable[[], Mapping[int, Arguments]]
"""The arguments of command lines, by the places of their tokens."""


class OpenedCommand(NamedTuple):
    """A block or line command, with the place of its name."""

    name: str
    start: int
    end: int
    in_message: bool
    """Whether it belongs to a message."""

    @property
    def is_read(self) -> bool:
        """Whether the data of a block are used."""
        return self.in_message or self.name != "extra"


class ReadLines(NamedTuple):
    """The problems of the lines of a section."""

    problems: Sequence[Problem] = ()
    cut: Run | None = None
    """The first line outside of messages, if it continues after the section and only white space precedes it."""


_NONE: Final = ReadLines()


def _read(lines: Section, given: Given, has_default: bool) -> ReadLines:
    state = state_of(lines.before)
    if state.context == MESSAGE:
        # most lines are text, with at most comments and the start of a message
        here = lines.kinds
        busy = here & _BUSY
        if not busy or busy == _ARGUMENTS:
            if kinds.HEADER not in here:
                return _NONE
            every = [*map(kind_of, lines.tokens)]
            if every.count(kinds.HEADER) == sum(map(every.count, here & _BEGUN)):
                if not busy:
                    return _NONE
                if every[:3] == _MESSAGE and every.count(kinds.ARGUMENTS) == 1:
                    return _of_message(lines, given)
    return _LineWalk(lines, given, state, has_default).run()


def _of_message(lines: Section, given: Given) -> ReadLines:
    """Return the problems of lines that begin with a message: only its arguments can be wrong."""
    from llmblocks.stf.editor.value_problems import problems_of_arguments

    text, (header, name, arguments) = lines.text, lines.tokens[:3]
    if arguments.width > KEYSTROKE_LIMIT:
        return _NONE
    end = header.width + name.width
    command = DIALECTS[text[0]].commands[text[header.width : end]]
    found = problems_of_arguments(given()[end], command, (header.width, end), True)
    return ReadLines(found) if found else _NONE


def _commands(has_default: bool) -> Query[Section, ReadLines]:
    return Query("stf lines", lambda section: _read(section, partial(arguments_in, section), has_default))


COMMANDS: Final = _commands(False)
BY_DEFAULT: Final = _commands(True)
"""The same if text outside of messages is a message."""


class _LineWalk:
    """Reads the tokens of some lines once."""

    def __init__(self, lines: Section, given: Given, state: StfState, has_default: bool) -> None:
        self.lines, self.given = lines, given
        self.text = lines.text
        self.context, self.around = state.context, state.around
        self.dialect = DIALECTS.get(state.dialect, AT)
        self.has_default = has_default
        self.found: list[Problem] = []
        self.opened: OpenedCommand | None = None
        self.runs: list[Run] = []
        self.begin = 0
        self.cut: Run | None = None

    def run(self) -> ReadLines:
        text, tokens = self.text, self.lines.tokens
        at, line, leads = 0, 0, False
        for number, (kind, width) in enumerate(tokens):
            end = at + width
            if leads and kind in (kinds.LINE_END, kinds.MALFORMED):
                self._malformed(line, at if kind is kinds.LINE_END else end)
            leads = kind is kinds.HEADER or (leads and kind is kinds.BLANK)
            if kind is kinds.HEADER:
                line, self.dialect = at, DIALECTS[text[at]]
            elif kind in NAME_TOKENS:
                ahead = tokens[number + 1] if number + 1 < len(tokens) else None
                size = ahead.width if ahead is not None and ahead.kind is kinds.ARGUMENTS else 0
                self._name(text[at:end], at, end, end + size)
            elif kind is kinds.BODY or kind is kinds.PATH:
                self._body(at, end)
            elif kind is kinds.COMMENT:
                if self.dialect.checks_commented_lines:
                    for place in commented(text, at, end):
                        self._malformed(*place)
            elif kind is kinds.BYTE_ORDER_MARK:
                self._problem(BYTE_ORDER_MARK, at, end)
                self.begin = end
            elif self.context in (FRESH, OUTSIDE) and kind not in OURS:
                self._free(at, end)
            at = end
        if leads:
            self._malformed(line, at)
        opened = self.opened
        if opened is not None and self.context in LINES and opened.in_message:
            self._problem(MISSING_DATA_LINE, opened.start, opened.end, name=opened.name)
        if opened is not None and self.context in BLOCKS and self.lines.is_last:
            header = self.dialect.header
            self._problem(UNTERMINATED_BLOCK, opened.start, opened.end, name=opened.name, header=header)
        return ReadLines(self.found, self.cut)

    def _problem(self, rule: Rule, start: int, end: int, **data: object) -> None:
        self.found.append(Problem(rule, start, end, data))

    def _malformed(self, start: int, end: int) -> None:
        end = start + len(self.text[start:end].rstrip("\r"))
        self._problem(MALFORMED_COMMAND_LINE, start, end, header=self.dialect.header)

    def _free(self, start: int, end: int) -> None:
        """Read text outside of messages: its first non-blank line is reported, or begins a message."""
        text = self.text
        found = NOT_BLANK[self.dialect.header].search(text, start, end)
        at = found.start() if found else end
        line = max(text.rfind("\n", 0, at) + 1, self.begin)
        # text that begins in earlier lines is reported there
        begins_here = line > 0 or state_of(self.lines.before).place != IN_TEXT
        goes_on = end == len(text) and text.find("\n", line) < 0
        if found is None:
            if begins_here and goes_on and line < end and not self.has_default:
                self.cut = line, end
            return
        self.context = STRAY
        self.cut = None
        if self.has_default or not begins_here:
            return
        place = data_line(text, at, self.dialect, self.begin)
        if text.find("\n", at) < 0:
            self.cut = place
        else:
            self._problem(DATA_BEFORE_MESSAGE, *place)

    def _body(self, start: int, end: int) -> None:
        if self.context in BLOCKS:
            runs = self.runs
            if runs and runs[-1][1] == start and self.text[start - 1] != "\n":
                start = runs.pop()[0]  # an escape is two tokens
            runs.append((start, end))
            return
        if self.context == CALL and self._is_message(self.around) and end - start <= LONGEST_BLOCK:
            from llmblocks.stf.editor.value_problems import problems_of_call

            self.found += problems_of_call(self.text, start, end, self.dialect)
        self.context, self.around, self.opened = self.around, "", None

    def _is_message(self, context: str) -> bool:
        return context == MESSAGE or (context == STRAY and self.has_default)

    def _name(self, name: str, start: int, end: int, stop: int) -> None:
        context, around = self.context, self.around
        kind, self.context, self.around = meaning(name, self.dialect, context, around)
        if context in BLOCKS and not self._in_block(name, start, end, context, kind):
            return
        if context in LINES:
            if self.opened is not None and self.opened.in_message:
                self._problem(MISSING_DATA_LINE, self.opened.start, self.opened.end, name=self.opened.name)
            self.opened = None
        if name == "end":
            self._problem(UNEXPECTED_END, start, end)
            return
        command = self.dialect.commands.get(name)
        if command is None:
            wrong, data = unknown_name(name, self.dialect)
            self.found.append(Problem(wrong, start, end, data))
            command = self.dialect.commands.get(name.lower())
        asks = stop > end or (command is not None and command.canonical in ("message", CALL))
        if asks and stop - end <= KEYSTROKE_LIMIT:
            from llmblocks.stf.editor.value_problems import problems_of_arguments

            has_role = self.has_default or self._is_message(around or context)
            given = self.given()[end] if stop > end else NO_ARGUMENTS
            self.found += problems_of_arguments(given, command, (start, end), has_role)
        if command is None or self.context not in BLOCKS | LINES:
            return
        in_message = self._is_message(self.around)
        if not in_message and command.canonical not in ("raw", "meta"):
            case = "line-command" if command.mode == "line" else "block-command"
            self._problem(DATA_BEFORE_MESSAGE, start, end, case=case, name=command.name)
        self.opened, self.runs = OpenedCommand(command.name, start, end, in_message), []

    def _in_block(self, name: str, start: int, end: int, block: str, kind: Kind) -> bool:
        """Read a command in a block; return whether it is executed."""
        is_end = name.lower() == "end"
        if is_end or kind is kinds.UNKNOWN_NAME:
            if name != "end" and self.opened is not None:
                related = (Related(self.opened.start, self.opened.end, BLOCK_BEGINS),)
                data = {"name": name, "block": block} | ({"case": "in-block", "meant": "end"} if is_end else {})
                self.found.append(Problem(COMMAND_CASE if is_end else COMMAND_IN_BLOCK, start, end, data, related))
        else:
            header = self.dialect.header
            self._problem(COMMAND_IN_BLOCK, start, end, name=name, block=block, case="ends-block", header=header)
        if self.context not in BLOCKS or kind is kinds.RAW_NAME:
            if is_end and self.opened is not None:
                self._end_block(self.opened)
            self.opened = None
        return not is_end and kind is not kinds.UNKNOWN_NAME

    def _end_block(self, opened: OpenedCommand) -> None:
        if opened.is_read and sum([end - start for start, end in self.runs]) <= LONGEST_BLOCK:
            from llmblocks.stf.editor.value_problems import problems_of_block

            texts = [(self.text[start:end], start) for start, end in self.runs]
            self.found += problems_of_block(opened.name, (opened.start, opened.end), texts, self.dialect)
