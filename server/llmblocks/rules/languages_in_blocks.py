"""Blocks whose declared content is gadget calls or a chat: each is read as a separate document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from llmblocks.contract.paint import Painted, Paints
from llmblocks.core.query import Query
from llmblocks.core.section import Section, Span
from llmblocks.facts.finding import Finding
from llmblocks.facts.problem import Facts, Problem
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host, Segment
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.settings.rule_names import BY_CODE, RULES
from llmblocks.settings.values import Settings
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import begun_in, tag_near
from llmblocks.tags.editor.problems import LONGEST, problems_of_contents
from llmblocks.tags.syntax import LANGUAGES

_LONGEST: Final = 2 * LONGEST
"""The maximum length of a section whose blocks are coloured, in characters."""
_start = attrgetter("start")


def facts_of_blocks(
    language: Language, settings: Settings, check: Callable[[Language, str], Iterable[Finding]]
) -> list[Facts]:
    """Return the facts about the contents of blocks in other languages. `check` finds those of a text."""
    known = languages_of(language, settings)
    if not known:
        return []

    def judge(tag: str, text: str) -> Iterator[Problem]:
        for found in check(find_language(known[tag]), text):
            yield Problem(BY_CODE[found.code], found.start, found.end, found.data or {}, found.related)

    layers = {layer for each in known.values() for layer in find_language(each).layers}
    rules = tuple([rule for rule in (*RULES, *settings.rules) if rule.layer in layers])
    return [Facts(rules, lambda section: problems_of_contents(section, known, judge))]


def languages_of(language: Language, settings: Settings) -> dict[str, str]:
    """Return the tags that contain another language, except formats around the blocks, which have read them."""
    if "tags" not in language.layers:
        return {}
    declared = [(tag.name, tag.content.kind) for tag in settings.declared_tags if tag.content is not None]
    return {name: kind for name, kind in declared if kind in LANGUAGES and kind not in language.layers}


class BlockContent(NamedTuple):
    """A question about a block, converted to its content."""

    ask: Ask
    start: int
    """The start of the content."""


def ask_inside(ask: Ask) -> BlockContent | None:
    """Return the same question about the content of the block around it, if that is in another language."""
    known = languages_of(ask.language, ask.settings)
    if not known:
        return None
    placed = ask.document.section_at(max(ask.start - 1, 0))
    place = ask.start - placed.start
    tag = tag_near(placed.section, max(place - 1, 0))
    if tag is None or tag.tag not in known:
        return None
    content = tag.content
    if not content or not tag.end <= place <= tag.content_end:
        return None
    language, start = find_language(known[tag.tag]), placed.start + tag.end
    inner = replace(
        ask,
        document=language.open(content, ask.settings),
        language=language,
        start=ask.start - start,
        end=min(ask.end - start, len(content)),
        known_index=lambda: None,
        known_findings=None,
        all_findings=None,
    )
    return BlockContent(inner, start)


@lru_cache(maxsize=16)
def paints_of(language: Language, settings: Settings) -> Paints:
    """Return the colours of a language, with those of declared languages in blocks."""
    paints, known = language.paints(settings), languages_of(language, settings)
    if not known:
        return paints
    around = paints.by_kind.get(kinds.CONTENT)
    inside: Query[Section, list[Painted]] = Query(
        "colours in blocks", lambda section: sorted(_painted(section, known, settings), key=_start)
    )

    def paint(section: Section, span: Span) -> Iterator[Painted]:
        if around is not None:
            yield from around(section, span)
        if section.length <= _LONGEST:
            found = inside(section)
            first, last = (bisect_left(found, place, key=_start) for place in (span.start, span.end))
            yield from found[first:last]

    return Paints({**paints.by_kind, kinds.CONTENT: paint})


def contents_in(section: Section, known: Mapping[str, str]) -> Iterator[tuple[str, int, str]]:
    """Yield the contents of the closed blocks with known tags, each with its language and its start."""
    for tag in begun_in(section):
        is_read = tag.tag in known and tag.ended and not tag.self_closing and tag.content_end - tag.end <= LONGEST
        if is_read and (content := tag.content):
            yield known[tag.tag], tag.end, content


def _painted(section: Section, known: dict[str, str], settings: Settings) -> Iterator[Painted]:
    for language_id, start, content in contents_in(section, known):
        language = find_language(language_id)
        by_kind = language.paints(settings).by_kind
        for placed in language.open(content, settings).placed():
            at = start + placed.start
            for span in placed.section.spans():
                for each in by_kind[span.kind](placed.section, span) if span.kind in by_kind else ():
                    yield each._replace(start=at + each.start, end=at + each.end)


class BlocksHost(Host):
    """Finds the blocks of other languages, except those with calls inside."""

    def __init__(self, language: Language, settings: Settings, known: dict[str, str]) -> None:
        self._language = language
        self._settings = settings
        self._known = known

    @classmethod
    def of(cls, language: Language, settings: Settings) -> BlocksHost | None:
        """Return the host for documents of a language; None if no settings declare such blocks."""
        known = languages_of(language, settings)
        return cls(language, settings, known) if known else None

    def read(self, text: str) -> EmbeddedTexts:
        found = []
        for placed in self._language.open(text, self._settings).placed():
            for language_id, at, content in contents_in(placed.section, self._known):
                start = placed.start + at
                whole = Segment(start, start + len(content), 0, content)
                found.append(EmbeddedText(language_id, (whole,)))
        return EmbeddedTexts(found)
