"""Formatting: one style for what programs ignore. No decoded value changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import cast

from llmblocks.core.section import Span
from llmblocks.core.style import Change, Style
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.rules.fix import Edit, Shift, composed, edited
from llmblocks.rules.values import values_of
from llmblocks.settings.values import DEFAULTS, Settings

_MOST_ROUNDS = 16
_MOST_CHARACTERS = 1 << 26
_FEWEST_TRIES = 16


def format_text(text: str, language_id: str, settings: Settings | None = None) -> str:
    """Format a text. Formatting the result again changes nothing.

    Errors: `ValueError` for an unknown language; none for any text.
    """
    language, settings = find_language(language_id), settings or DEFAULTS
    return edited(text, format_edits(ask_all(language.open(text, settings), language, settings)))


def format_edits(ask: Ask) -> tuple[Edit, ...]:
    """The edits that format a range, in order. An edit that would change a decoded value is left out."""
    style = _style(ask.language)
    if style is None:
        return ()
    document = ask.document
    text = first = document.text
    # what is wrong with a line is often in front of the caret
    start, end = document.line_start(document.position(ask.start)[0]), ask.end
    end = newline if (newline := text.find("\n", end)) >= 0 else len(text)
    trial = _Trial(style, ask, text)
    rounds: list[Sequence[Edit]] = []
    size = len(text)
    while len(rounds) < _MOST_ROUNDS:
        spans = [
            Span(kind, placed.start + begin, placed.start + stop)
            for placed in document.placed()
            for kind, begin, stop in placed.section.spans()
        ]
        wanted = (
            _smallest(text, each)
            for each in sorted(style.changes(text, spans, ask.settings))
            if each.end >= start and each.start <= end and text[each.start : each.end] != each.text
        )
        made = trial.made(text, _apart(wanted))
        if not made:
            break
        rounds.append(made)
        text = edited(text, made)
        start, end = Shift(made).span(start, end) if end - start < size else (0, len(text))
        document = ask.language.open(text, ask.settings)
    return (*composed(len(first), rounds),)


def _style(language: Language) -> Style[Settings] | None:
    """The style of the outermost format: to it, the text of the others is a value."""
    name = f"llmblocks.{language.layers[0]}.formatting"
    try:
        return cast("Style[Settings]", import_module(name))
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def _smallest(text: str, change: Change) -> Edit:
    """A change without what is the same at its ends."""
    start, end, new = change
    same = _shared(text[start:end], new)
    start, new = start + same, new[same:]
    same = _shared(text[start:end][::-1], new[::-1])
    return Edit(start, end - same, new[: len(new) - same])


def _shared(one: str, other: str) -> int:
    """How many characters are the same at the start."""
    differs = (number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differs, min(len(one), len(other)))


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """Edits that do not touch one another."""
    found: list[Edit] = []
    for each in edits:
        if not found or each.start > found[-1].end:
            found.append(each)
    return found


class _Trial:
    """The values of a text, which each change has to keep."""

    def __init__(self, style: Style[Settings], ask: Ask, text: str) -> None:
        self._style = style
        self._pause = ask.pause
        self._language, self._settings = ask.language, ask.settings
        self._tries = max(_MOST_CHARACTERS // (len(text) + 1), _FEWEST_TRIES)
        self._values = self._read(text)

    def made(self, text: str, edits: list[Edit]) -> list[Edit]:
        """Those of the edits that change no value."""
        if not edits or self._tries <= 0 or self._values is None:
            return []
        self._tries -= 1
        self._pause()
        if self._read(edited(text, edits)) == self._values:
            return edits
        if len(edits) == 1:
            return []
        half = len(edits) // 2
        first, second = self.made(text, edits[:half]), self.made(text, edits[half:])
        if first and second and self._read(edited(text, [*first, *second])) != self._values:
            return first
        return [*first, *second]

    def _read(self, text: str) -> str | None:
        """All values of a text. Those of inner formats are in the text of the outer one, except across its blocks."""
        try:
            blocks = [
                (each.head, each.parts, each.content)
                for each in values_of(text, self._language, self._settings)
                if each.content is not None
            ]
            return repr((self._style.keeps(text, self._settings), blocks))
        except RecursionError:
            return None  # values that are nested deeper than Python can look
