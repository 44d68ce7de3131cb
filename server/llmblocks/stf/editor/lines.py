"""The problems of the command lines of a piece."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.layered import LayeredState
from llmblocks.core.problem import Problem
from llmblocks.core.section import Piece, Section
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.context import BLOCK, RAW
from llmblocks.stf.editor.scanner import State
from llmblocks.stf.syntax.catalogue import MALFORMED_COMMAND_LINE, UNEXPECTED_END
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Dialect
from llmblocks.stf.syntax.unknown import unknown_name

_BEGIN_BLOCK = frozenset((kinds.RAW_NAME, kinds.BLOCK_NAME))
_END_BLOCK = frozenset((kinds.MESSAGE_NAME, kinds.LINE_NAME, kinds.FLUSH_NAME, kinds.END_NAME, kinds.STRAY_END))


def problems_of_lines(piece: Piece) -> Iterator[Problem]:
    """The names, arguments and malformed lines of a piece, each line judged by itself, as the decoder does.

    What stands inside a block command is judged by what the block is for, not here; arguments of more than
    `KEYSTROKE_LIMIT` characters are left to the decoder.
    """
    found = {token.kind for token in piece.tokens}
    if kinds.HEADER not in found:
        return
    text, dialect, is_argued = piece.text, AT, False
    in_block = _context(piece.before) in (RAW, BLOCK)
    line, leads = 0, False
    for kind, start, end in Section((piece,)).spans():
        if leads and (kind is kinds.LINE_END or kind is kinds.MALFORMED):
            stop = start if kind is kinds.LINE_END else end
            yield Problem(MALFORMED_COMMAND_LINE, line, stop, {"header": dialect.header})
        leads = kind is kinds.HEADER or (leads and kind is kinds.BLANK)
        if kind is kinds.HEADER:
            line, dialect = start, DIALECTS[text[start]]
        elif kind is kinds.ARGUMENTS:
            if is_argued:
                yield from _problems_of_arguments(text, start, end, dialect)
        elif kind is kinds.UNKNOWN_NAME:
            is_argued = not in_block
            if not in_block:
                wrong, data = unknown_name(text[start:end], dialect)
                yield Problem(wrong, start, end, data)
        elif kind in _BEGIN_BLOCK:
            in_block = is_argued = True
        elif kind in _END_BLOCK:
            in_block, is_argued = False, kind is not kinds.END_NAME and kind is not kinds.STRAY_END
            if kind is kinds.STRAY_END:
                yield Problem(UNEXPECTED_END, start, end)
    if leads:
        yield Problem(MALFORMED_COMMAND_LINE, line, piece.length, {"header": dialect.header})


def _problems_of_arguments(text: str, start: int, end: int, dialect: Dialect) -> tuple[Problem, ...]:
    # most chats have no arguments, and are told their problems without the reader of JSON5
    from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, parse_arguments

    return parse_arguments(text, start, end, dialect).problems if end - start <= KEYSTROKE_LIMIT else ()


def _context(state: object) -> str:
    while isinstance(state, LayeredState):
        state = state.outer
    return state.context if isinstance(state, State) else ""
