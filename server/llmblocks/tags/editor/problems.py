"""What is odd about the tags of a section: what the rules T001 to T010 judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Section, Span
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.nearest import nearest
from llmblocks.tags.editor.view import Tag, open_tag, tags
from llmblocks.tags.syntax.names import NAME


class Fact(NamedTuple):
    """One odd thing at one place.

    Shape: `kind` is the name of the rule that judges it; `start` and `end` are code points from the start of the
           section. `name` is the tag or attribute that it is about, `better` what was probably meant, or empty.
           `other` is a second place: the opening tag of a block, the later of two attributes.
    """

    kind: str
    start: int
    end: int
    name: str
    better: str = ""
    other: tuple[int, int] | None = None


def facts(section: Section, names: tuple[str, ...]) -> tuple[Fact, ...]:
    """Everything odd in a section, in the order of its places, computed once for the same registered `names`."""
    return _facts(names)(section)


@lru_cache(maxsize=16)
def _facts(names: tuple[str, ...]) -> Query[Section, tuple[Fact, ...]]:
    return Query("tag facts", _Facts(names))


@dataclass(frozen=True, slots=True)
class _Facts:
    """Reads the facts of a section."""

    names: tuple[str, ...]

    def __call__(self, section: Section) -> tuple[Fact, ...]:
        found: list[Fact] = []
        # A long run of plain text is not worth putting together.
        if not any("<" in piece.text for piece in section.pieces):
            return ()
        text = section.text
        tag = open_tag(section.before)
        opening: tuple[int, int] | None = None
        spans = list(section.spans())
        starts = {one.start: one for one in tags(section)} if _has_odd_tags(text, spans) else {}
        for kind, start, end in spans:
            if kind is kinds.TEXT:
                found += _in_text(text, start, end, self.names)
            elif kind is kinds.CONTENT:
                found += _in_content(text, start, end, tag, opening)
            elif kind is kinds.OPENING:
                opening = (start, end)
                if start in starts:
                    found += _in_tag(text, starts[start])
            elif kind is kinds.NAME:
                tag = text[start:end]
            elif kind is kinds.OPENED and opening:
                opening = (opening[0], end)
        return tuple(sorted(found, key=lambda fact: (fact.start, fact.end)))


def _has_odd_tags(text: str, spans: list[Span]) -> bool:
    """Whether a block is not closed, or has an attribute list that is not like those that everybody writes."""
    depth = at = 0
    for kind, start, end in spans:
        if kind is kinds.OPENING:
            if depth:
                return True
            depth = 1
        elif kind is kinds.NAME:
            at = end
        elif kind is kinds.OPENED or kind is kinds.SELF_CLOSED:
            if at < start:
                if not _USUAL_LIST.fullmatch(text, at, start):
                    return True
                names = _USUAL.findall(text, at, start)
                if len(set(names)) < len(names):
                    return True
            depth = int(kind is kinds.OPENED)
        elif kind is kinds.CLOSED:
            depth = 0
    return depth > 0


def _in_text(text: str, start: int, end: int, names: tuple[str, ...]) -> Iterator[Fact]:
    if text.find("<", start, end) < 0:
        return
    known = frozenset(names)
    for found in _ANY_TAG.finditer(text, start, end):
        at, behind_it = found.span()
        closing, name, behind = found.groups()
        if name in known:
            if closing and behind == ">":
                yield Fact("stray-closing-tag", at, behind_it, name)
            elif not closing and behind:
                # It would have been met, had nothing swallowed its bracket.
                yield Fact("swallowed-opening-bracket", at, at + 1 + len(name), name)
        elif behind:
            better = nearest(name, names)
            if better:
                at += 1 + len(closing)
                yield Fact("misspelt-tag", at, at + len(name), name, better)


def _in_content(text: str, start: int, end: int, tag: str, opening: tuple[int, int] | None) -> Iterator[Fact]:
    if text.find("<", start, end) < 0:
        return
    for found in _closing(tag).finditer(text, start, end):
        swallowed = found[0] == f"</{tag}>"
        kind = "swallowed-opening-bracket" if swallowed else "spaced-closing-tag"
        yield Fact(kind, found.start(), found.end(), tag, "", opening)
    bracket = start
    for found in _ANY_TAG.finditer(text, start, end):
        closing, name, behind = found.groups()
        at = found.start() + 1 + len(closing)
        if closing and behind == ">" and name != tag and nearest(name, (tag,)):
            yield Fact("misspelt-tag", at, at + len(name), name, tag, opening)
        elif not closing and behind and name == tag:
            if bracket < found.end():
                bracket = text.find(">", found.end() - 1, end) + 1 or end + 1
            if not text.endswith("/>", start, bracket):
                yield Fact("nested-same-tag", at - 1, at + len(name), name, "", opening)


def _in_tag(text: str, tag: Tag) -> Iterator[Fact]:
    if not tag.ended:
        return
    if not tag.closed:
        yield Fact("unclosed-block", tag.start, tag.end, tag.tag)
    spaced = None if tag.self_closing else _SPACED_SLASH.search(text, *tag.gap)
    if spaced:
        yield Fact("spaced-self-closing", spaced.start(), tag.end, tag.tag)
    last: dict[str, tuple[int, int]] = {}
    for attribute in reversed(tag.attributes):
        if attribute.name in last:
            yield Fact("duplicate-attribute", attribute.start, attribute.end, attribute.name, "", last[attribute.name])
        else:
            last[attribute.name] = (attribute.start, attribute.end)
        if attribute.quote:
            if not attribute.closed:
                yield Fact(
                    "angle-bracket-in-attribute",
                    tag.end - 1,
                    tag.end,
                    attribute.name,
                    other=(attribute.start, attribute.end),
                )
        elif attribute.value > attribute.name_end and attribute.value_end < tag.bracket:
            meant = _MEANT.match(text, attribute.value_end, tag.bracket)
            if meant and not (spaced and attribute.value_end == spaced.start()):
                value = text[attribute.value : meant.end()]
                yield Fact("slash-ends-unquoted-value", attribute.value, meant.end(), attribute.name, value)


_ANY_TAG = re.compile(rf"<(/?)({NAME})([>/ \t\n\r]?)")
_SPACE = r"[ \t\n\r]"
_USUAL = re.compile(rf"""{_SPACE}++({NAME})(?:="[^"]*+"|='[^']*+'|=[^ \t\n\r"'/=]++)?+""")
_USUAL_LIST = re.compile(rf"(?:{_USUAL.pattern})*+{_SPACE}*+")
_SPACED_SLASH = re.compile(r"/[ \t\n\r]+\Z")
_MEANT = re.compile(r"/[^ \t\n\r>]*")


def _closing(tag: str) -> re.Pattern[str]:
    """A tag's closing tag, and what is one but for white space."""
    return re.compile(rf"<[ \t\n\r]*+/[ \t\n\r]*+{re.escape(tag)}[ \t\n\r]*+>")
