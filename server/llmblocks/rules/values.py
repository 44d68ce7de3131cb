"""The values of a document for a program, and the comparison before and after fixes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from llmblocks.contract.decoded import Decode, Decoded, DecodedValue, Scalar
from llmblocks.languages.language import Language
from llmblocks.rules.chats import MEASURED, is_rest, keeps_messages
from llmblocks.rules.fix import Effect
from llmblocks.settings.values import Settings

Part = tuple[str, Scalar]
_Format = tuple[str, Decode[Settings]]
_NUMBERED = re.compile("'gadget_[0-9]+'")
_BECOMES = ((0, 1), (1, 1), (1, 2))
"""How many calls one fix replaces, and with how many."""
_OF_TAGS: frozenset[Effect] = frozenset(("markup", "attributes", "blocks"))
_TAG = re.compile("<+[^<>]*>")
_LINE_ENDS = re.compile("[\r\n]+")


def values_of(text: str, language: Language, settings: Settings) -> list[DecodedValue]:
    """Return all values of a text; those of an inner format follow those of the text around them."""
    return _values(text, _formats(language), settings)


def contents_around_calls(text: str, language: Language, settings: Settings) -> list[str]:
    """Return the contents of the custom blocks of a text, with a sign in the place of each call."""
    (_, decode), *within = _formats(language)
    read = decode(text, settings)
    calls = [each.before for each in read if isinstance(each, DecodedValue)]
    free = "".join([each for each in read if isinstance(each, str)])
    marked = "\0".join([free[start:end] for start, end in pairwise([0, *calls, len(free)])])
    return [each.content for each in _values(marked, within, settings) if each.content is not None]


def _formats(language: Language) -> list[_Format]:
    # a format that tells nothing of its values: none of its text may change
    return [(each.name, each.decoded() if each.decoded else _as_it_is) for each in language.loaded]


def _as_it_is(text: str, _: Settings) -> Decoded:
    return [DecodedValue(text), text]


def _values(text: str, formats: Sequence[_Format], settings: Settings) -> list[DecodedValue]:
    read: Decoded = [text]
    within = formats
    while within:
        (_, decode), *within = within
        read = decode(text, settings)
        if read != [text]:
            break
    else:
        # most texts of messages: nothing in them has a meaning
        return [DecodedValue("", free=text)]
    found = []
    known: dict[frozenset[str], Sequence[_Format]] = {}
    for each in read:
        if isinstance(each, DecodedValue):
            found.append(each)
        elif isinstance(each, str):
            found += _values(each, within, settings)
        else:
            if each.formats not in known:
                known[each.formats] = [one for one in within if one[0] in each.formats]
            found += _values(each.text, known[each.formats], settings)
    return found


def keeps(before: Sequence[DecodedValue], after: Sequence[DecodedValue], effects: Sequence[Effect]) -> bool:
    """Return whether fixes with these effects have changed nothing else."""
    try:
        return _keeps(before, after, effects)
    except RecursionError:
        return False  # values that are nested deeper than Python can look


def _keeps(before: Sequence[DecodedValue], after: Sequence[DecodedValue], effects: Sequence[Effect]) -> bool:
    if "calls" in effects:
        return set(effects) == {"calls"} and _keep_others(before, after, len(effects))
    if "regions" in effects:
        return set(effects) == {"regions"} and _keep_regions(before, after, len(effects))
    if not {*effects}.isdisjoint(MEASURED - {"nothing"}):
        return keeps_messages(before, after, effects)
    if "returns" in effects:
        before, after = _without_returns(before), _without_returns(after)
    if "block" in effects:
        return len(effects) == 1 and _lost_block(before, after)
    if "blocks" in effects or "tag" in effects:
        if "adds" in effects or not _keep_words(before, after, exactly="tag" not in effects):
            return False
        before, after = ([each for each in values if _is_outer(each)] for values in (before, after))
    if "adds" in effects:
        after = after[: len(before)]
    if len(before) != len(after):
        return False
    # the markup of blocks is text to the formats around them
    moves = not _OF_TAGS.isdisjoint(effects)
    removed = 0
    left = Counter(effects)
    for old, new in zip(before, after, strict=True):
        if old.content != new.content or (old.head != new.head and not _take("renames", left)):
            return False
        stays = old.before == new.before or (moves and _is_outer(old))
        if not (stays and old.free == new.free) and not (
            ("text" in effects and _has_lost(old, new))
            or ("lines" in effects and _has_new_lines(old, new))
            or ("comment" in effects and _has_lost(new, old))
        ):
            return False
        if old.accepted:
            if not new.accepted:
                return False
            same = _reprs(old.parts) == _reprs(new.parts) or ("attributes" in effects and old.content is not None)
            if not (same or _meets(old.parts, new.parts, left)):
                return False
            continue
        missing = _missing(old.parts, new.parts, by_name="names" not in effects)
        if missing is None:
            return False
        removed += missing
    return removed == effects.count("removes")


def _keep_regions(before: Sequence[DecodedValue], after: Sequence[DecodedValue], most: int) -> bool:
    """Return whether all regions that have a value keep it, and at most so many have come."""
    left = iter([(each.head, _reprs(each.parts)) for each in after if each.head and each.accepted])
    old = [(each.head, _reprs(each.parts)) for each in before if each.head and each.accepted]
    return all(each in left for each in old) and sum(1 for _ in left) <= most


def _keep_others(before: Sequence[DecodedValue], after: Sequence[DecodedValue], most: int) -> bool:
    """Return whether at most so many values have changed, all others are there, and none is missing.

    A call that has come takes a number: the ids of those after it that have none of their own count on.
    """
    old, new = (
        [
            (_NUMBERED.sub("", each.head), _reprs(each.parts), each.accepted, each.content)
            for each in values
            if each.head
        ]
        for values in (before, after)
    )
    first = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    behind = [*zip(reversed(old[first:]), reversed(new[first:]), strict=False)]
    same = next((at for at, (one, other) in enumerate(behind) if one != other), len(behind))
    if len(old) > len(new) or len(old) - first - same <= most:
        return len(old) <= len(new)
    here = there = changed = 0
    while here < len(old):
        gone, come = 1, 1
        if old[here] != new[there]:
            # what follows tells whether a call has come, or changed
            gone, come = next(
                (each for each in _BECOMES if _follows(old[here : here + 3], new[there : there + 4], *each)), (1, 1)
            )
            changed += 1
        here += gone
        there += come
        if changed > most or len(old) - here > len(new) - there:
            return False
    return True


def _follows(old: Sequence[object], new: Sequence[object], gone: int, come: int) -> bool:
    return old[gone : gone + 1] == new[come : come + 1]


def _without_returns(values: Sequence[DecodedValue]) -> list[DecodedValue]:
    """Values that differ only in carriage returns are equal here, wherever that puts them in the text around them."""

    def bare(value: Any) -> Any:
        return value.replace("\r", "") if isinstance(value, str) else value

    return [
        each._replace(
            # a head is written as Python writes values
            head=bare(each.head).replace("\\r", ""),
            parts=tuple([(name, bare(value)) for name, value in each.parts]),
            before=0,
            free=bare(each.free),
            content=bare(each.content),
        )
        for each in values
    ]


def _is_outer(value: DecodedValue) -> bool:
    """Return whether a value belongs to a format around custom blocks."""
    return value.content is None and bool(value.head)


def _keep_words(before: Sequence[DecodedValue], after: Sequence[DecodedValue], *, exactly: bool) -> bool:
    """Return whether all text inside and outside of blocks is there, in its order, but for tags.

    Returns:
        If not `exactly`, some of it may be missing.
    """
    old, new = _words(before), _words(after)
    if not exactly:
        return len(old) == len(new) and all(map(is_rest, new, old))
    return [*map(_without_tags, old)] == [*map(_without_tags, new)]


def _without_tags(text: str) -> str:
    """Leave out what stands between brackets, and blank lines: a tag that goes may take its line along."""
    return _LINE_ENDS.sub("\n", _TAG.sub("", text)).strip("\n")


def _lost_block(before: Sequence[DecodedValue], after: Sequence[DecodedValue]) -> bool:
    """Return whether one block has gone, at most with a line end, and all else is there."""
    if len(before) != len(after) + 1:
        return False
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), len(after))
    gone, rest = before[same], [*before[:same], *before[same + 1 :]]
    alike = [
        one._replace(before=0, free="", parts=()) == other._replace(before=0, free="", parts=())
        and _reprs(one.parts) == _reprs(other.parts)
        and is_rest(other.free, one.free)
        for one, other in zip(rest, after, strict=True)
    ]
    lost = sum([len(one.free) - len(other.free) for one, other in zip(rest, after, strict=True)])
    return gone.content is not None and all(alike) and lost <= len("\r\n")


def _words(values: Sequence[DecodedValue]) -> list[str]:
    """Return each text with custom blocks, without their tags."""
    found, parts, at = [], [], 0
    blocks: list[DecodedValue] = []
    for value in values:
        if value.content is not None:
            blocks.append(value)
        elif not value.head:
            for block in blocks:
                parts += [value.free[at : block.before], block.content or ""]
                at = block.before
            found.append("".join([*parts, value.free[at:]]))
            blocks, parts, at = [], [], 0
    return found


def _take(effect: Effect, left: Counter[Effect]) -> bool:
    """Return whether there is one more such effect to expect."""
    left[effect] -= 1
    return left[effect] >= 0


def _meets(old: Sequence[Part], new: Sequence[Part], left: Counter[Effect]) -> bool:
    """Return whether parts differ by as many effects as there are left."""
    before, after = _reprs(old), _reprs(new)
    if len(before) != len(after):
        rest = iter(after)
        if len(before) == len(after) + 1:
            rest = iter(before)
            return _take("drops", left) and all(part in rest for part in after)
        return len(before) < len(after) and _take("gives", left) and all(part in rest for part in before)
    for (name, value), (other_name, other_value) in zip(before, after, strict=True):
        if name != other_name and (value != other_value or not _take("moves", left)):
            return False
        if value != other_value and not _take("replaces", left):
            return False
    return True


def _has_lost(old: DecodedValue, new: DecodedValue) -> bool:
    """Return whether the text of a value, or before it, is the old one without some of its characters."""
    return new.before <= old.before and is_rest(new.free, old.free)


def _has_new_lines(old: DecodedValue, new: DecodedValue) -> bool:
    """Return whether the text of a value, or before it, is the old one with more line ends."""
    # a new line behind a carriage return would make one line end of both
    keeps_returns = new.free.count("\r") >= old.free.count("\r")
    return keeps_returns and new.before >= old.before and _on_one_line(new.free) == _on_one_line(old.free)


def _on_one_line(text: str) -> str:
    return text.replace("\r\n", "").replace("\n", "")


def _reprs(parts: Sequence[Part]) -> list[tuple[str, str]]:
    # 1, 1.0 and true are equal in Python
    return [(name, repr(value)) for name, value in parts]


def _missing(whole: Sequence[Part], rest: Sequence[Part], *, by_name: bool) -> int | None:
    """How many parts have gone; None where those that are left are in another order, or others.

    What is last now may lose the `\r` of its line end, which runtimes trim there.
    """
    if _reprs(whole) == _reprs(rest):
        return 0
    among = iter(whole)
    for number, (name, value) in enumerate(rest, 1):
        wanted = {repr(value)}
        for other, candidate in among:
            known = {repr(candidate)}
            if number == len(rest) and isinstance(candidate, str):
                known.add(repr(candidate.rstrip("\r")))
            if wanted & known and (name == other or not by_name):
                break
        else:
            return None
    return len(whole) - len(rest)
