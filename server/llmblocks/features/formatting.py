"""Formatting: one style for text that programs ignore, also while the user types. No decoded value changes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from llmblocks.core.chunks import expect_text
from llmblocks.core.document import Document, scanned
from llmblocks.core.edits import Edit, Shift, composed, edited
from llmblocks.core.scan import canonical
from llmblocks.core.section import Span
from llmblocks.features.completion import caret_of, kind_before
from llmblocks.hosts.hosted import edits_outside, host_of_language
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.rules.fix import values_of
from llmblocks.settings.values import DEFAULTS, Settings

_Pause = Callable[[], None]
_Keeps = Callable[[str, Settings], object]
_MOST_ROUNDS = 16


def format_text(text: str, language_id: str, settings: Settings | None = None) -> str:
    """Format a text. Formatting the result again changes nothing. Never raises for any text.

    Raises:
        ValueError: The language is unknown.
        TypeError: The argument is not text.
    """
    expect_text(text, "format_text")
    settings = settings or DEFAULTS
    host = host_of_language(language_id, settings)
    if host is not None:
        parts = [(each, _formatting(each.text, each.language_id, settings)) for each in host.find(text)]
        return edited(text, edits_outside(text, host, parts))
    return edited(text, _formatting(text, language_id, settings))


def _formatting(text: str, language_id: str, settings: Settings) -> tuple[Edit, ...]:
    return (*composed(len(text), [*_rounds(text, find_language(language_id), settings, [(0, len(text))])]),)


def format_edits(ask: Ask, ranges: Iterable[tuple[int, int]] = ()) -> tuple[Edit, ...]:
    """Return the edits that format a document, or its `ranges`, in order; none changes a decoded value."""
    document = ask.document
    text = document.text
    spans: list[tuple[int, int]] = []
    for first, last in sorted([*ranges] or [(ask.start, ask.end)]):
        # the cause of a problem is often before the caret
        start, _ = document.line_at(first)
        end = newline if (newline := text.find("\n", last)) >= 0 else len(text)
        if spans and start <= spans[-1][1] + 1:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    return (*composed(len(text), [*_rounds(text, ask.language, ask.settings, spans, ask.pause)]),)


def _rounds(
    text: str,
    language: Language,
    settings: Settings,
    spans: list[tuple[int, int]],
    pause: _Pause = lambda: None,
) -> Iterator[list[Edit]]:
    """Yield the edits of each round, as one may enable others. All touch the `spans`, which are in order."""
    load = language.loaded[0].style
    if load is None:
        return
    style = load()
    keeps, before, size = style.keeps, None, len(text)
    for _ in range(_MOST_ROUNDS):
        wanted = [
            _smallest(text, each)
            for each in sorted(style.edits(text, _spans(text, language, settings, pause), settings))
            if _touches(each, spans) and text[each.start : each.end] != each.text
        ]
        made = _apart(wanted)
        if made and keeps is not None:
            pause()
            read = partial(_read, keeps=keeps, language=language, settings=settings)
            before = before or read(text)
            if before is None:
                return
            if before.has_blocks:
                made = _outside_blocks(language.open(text, settings), language, made)
            # before a header that is not complete, white space is text: all edits, or all but the last
            made = next((some for some in (made, made[:-1]) if read(edited(text, some)) == before), [])
        if not made:
            return
        yield made
        # a new marker needs a gap after it
        if len(made) == len(wanted) and not any(each.text.strip() for each in made):
            return
        text = edited(text, made)
        shift = Shift(made)
        spans = [shift.span(start, end) if end - start < size else (0, len(text)) for start, end in spans]


def _touches(edit: Edit, spans: list[tuple[int, int]]) -> bool:
    at = bisect_left(spans, edit.start, key=itemgetter(1))
    return at < len(spans) and spans[at][0] <= edit.end


def _spans(text: str, language: Language, settings: Settings, pause: _Pause = lambda: None) -> Iterator[Span]:
    """Yield the tokens of the outermost format. The text of inner formats is a value to it."""
    scanner = language.loaded[0].scanner(settings)
    at = 0
    sections, _ = scanned(scanner, text, scanner.initial, final=True)
    for section in sections:
        pause()
        # no token continues in another section
        yield from [Span(kind, at + start, at + end) for kind, start, end in section.spans()]
        at += section.length


def _smallest(text: str, edit: Edit) -> Edit:
    """Shrink an edit to the text that it changes."""
    start, end, new = edit
    same = _shared(text[start:end], new)
    start, new = start + same, new[same:]
    same = _shared(text[start:end][::-1], new[::-1])
    return Edit(start, end - same, new[: len(new) - same])


def _shared(one: str, other: str) -> int:
    differs = (number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differs, min(len(one), len(other)))


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    found: list[Edit] = []
    for each in edits:
        if not found or each.start > found[-1].end:
            found.append(each)
    return found


class _Values(NamedTuple):
    """The values that a program reads from a text, which edits must keep."""

    told: str
    has_blocks: bool


def _read(text: str, keeps: _Keeps, language: Language, settings: Settings) -> _Values | None:
    """Return the values of a text. Those of inner formats are in the outer one, except across blocks."""
    try:
        values = values_of(text, language, settings)
        blocks = [(each.head, each.parts, each.content) for each in values if each.content is not None]
        return _Values(repr((keeps(text, settings), blocks)), bool(blocks))
    except RecursionError:
        return None  # values are nested too deep for Python


def _outside_blocks(document: Document, language: Language, edits: list[Edit]) -> list[Edit]:
    """Return the edits outside of custom blocks, in which the text around calls is content."""
    # an insertion belongs to the section before it
    placed = (document.section_at(max(each.start - (each.start == each.end), 0)) for each in edits)
    return [each for each, here in zip(edits, placed, strict=True) if not language.is_inside(here.section.before)]


_LONGEST = 1 << 14
_QUOTE = re.compile("['\"]")
_ENDS = ">\nDd/"
"""The last characters of a tag, a line, the default end marker, `@end` and `@*/`. At a newline, all ends count."""


def on_type(ask: Ask, typed: str) -> tuple[Edit, ...]:
    """Return the edits after a character was typed. Text inserted at the position follows the caret."""
    caret, _ = caret_of(ask)
    if caret is None or typed not in (*_ENDS,):
        return ()
    found = [layer.closing(caret, typed, ask.settings) for layer in ask.language.loaded if layer.closing is not None]
    closing = next(filter(None, found), "")
    if typed != "\n":
        return (Edit(ask.position, ask.position, closing),) if closing else _doubled(ask, ask.position)
    above = (*_line_above(ask), *_doubled(ask, _end_of_line_above(ask)))
    if not closing or caret.after.strip():
        return above
    document = ask.document
    line, at = document.line_at(ask.position)
    newline = "\r\n" if document.slice(line - 2, line) == "\r\n" else "\n"
    if document.slice(line, at).endswith("\n"):
        # after the line of the caret, where no editor moves the caret
        return (*above, Edit(at, at, f"{closing}{newline}"))
    at = ask.position + len(caret.after)
    return (*above, Edit(at, at, f"{newline}{closing}"))


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
    """Return the formatting of the line above the new one, unless it changes quotes. Later text stays."""
    document = ask.document
    end, _ = document.line_at(ask.position)
    start, _ = document.line_at(end - 1)
    placed = document.section_at(start)
    first, length = placed.start, placed.section.length
    if not end or length > _LONGEST or end > first + length or not document.slice(start, end).strip():
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
            Edit(at + first, until + first, text)
            for at, until, text in edits
            if start <= at + first and until + first < end and "\n" not in text
            if _QUOTE.findall(part.text[at:until]) == _QUOTE.findall(text)
        ]
    )
