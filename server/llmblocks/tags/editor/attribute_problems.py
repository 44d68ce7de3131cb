"""The problems of attribute lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from llmblocks.core.distance import distance
from llmblocks.core.places import Related
from llmblocks.core.section import Section, Span
from llmblocks.facts.problem import Problem
from llmblocks.tags import kinds
from llmblocks.tags.declared import Attribute
from llmblocks.tags.editor.blocks import LISTED, AttributeView, TagBlock, begun_in
from llmblocks.tags.rules import (
    ANGLE_BRACKET_IN_ATTRIBUTE,
    DUPLICATE_ATTRIBUTE,
    MISSING_ATTRIBUTE,
    SLASH_ENDS_UNQUOTED_VALUE,
    SPACED_SELF_CLOSING,
    UNKNOWN_ATTRIBUTE,
)
from llmblocks.tags.syntax import NAME, parse_attributes


# A page of HTML repeats the same few names thousands of times.
@lru_cache(maxsize=1024)
def nearest(name: str, names: tuple[str, ...]) -> str:
    """Return the closest of `names` to a different name; empty if none is close.

    A different case is closest; then one change for names of at least 4 characters, two for at least 6. Shorter names
    are HTML's: `<b>` is not a misspelt `<t1>`. Two swapped neighbours count as one change. A plural is another word:
    `<tools>` is not a misspelt `<tool>`.
    """
    best, least = "", 3
    folded = name.lower()
    for other in names:
        if other == name or f"{other.lower()}s" == folded or other.lower() == f"{folded}s":
            continue
        allowed = 2 if len(other) >= 6 else 1 if len(other) >= 4 else 0
        changes = distance(folded, other.lower(), min(allowed, least))
        if changes <= allowed and changes < least:
            best, least = other, changes
    return best


LONGEST: Final = 1 << 16
"""Longer tags over several lines are skipped."""
Declared = Mapping[str, tuple[Attribute, ...]]
"""The attributes of the tags for which settings declare them."""

_PARTS = LISTED | {kinds.OPENING, kinds.NAME, kinds.OPENED, kinds.SELF_CLOSED}


def problems_of_lists(section: Section, declared: Declared) -> Iterator[Problem]:
    """Yield the problems of attribute lists, given the declared tags."""
    if not declared and LISTED.isdisjoint(section.kinds):
        return
    text, spans = section.text, [*section.spans()]
    if not _has_declared(text, spans, declared) and not _has_odd_lists(text, spans):
        return
    for tag in begun_in(section):
        if tag.ended and _is_whole(text, spans, tag):
            yield from _in_tag(text, tag)
            yield from _against(tag, declared.get(tag.tag))


def _has_declared(text: str, spans: list[Span], declared: Collection[str]) -> bool:
    return bool(declared) and any(kind is kinds.NAME and text[start:end] in declared for kind, start, end in spans)


def _has_odd_lists(text: str, spans: list[Span]) -> bool:
    """Return whether an attribute list does not have the usual form."""
    at = 0
    for kind, start, end in spans:
        if kind is kinds.NAME:
            at = end
        elif (kind is kinds.OPENED or kind is kinds.SELF_CLOSED) and at < start:
            usual = _USUAL_LIST.fullmatch(text, at, start)
            if usual is None:
                return True
            # prevents a quadratic search for a name in a run of spaces
            names = _USUAL.findall(text, at, usual.end(1))
            if len(set(names)) < len(names):
                return True
    return False


def _is_whole(text: str, spans: Iterable[Span], tag: TagBlock) -> bool:
    """Return whether no other format interrupts a tag, and it is on one line or not too long."""
    if text.find("\n", tag.start, tag.end) < 0:
        return True
    parts = (kind in _PARTS for kind, start, end in spans if start < tag.end and end > tag.start)
    return tag.end - tag.start <= LONGEST and all(parts)


def _in_tag(text: str, tag: TagBlock) -> Iterator[Problem]:
    spaced = None if tag.self_closing else _SPACED_SLASH.search(text, *tag.gap)
    if spaced:
        yield Problem(SPACED_SELF_CLOSING, spaced.start(), tag.end, {"tag": tag.tag})
    last: dict[str, AttributeView] = {}
    for attribute in reversed(tag.attributes):
        data: dict[str, object] = {"attribute": attribute.name}
        counts = last.setdefault(attribute.name, attribute)
        if counts is not attribute:
            same = text[attribute.value : attribute.value_end] == text[counts.value : counts.value_end]
            related = (Related(counts.start, counts.end, "this one counts"),)
            yield Problem(DUPLICATE_ATTRIBUTE, attribute.start, attribute.end, {**data, "same": same}, related)
        if attribute.quote:
            if not attribute.closed:
                related = (Related(attribute.start, attribute.end, "the attribute"),)
                case = {"case": "self-closing"} if tag.self_closing else {}
                yield Problem(ANGLE_BRACKET_IN_ATTRIBUTE, tag.end - 1, tag.end, {**data, **case}, related)
        elif attribute.value > attribute.name_end and attribute.value_end < tag.bracket:
            meant = _MEANT.match(text, attribute.value_end, tag.bracket)
            if meant and not (spaced and attribute.value_end == spaced.start()):
                data["value"] = text[attribute.value : meant.end()]
                if names := [f"'{name}'" for name in parse_attributes(meant[0])]:
                    data |= {"case": "attributes", "names": ", ".join([*names[:_NAMED], "…"][: len(names)])}
                yield Problem(SLASH_ENDS_UNQUOTED_VALUE, attribute.value, meant.end(), data)


def _against(tag: TagBlock, declared: tuple[Attribute, ...] | None) -> Iterator[Problem]:
    """Yield the undeclared attributes of a tag, and missing required ones."""
    if declared is None:
        return
    names = tuple([each.name for each in declared])
    for each in tag.attributes:
        if each.name not in names:
            better = nearest(each.name, names)
            hint = f"write '{better}'" if better else f"it has {', '.join(names)}" if names else "remove it"
            data = {"tag": tag.tag, "attribute": each.name, "better": better, "hint": hint}
            yield Problem(UNKNOWN_ATTRIBUTE, each.start, each.name_end, data)
    given = {each.name for each in tag.attributes}
    for missing in declared:
        if missing.required and missing.name not in given:
            data = {"tag": tag.tag, "attribute": missing.name, "value": (*missing.values, "")[0]}
            yield Problem(MISSING_ATTRIBUTE, tag.start, tag.end, data)


_SPACE = r"[ \t\n\r]"
_USUAL = re.compile(rf"""{_SPACE}++({NAME})(?:="[^"]*+"|='[^']*+'|=[^ \t\n\r"'/=]++)?+""")
_USUAL_LIST = re.compile(rf"((?:{_USUAL.pattern})*+){_SPACE}*+")
_NAMED = 3
_SPACED_SLASH = re.compile(r"/[ \t\n\r]+\Z")
_MEANT = re.compile(r"/[^ \t\n\r>]*")
