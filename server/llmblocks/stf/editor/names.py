"""The ids in the arguments of messages and calls, and the paths of embedded files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.stf import kinds
from llmblocks.stf.context import MESSAGE as IN_MESSAGE
from llmblocks.stf.context import state_of
from llmblocks.stf.editor.arguments import arguments_in
from llmblocks.stf.editor.dialects import first_return
from llmblocks.stf.editor.stray_lines import stray_symbols
from llmblocks.stf.syntax.arguments import CommandArgument

MESSAGE: Final = "message"
CALL: Final = "call"
DIALECT: Final = "dialect"
RETURN: Final = "carriage return"
FILE: Final = "file"
"""The path of an embedded file, or its URL."""
LONGEST_PATH: Final = 4096
_NAMED = kinds.MESSAGES | {kinds.HEADER, kinds.LINE_NAME, kinds.PATH, kinds.ARGUMENTS}


def names_in(lines: Section) -> tuple[Symbol, ...]:
    """Return the symbols of some lines.

    These are the ids of messages and calls, references to calls, the paths of embedded files, the parts of lines
    outside of messages, and a boundary where a message begins or ends.
    """
    text = lines.text
    found: list[Symbol] = []
    at, is_message, is_call = 0, False, False
    for kind, width in lines.tokens:
        if kind not in _NAMED:
            pass
        elif kind is kinds.HEADER:
            is_message, is_call = False, False
        elif kind in kinds.MESSAGES:
            found.append(Symbol("boundary", "", "", at, at))
            is_message = kind is kinds.MESSAGE_NAME
        elif kind is kinds.LINE_NAME:
            is_call = text.startswith("call", at)
        elif kind is kinds.PATH:
            path, start, end = path_in(text[at : at + width], at)
            found += [Symbol("reference", FILE, path, start, end)] if path else []
        elif kind is kinds.ARGUMENTS and (is_message or is_call) and "id" in text[at : at + width]:
            found += _of_arguments(text, arguments_in(lines)[at].items, is_call)
        at += width
    before, count = state_of(lines.before), len(found)
    if before.context != IN_MESSAGE or not text.endswith("\n"):
        # nearly all lines belong to messages
        found += stray_symbols(lines)
    if not before.dialect:
        found += _undecided(lines)
    if len(found) > count:
        found.sort(key=_start)
    return tuple(found)


def _undecided(lines: Section) -> Iterator[Symbol]:
    """Yield the first CRLF before the dialect is known, and the dialect once it is."""
    known, at = state_of(lines.after).dialect, first_return(lines)
    if known:
        yield Symbol("definition", DIALECT, known, 0, 0)
    elif at is not None:
        yield Symbol("definition", RETURN, "", at, at + 2)


def _start(symbol: Symbol) -> int:
    return symbol.start


def path_in(written: str, start: int) -> tuple[str, int, int]:
    """Return the path on the line of an `embed` at a place, with its place; empty if it is too long."""
    path = written.strip()
    start += len(written) - len(written.lstrip())
    return path if len(written) <= LONGEST_PATH else "", start, start + len(path)


def _of_arguments(text: str, arguments: tuple[CommandArgument, ...], is_call: bool) -> Iterator[Symbol]:
    for each in arguments:
        if each.key not in ("id", "call_id") or not isinstance(each.value, str):
            continue
        start, end = each.value_start, each.value_end
        if text[start] in "'\"":
            start, end = start + 1, end - 1
        if each.key == "id":
            yield Symbol("definition", CALL if is_call else MESSAGE, each.value, start, end)
        else:
            yield Symbol("reference", CALL, each.value, start, end)
