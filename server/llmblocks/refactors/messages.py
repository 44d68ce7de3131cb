"""The message at a cursor, as the refactorings of chats read it."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.silence import pieces_before
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import LONGEST
from llmblocks.refactors.selected import header_of, pieces_from
from llmblocks.rules.values import values_of
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.arguments import Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS, Dialect

_ENDS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME, kinds.FLUSH_NAME))


class ChosenMessage(NamedTuple):
    """A message with a role.

    Shape: `start` is where its command line begins, `body` where the line below it does, `end` is where the next one
           begins; `name` is that of its command.
    """

    start: int
    name: str
    body: int
    end: int
    dialect: Dialect
    arguments: Arguments


def message_at(ask: Ask, offset: int) -> ChosenMessage | None:
    """The message whose text a place is in; None for a raw one, outside of messages, and where it is long."""
    document = ask.document
    found = None
    for piece, start in pieces_before(document, offset):
        at = start
        for kind, width in piece.tokens:
            if kind in _ENDS and at + width <= offset:
                found = kind, at, at + width
            at += width
        if found is not None or offset - start > LONGEST:
            break
    if found is None or found[0] is not kinds.MESSAGE_NAME:
        return None
    _, name, name_end = found
    line = document.position(name)[0]
    first, body = document.line_start(line), document.line_start(line + 1)
    end = _end(ask, body)
    if end is None or offset < body:
        return None
    dialect = DIALECTS[header_of(ask, name)]
    rest = document.slice(name_end, body).rstrip("\r\n")
    return ChosenMessage(
        first, document.slice(name, name_end), body, end, dialect, parse_arguments(rest, 0, len(rest), dialect)
    )


def _end(ask: Ask, body: int) -> int | None:
    document = ask.document
    for piece, start in pieces_from(document, body):
        at = start
        for kind, width in piece.tokens:
            if kind in _ENDS and at >= body:
                return document.line_start(document.position(at)[0])
            at += width
        if at - body > LONGEST:
            return None
    return len(document)


def calls_and_words(ask: Ask, text: str, dialect: Dialect) -> tuple[list[str], str]:
    """The calls and blocks in the messages of a text, without their places, and the words outside of them."""
    values = values_of(text, ask.language, ask.settings._replace(dialect=dialect.header))
    found = [repr(each._replace(before=0)) for each in values[1:] if each.message is None and each.head]
    return found, "".join("".join([each.free for each in values]).split())


def is_lost(ask: Ask) -> bool:
    """Whether the text at the start of a selection is that of no message, so that no program reads it."""
    return ask.language.layers[0] == "stf" and not ask.settings.default_role and message_at(ask, ask.start) is None
