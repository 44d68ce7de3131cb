"""The command lines of a section: read once, with names and the problems of these; the open command at the caret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from llmblocks.contract.answers import Link
from llmblocks.contract.caret import FAR, Caret, Suggestion
from llmblocks.contract.headings import NameKind
from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span, tokens_in
from llmblocks.core.symbol import Symbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem
from llmblocks.json5.reader import ValuePlace, read
from llmblocks.stf import kinds, syntax
from llmblocks.stf.rules import S203_DUPLICATE_MESSAGE_ID, S205_EMBED_NOT_FOUND, S301_CARRIAGE_RETURN
from llmblocks.stf.scanner import BLOCKS, StfScanner, state_of
from llmblocks.stf.syntax import AT, DIALECTS, NO_ARGUMENTS, Arguments, Command, Dialect, parse_arguments

_NAMED: Final = kinds.NAMES | {kinds.UNKNOWN_NAME, kinds.STRAY_END}
_READ: Final = _NAMED | {kinds.HEADER, kinds.ARGUMENTS}


class CommandLine(NamedTuple):
    """A command line. Places count from the start of the section."""

    start: int
    kind: Kind
    name: str
    dialect: Dialect
    arguments: Arguments = NO_ARGUMENTS
    """Not read if they are too long for each keystroke."""

    @property
    def command(self) -> Command | None:
        """The command that is meant, in any case."""
        return self.dialect.commands.get(self.name.lower())


def _read_lines(section: Section) -> Mapping[int, CommandLine]:
    if _NAMED.isdisjoint(section.kinds):
        return {}
    text, dialect = section.text, AT
    found: dict[int, CommandLine] = {}
    for kind, start, end in tokens_in(section, _READ):
        if kind is kinds.HEADER:
            dialect = DIALECTS[text[start]]
        elif kind is kinds.ARGUMENTS:
            given = parse_arguments(text, start, end, dialect, limit=syntax.KEYSTROKE_LIMIT)
            found[start] = found[start]._replace(arguments=given)
        else:
            found[end] = CommandLine(start, kind, text[start:end], dialect)
    return found


command_lines: Final = Query("stf command lines", _read_lines)
"""The command lines by the end of their name, where their arguments begin."""


_OPENS = re.compile(r"\ufeff?[@;][ \t]*(?:(/\*)|([a-z]+)\b)")


class BlockAtCaret(NamedTuple):
    """The block command that is open at the start of the caret's line, or "", and the number of open comment blocks."""

    name: str
    header: str
    text: str
    """The data of the block before the caret; empty if they are too long to read."""
    depth: int


def open_block(caret: Caret) -> BlockAtCaret:
    """Return the block around the caret, even if the caret's line ends it."""
    left, section, stop = len(caret.before), caret.section, 0
    for each, end in caret.sections_back():
        section, stop = each, max(end - left, 0)
        if stop:
            break
        left -= end
    found = StfScanner().scan_up_to(section.text, 0, stop, section.length, state_of(section.before))
    state, at, parts = found.state, 0, []
    for kind, width in found.tokens:
        if kind is kinds.BODY:
            parts.append(section.text[at : at + width])
        at += width
    name = state.context if state.context in BLOCKS else ""
    text = "".join((*parts, caret.before))
    is_read = name and len(text) < syntax.LONGEST_BLOCK
    return BlockAtCaret(name, state.dialect or "@", text if is_read else "", state.depth)


def close_comment(caret: Caret, dialect: str) -> Iterator[Suggestion]:
    """Yield the end of the comment block around a place, at the start of a line."""
    block = open_block(caret)
    if not caret.before:
        header = block.header if block.depth else ""
    else:
        signs = (sign for sign in DIALECTS if dialect in ("auto", sign))
        header = next((sign for sign in signs if f"{sign}*/".startswith(caret.before)), "")
    if header:
        yield Suggestion(f"{header}*/", len(caret.before), "Ends the comment block above")


def closing(caret: Caret, typed: str) -> str:
    """Return the line that ends the block begun on the line before the caret; empty if there is one already."""
    if typed != "\n" or caret.before:
        return ""
    opens = _OPENS.match(caret.section.line_before(caret.offset - 1))
    if opens is None:
        return ""
    block = open_block(caret)
    depth = block.depth
    if opens[1] and depth:
        # an end after the caret may be that of a block around this one
        for kind, _ in caret.tokens_ahead():
            depth += (kind is kinds.COMMENT_OPEN) - (kind is kinds.COMMENT_CLOSE)
            if depth <= 0 or kind is FAR:
                return ""
        return f"{block.header}*/"
    if opens[2] != block.name or block.depth:
        return ""
    for kind, _ in caret.tokens_ahead():
        if kind in (kinds.END_NAME, FAR):
            return ""
        if kind in kinds.MESSAGES:
            break
    return f"{block.header}end"


def ended(caret: Caret) -> str:
    """Return the end of a block or comment block before the caret, if the next command after the caret repeats it."""
    kind, text = next(caret.tokens_back(), (None, ""))
    if kind not in (kinds.END_NAME, kinds.COMMENT_CLOSE):
        return ""
    ahead = (kind for kind, text in caret.tokens_ahead() if text.strip() and kind is not kinds.HEADER)
    is_doubled = next(ahead, None) in (kinds.STRAY_END, kinds.STRAY_CLOSE)
    return f"{open_block(caret).header}{text}" if is_doubled else ""


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches in one of the tokens of a section: arguments, and values in JSON5."""
    kind, start, end = spans[number]
    text = section.text
    if kind is kinds.BODY and end - start <= syntax.LONGEST_BLOCK:
        yield from _inside(text, read(text[start:end]).node, start)
    elif kind is kinds.ARGUMENTS:
        given = command_lines(section)[start].arguments
        yield from _inside(text, given.node, given.at)
        for each in () if given.braces else given.items:
            yield each.key_start, each.value_end
            yield from _value(text, each.value_start, each.value_end)


def _inside(text: str, node: ValuePlace | None, at: int) -> Iterator[tuple[int, int]]:
    """Yield a value and everything in it. Places in `node` count from `at`."""
    waiting = [node] if node is not None else []
    while waiting:
        value = waiting.pop()
        yield from _value(text, at + value.start, at + value.end)
        for key, key_start, _, item in value.items:
            if isinstance(key, str):
                yield at + key_start, at + item.end
            waiting.append(item)


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    yield start, end
    if end - start > 1 and text[start] == text[end - 1] and text[start] in ("'", '"'):
        yield start + 1, end - 1


MESSAGE: Final = "message"
CALL: Final = "call"
FILE: Final = "file"
_DIALECT: Final = "dialect"
_RETURN: Final = "carriage return"
_LONGEST_PATH: Final = 4096
_PLAIN_ID = re.compile(r"[^\s'\"\\{=]+")


def names_in(section: Section) -> tuple[Symbol, ...]:
    """Return the ids and references, the paths of embedded files, the dialect, the first CRLF, and ends of messages."""
    before, after = state_of(section.before), state_of(section.after)
    found: list[Symbol] = []
    for line in command_lines(section).values():
        if line.kind in kinds.MESSAGES:
            found.append(Symbol("boundary", "", "", line.start, line.start))
        found += _ids(section.text, line)
    found += [Symbol("reference", FILE, each.target, each.start, each.end) for each in links(section)]
    if after.dialect and not before.dialect:
        found.append(Symbol("definition", _DIALECT, after.dialect, 0, 0))
    if after.returns and not before.returns:
        at = section.text.find("\r\n")
        found.append(Symbol("definition", _RETURN, after.dialect, at, at + 2))
    return (*sorted(found, key=lambda each: each.start),)


def _ids(text: str, line: CommandLine) -> Iterator[Symbol]:
    is_call = line.kind is kinds.LINE_NAME and line.name == "call"
    if not is_call and line.kind is not kinds.MESSAGE_NAME:
        return
    for each in line.arguments.items:
        if each.key in ("id", "call_id") and isinstance(each.value, str):
            quote = text[each.value_start] in "'\""
            kind = CALL if is_call or each.key == "call_id" else MESSAGE
            start, end = each.value_start + quote, each.value_end - quote
            yield Symbol("definition" if each.key == "id" else "reference", kind, each.value, start, end)


def _embedded(section: Section) -> tuple[Link, ...]:
    found: list[Link] = []
    for _, start, end in tokens_in(section, (kinds.PATH,)) if kinds.PATH in section.kinds else ():
        written = section.text[start:end]
        path = written.strip()
        if path and len(written) <= _LONGEST_PATH and not path.startswith("data:"):
            start += len(written) - len(written.lstrip())
            found.append(Link(start, start + len(path), path))
    return (*found,)


links: Final = Query("stf links", _embedded)


def _duplicates(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    for name in index.repeated("definition", MESSAGE, names):
        found = index.definitions(MESSAGE, name)
        for each in found[1:]:
            yield NamedProblem(S203_DUPLICATE_MESSAGE_ID, name, each, {"id": name}, ((found[0], "first given here"),))


def _not_found(index: Index, paths: Iterable[str]) -> Iterator[NamedProblem]:
    for path in paths:
        found = index.references(FILE, path)
        if found and other_files(index).lacks(path):
            for each in found:
                yield NamedProblem(S205_EMBED_NOT_FOUND, path, each, {"path": path})


def _returns(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    for name in names:
        for each in index.definitions(_RETURN, name):
            known = name or next(iter(index.names("definition", _DIALECT)), "")
            data = {} if DIALECTS.get(known, AT).crlf else {"case": "kept"}
            yield NamedProblem(S301_CARRIAGE_RETURN, name, each, data)


CHECKS: Final = (
    NameCheck(S203_DUPLICATE_MESSAGE_ID, lambda _, touched: touched.names.get(MESSAGE, ()), _duplicates),
    NameCheck(S205_EMBED_NOT_FOUND, lambda _, touched: touched.names.get(FILE, ()), _not_found, across_files=True),
    NameCheck(
        S301_CARRIAGE_RETURN,
        # the first return may come before the dialect is known
        lambda _, touched: () if touched.names.keys().isdisjoint((_RETURN, _DIALECT)) else ("", *DIALECTS),
        _returns,
    ),
)


def _refuses(name: str) -> str:
    reason = f"`{name}` would have to be quoted: use an id without spaces, quotes, `\\`, `{{` and `=`"
    return "" if _PLAIN_ID.fullmatch(name) and name.isprintable() else reason


NAME_KINDS: Final[Mapping[str, NameKind]] = {
    MESSAGE: NameKind("message id", _refuses, entry="message"),
    CALL: NameKind("id of a tool call", _refuses, entry="call"),
}
