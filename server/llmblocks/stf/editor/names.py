"""The ids and embedded files of chats, and the problems that the index shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from llmblocks.contract.answers import Link
from llmblocks.contract.headings import NameKind
from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.core.section import Section, tokens_in
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem, PlacedProblem, forward_check
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import CommandLine, command_lines
from llmblocks.stf.editor.problems import read_lines
from llmblocks.stf.rules import (
    S009_DATA_BEFORE_MESSAGE,
    S203_DUPLICATE_MESSAGE_ID,
    S205_EMBED_NOT_FOUND,
    S301_CARRIAGE_RETURN,
)
from llmblocks.stf.scanner import FRESH, IN_TEXT, OUTSIDE, STRAY, state_of
from llmblocks.stf.scanner import MESSAGE as IN_MESSAGE
from llmblocks.stf.syntax.dialect import AT, DIALECTS, NOT_BLANK

MESSAGE: Final = "message"
CALL: Final = "call"
FILE: Final = "file"
"""The path of an embedded file, or its URL."""
_DIALECT: Final = "dialect"
_RETURN: Final = "carriage return"
_CUT_LINE: Final = "cut line"
"""The first line outside of messages, up to the end of its section; "blank" if only white space is on it so far."""
_REST: Final = "rest of a line"
"""The rest of a line from earlier sections; "ends" if its line end is here."""
_OUTSIDE = frozenset((FRESH, OUTSIDE, STRAY))
_LONGEST_PATH: Final = 4096
_PLAIN = re.compile(r"[^\s'\"\\{=]+")


def names_in(section: Section) -> tuple[Symbol, ...]:
    """Return the symbols of a section.

    These are the ids of messages and calls, references to calls, the paths of embedded files, the dialect and the
    first CRLF, the parts of lines outside of messages, and a boundary where a message begins or ends.
    """
    before, after = state_of(section.before), state_of(section.after)
    found: list[Symbol] = []
    for line in command_lines(section).values():
        if line.kind in kinds.MESSAGES:
            found.append(Symbol("boundary", "", "", line.start, line.start))
        found += _ids(section.text, line)
    found += [Symbol("reference", FILE, each.target, each.start, each.end) for each in links(section)]
    if before.context != IN_MESSAGE or not section.text.endswith("\n"):
        # nearly all lines belong to messages
        found += _stray_lines(section)
    if after.dialect and not before.dialect:
        found.append(Symbol("definition", _DIALECT, after.dialect, 0, 0))
    if after.returns and not before.returns:
        at = section.text.find("\r\n")
        found.append(Symbol("definition", _RETURN, after.dialect, at, at + 2))
    found.sort(key=lambda each: each.start)
    return (*found,)


def _ids(text: str, line: CommandLine) -> Iterator[Symbol]:
    is_call = line.kind is kinds.LINE_NAME and line.name == "call"
    if not is_call and line.kind is not kinds.MESSAGE_NAME:
        return
    for each in line.arguments.items:
        if each.key in ("id", "call_id") and isinstance(each.value, str):
            start, end = each.value_start, each.value_end
            if text[start] in "'\"":
                start, end = start + 1, end - 1
            if each.key == "id":
                yield Symbol("definition", CALL if is_call else MESSAGE, each.value, start, end)
            else:
                yield Symbol("reference", CALL, each.value, start, end)


def _links(section: Section) -> tuple[Link, ...]:
    found: list[Link] = []
    for _, start, end in tokens_in(section, (kinds.PATH,)) if kinds.PATH in section.kinds else ():
        written = section.text[start:end]
        path = written.strip()
        if path and len(written) <= _LONGEST_PATH and not path.startswith("data:"):
            start += len(written) - len(written.lstrip())
            found.append(Link(start, start + len(path), path))
    return (*found,)


links: Final = Query("stf links", _links)
"""The paths and URLs of embedded files."""


def _stray_lines(section: Section) -> Iterator[Symbol]:
    """Yield the parts of lines outside of messages that a gadget call cuts."""
    before, after = state_of(section.before), state_of(section.after)
    if before.has_default or (before.context not in _OUTSIDE and after.context not in _OUTSIDE):
        return
    text = section.text
    dialect = DIALECTS.get(after.dialect, AT)
    if before.place == IN_TEXT and before.context in _OUTSIDE and not before.depth:
        end = text.find("\n")
        stop = len(text) if end < 0 else end - (dialect.crlf and text.startswith("\r", end - 1) and end > 0)
        yield Symbol("reference", _REST, "ends" if end >= 0 else "", 0, stop)
    cut = None if text.endswith("\n") else read_lines(section).cut
    if cut is not None:
        blank = NOT_BLANK[dialect.header].search(text, *cut) is None
        yield Symbol("definition", _CUT_LINE, "blank" if blank else "", *cut)


def _whole_line(index: Index, line: PlacedSymbol) -> PlacedProblem | None:
    symbol = line.symbol
    end = symbol.end
    at = line.section.length
    for section in index.sections.onward(index.number(line.section) + 1):
        rest = next((each for each in index.symbols(section) if each.kind == _REST), None)
        if rest is None:
            break
        end = at + rest.end
        at += section.length
        if rest.name:
            break
    # each cut line contains a call, unless it is the last one of the text
    is_lost = end > symbol.end or symbol.name != "blank"
    return PlacedProblem(line._replace(symbol=symbol._replace(end=end))) if is_lost else None


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
    forward_check(S009_DATA_BEFORE_MESSAGE, ("definition", _CUT_LINE), (_CUT_LINE, _REST), _whole_line),
)


def _refuses(name: str) -> str:
    if not _PLAIN.fullmatch(name) or not name.isprintable():
        return f"`{name}` would have to be quoted: use an id without spaces, quotes, `\\`, `{{` and `=`"
    return ""


NAME_KINDS: Final[Mapping[str, NameKind]] = {
    MESSAGE: NameKind("message id", _refuses, entry="message"),
    CALL: NameKind("id of a tool call", _refuses, entry="call"),
}
