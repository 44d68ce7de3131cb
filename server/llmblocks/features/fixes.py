"""Fixes for the findings at a place, and for a whole document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.core.finding import Finding
from llmblocks.features.ignoring import ignoring
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language
from llmblocks.rules.checker import Checker
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixing import Applied, Reading, TextReader, changes_all, fixed, suggested
from llmblocks.rules.surroundings import surroundings
from llmblocks.settings.values import Settings

_MOST_FINDINGS = 32
_LONGEST = 1 << 20
_LONGEST_COMMENTED = 1 << 16
_Suggest = Callable[[Finding, Ask], Iterable[Fix]]


class QuickFix(NamedTuple):
    """A fix that does what it says. Shape: of the fixes of a finding, one is `preferred`."""

    finding: Finding
    fix: Fix
    preferred: bool


def quick_fixes(ask: Ask) -> Iterator[QuickFix]:
    """The fixes of the findings in a range, or at its ends."""
    reader = _reader(ask.language, ask.settings)
    for number, finding in enumerate(_findings(ask)):
        if number == _MOST_FINDINGS:
            return
        ask.pause()
        titles: set[str] = set()
        for each in _tried(ask, finding, reader, suggested):
            if each.title not in titles:
                yield QuickFix(finding, each, not titles)
                titles.add(each.title)
        for each in _tried(ask, finding, reader, ignoring):
            if each.title not in titles:
                yield QuickFix(finding, each, False)
                titles.add(each.title)


def best_fix(ask: Ask, finding: Finding) -> Fix | None:
    """The preferred fix of a finding; None if no fix does what it says."""
    return next(_tried(ask, finding, _reader(ask.language, ask.settings), suggested), None)


def fix_all(ask: Ask) -> tuple[tuple[Edit, ...], int]:
    """The edits of all safe fixes of a document, and the number of the fixes."""
    found = fixed(ask.document.text, ask.language, ask.settings, pause=ask.pause)
    return found.edits, len(found.applied)


@lru_cache(maxsize=8)
def _reader(language: Language, settings: Settings) -> TextReader:
    return TextReader(language, settings)


@lru_cache(maxsize=4)
def _read(reader: TextReader, text: str) -> Reading:
    # the findings of one section are tried one after the other
    return reader.read(text)


@lru_cache(maxsize=8)
def _checker(language: Language, settings: Settings) -> Checker:
    # kept, because what it finds is remembered on the sections under its name
    return Checker(language, settings)


def _findings(ask: Ask) -> Iterable[Finding]:
    if ask.known_findings is not None:
        return ask.known_findings(ask.start, ask.end)
    found = _checker(ask.language, ask.settings).all(ask.document)
    return (each for each in found if each.start <= ask.end and each.end >= ask.start)


def _tried(ask: Ask, finding: Finding, reader: TextReader, suggest: _Suggest) -> Iterator[Fix]:
    """The fixes of a finding that do what they say."""
    # a comment may silence what is far from it
    commented = len(ask.document) <= _LONGEST_COMMENTED and reader.checker.signed(ask.document.pieces())
    whole = suggest is suggested and changes_all(finding)
    part = None if commented or whole else _part(ask, finding, reader)
    found = None if part is None else _tried_in(part, finding, suggest)
    if found is None or (not found and part is not None and part.end - part.start < len(ask.document)):
        if len(ask.document) > _LONGEST:
            return
        found = _tried_in(_Part(_read(reader, ask.document.text), 0, len(ask.document), True), finding, suggest)
    yield from found or ()


class _Part(NamedTuple):
    """Some sections, read as a text of their own.

    Shape: `last` says that nothing follows them, `inside` that their free text is some of a block before them.
    """

    reading: Reading
    start: int
    end: int
    last: bool
    inside: bool = False


def _part(ask: Ask, finding: Finding, reader: TextReader) -> _Part | None:
    """The sections around a finding; None where they mean something else by themselves."""
    around = surroundings(ask.document, finding.start, finding.end)
    if around is None:
        return None
    reading = _read(reader, around.text)
    if not around.are(reading.ask.document):
        return None
    inside = ask.language.is_inside(ask.document.section_at(around.start).section.before)
    return _Part(reading, around.start, around.end, around.last, inside)


def _tried_in(part: _Part, finding: Finding, suggest: _Suggest) -> list[Fix] | None:
    """The fixes that do what they say in a part; None where its surroundings decide.

    They do where a fix gives or takes a name, or changes the text of a block that begins before the part.
    """
    reading, start, _, last, inside = part
    there = finding.moved(-start)
    before = reading.ask.document.end_state
    alone = start == 0 and last
    found = []
    for each in suggest(there, reading.ask):
        new = reading.after([Applied(there, each)])
        if new is None or not (last or new.ask.document.end_state == before):
            continue
        if not alone and (_names(new) != _names(reading) or (inside and new.free_text != reading.free_text)):
            return None
        edits = tuple([Edit(edit.start + start, edit.end + start, edit.text) for edit in each.edits])
        found.append(Fix(each.title, edits, each.effect, each.safe))
    return found


def _names(reading: Reading) -> list[tuple[str, str, str]]:
    """The names in a text, which rules may compare with those around it."""
    symbols = reading.ask.language.symbols
    return [
        (symbol.role, symbol.kind, symbol.name)
        for section in reading.ask.document.sections
        for piece in section.pieces
        for symbol in symbols(piece)
    ]
