"""Edits while the user types: add the end of a construct, drop a repeated end, format the line above."""

from __future__ import annotations

import re
from dataclasses import replace

from llmblocks.contract.caret import Caret
from llmblocks.core.edits import Edit
from llmblocks.core.scan import canonical
from llmblocks.features.completion import caret_of, kind_before
from llmblocks.features.formatting import format_edits
from llmblocks.languages.ask import Ask

_LONGEST = 1 << 14

_QUOTE = re.compile("['\"]")

CLOSES = ">"
NEWLINE = "\n"
ENDS = "Dd/"
"""The last characters of the default end marker, of `@end` and of `@*/`. Other end markers are handled at the newline.
"""


def on_type(ask: Ask, typed: str) -> tuple[Edit, ...]:
    """Return the edits after a character was typed. Text inserted at the position follows the caret."""
    caret, _ = caret_of(ask)
    if caret is None or typed not in (CLOSES, NEWLINE, *ENDS):
        return ()
    closing = _closing(ask, caret, typed)
    if typed != NEWLINE:
        return (Edit(ask.position, ask.position, closing),) if closing else _doubled(ask, ask.position)
    above = (*_line_above(ask), *_doubled(ask, _end_of_line_above(ask)))
    if not closing or caret.after.strip():
        return above
    document = ask.document
    line, _ = document.position(ask.position)
    newline = "\r\n" if document.slice(document.line_start(line) - 2, document.line_start(line)) == "\r\n" else "\n"
    if line < document.sections.newlines:
        # after the line of the caret, where no editor moves the caret
        at = document.line_start(line + 1)
        return (*above, Edit(at, at, f"{closing}{newline}"))
    at = ask.position + len(caret.after)
    return (*above, Edit(at, at, f"{newline}{closing}"))


def _closing(ask: Ask, caret: Caret, typed: str) -> str:
    found = [layer.closing(caret, typed, ask.settings) for layer in ask.language.loaded if layer.closing is not None]
    return next(filter(None, found), "")


def _doubled(ask: Ask, end: int) -> tuple[Edit, ...]:
    """Remove the end marker after the caret that repeats the one before `end`."""
    caret, _ = caret_of(replace(ask, start=end, end=end))
    found = [] if caret is None else [layer.ended(caret) for layer in ask.language.loaded if layer.ended is not None]
    ended = next(filter(None, found), "")
    if not ended:
        return ()
    ahead = ask.document.slice(ask.position, min(ask.position + _LONGEST, len(ask.document)))
    again = re.compile(rf"[ \t\r\n]*{re.escape(ended)}").match(ahead)
    return (Edit(ask.position, ask.position + again.end(), ""),) if again else ()


def _end_of_line_above(ask: Ask) -> int:
    end, _ = ask.document.line_at(ask.position)
    return max(end - 2 if ask.document.slice(max(end - 2, 0), end) == "\r\n" else end - 1, 0)


def _line_above(ask: Ask) -> tuple[Edit, ...]:
    """Return the formatting of the line above the new one, except its quotes. Later text stays."""
    document = ask.document
    line, _ = document.position(ask.position)
    start, end = document.line_start(line - 1), document.line_start(line)
    placed = document.section_at(start)
    first, length = placed.start, placed.section.length
    if not line or length > _LONGEST or end > first + length or not document.slice(start, end).strip():
        return ()
    last = kind_before(placed.section, end - first)
    if last is not None and last.opaque:
        return ()  # data, such as JSON5: a value stays as written
    part = ask.language.open(placed.section.text, ask.settings)
    if part.tokens() != canonical(placed.section.tokens):
        return ()  # alone, the line has another meaning
    edits = format_edits(Ask(part, ask.language, ask.settings, start - first, end - first))
    return tuple(
        [
            Edit(at + first, until + first, kept)
            for at, until, text in edits
            if start <= at + first and until + first < end and "\n" not in text
            if (kept := _with_quotes_of(part.text[at:until], text)) is not None
        ]
    )


def _with_quotes_of(typed: str, text: str) -> str | None:
    """Return a text with the quotes that the user typed, to avoid a surprise; None if they do not fit."""
    quotes = _QUOTE.findall(typed)
    if "\\" in typed or len(quotes) != len(_QUOTE.findall(text)):
        return None if quotes else text
    return _QUOTE.sub(lambda _: quotes.pop(0), text)
