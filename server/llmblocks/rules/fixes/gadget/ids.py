"""Fixes of the ids and dependencies of calls."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from difflib import get_close_matches
from operator import attrgetter
from typing import Final, NamedTuple

from llmblocks.contract.other_files import other_files
from llmblocks.core.edits import Edit
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.facts.finding import Finding
from llmblocks.gadget.editor.calls import INVOCATION, NUMBERED
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import SAME, Expected, other_head
from llmblocks.rules.fix import Fix

_MOST_IDS = 100
"""The maximum number of ids that an unknown dependency is compared with."""
_COUNTED = re.compile("gadget_[0-9]+")
_NUMBER = re.compile("[0-9]+$")


def removed_dependency(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a dependency."""
    gone = ask.document.slice(finding.start, finding.end)
    return _removed(
        finding,
        ask,
        other_head(lambda name, own, others: (name, own, tuple([each for each in others if each != gone]))),
    )


def removed_repetition(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a repeated dependency, which changes nothing."""
    return _removed(finding, ask, SAME)


def _removed(finding: Finding, ask: Ask, expected: Expected) -> tuple[Fix, ...]:
    """Remove a dependency with its superfluous separator."""
    document = ask.document
    line, _ = document.position(finding.start)
    before = document.slice(document.line_start(line), finding.start).rstrip(SPACE)
    behind = document.slice(finding.end, document.line_start(line + 1))
    start, end = finding.start, finding.end
    spaces = len(behind) - len(behind.lstrip(" \t"))
    if before.endswith(":") and behind[spaces:].startswith(","):
        rest = behind[spaces + 1 :]
        end += spaces + 1 + len(rest) - len(rest.lstrip(" \t"))
    elif before.endswith((",", ":")):
        start = document.line_start(line) + len(before) - 1
    else:
        return ()
    name = document.slice(finding.start, finding.end)
    return (Fix(f"Remove this dependency `{name}`", (Edit(start, end, ""),), expected),)


def fresh_id(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give a call an unused id, which the runtime does not generate either."""
    old = str(finding.data.get("id", ""))
    kind, new = _new_ids(ask.index()).get((finding.start, old), ("", ""))
    if not new:
        return ()
    edit = Edit(finding.start, finding.end, new) if kind == INVOCATION else Edit(finding.end, finding.end, f":{new}")
    title = f"Change this id to `{new}`" if old else f"Give this call the id `{new}`"
    return (Fix(title, (edit,), other_head(lambda name, _, others: (name, new, others))),)


def _ids(index: Index) -> dict[tuple[int, str], tuple[str, str]]:
    placed = [
        (start + symbol.start, symbol.kind, symbol.name)
        for start, (_, symbol) in index.placed()
        if symbol.role == "definition" and symbol.kind in (INVOCATION, NUMBERED)
    ]
    often = Counter([name for _, _, name in placed])
    others, used = other_files(index), {*index.names("definition", INVOCATION)}
    skipped: dict[tuple[str, int], int] = {}
    begun: set[str] = set()
    found = {}
    for at, kind, name in placed:
        if often[name] == 1:
            continue
        stem, number = _stem(name)
        taken = []
        while (new := f"{stem}{number}") in used or others.has(INVOCATION, new):
            taken.append((stem, number))
            number = skipped.get((stem, number), number + 1)
        # the next of many consecutive ones begins after them
        skipped.update(dict.fromkeys(taken, number))
        found[at, name] = kind, new
        if name in begun:
            used.add(new)
        elif kind == INVOCATION:
            # it keeps its id if the others get new ones
            begun.add(name)
    return found


_new_ids: Final = Query("new ids of calls", _ids)


def _stem(name: str) -> tuple[str, int]:
    """Return the beginning and the first number of the possible replacements of an id."""
    number = _NUMBER.search(name)
    if number and not _COUNTED.fullmatch(name) and len(number[0]) < 10:
        return name[: number.start()], int(number[0])
    return f"{name or 'call'}_", 1


def nearest_ids(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Replace a dependency with the most similar ids of earlier calls, nearest first."""
    index = ask.index()
    calls = _calls(index)
    number = bisect_left(calls, finding.start, key=attrgetter("start"))
    # these follow the id of the call
    own = calls[number - 1].names if number else ()
    before = [*other_files(index).earlier(INVOCATION)][-_MOST_IDS:]
    earlier = [*before, *[call.id for call in calls[max(number - _MOST_IDS, 0) : number]]]
    others = [each for each in dict.fromkeys(earlier) if each and each not in own]
    name = str(finding.data.get("dependency", ""))
    near = get_close_matches(name[:100], others, 3, 0.4)
    return tuple(
        [Fix(f"Depend on `{each}`", (Edit(finding.start, finding.end, each),), _depends(name, each)) for each in near]
    )


def _depends(old: str, new: str) -> Expected:
    return other_head(lambda name, own, others: (name, own, tuple([new if each == old else each for each in others])))


class _NumberedCall(NamedTuple):
    """A call with an id."""

    start: int
    """The place of the id."""
    id: str
    names: set[str]
    """The id and all dependencies."""


def _of_calls(index: Index) -> list[_NumberedCall]:
    found: list[_NumberedCall] = []
    for start, (_, (role, kind, name, at, _)) in index.placed():
        if kind == INVOCATION:
            if role == "definition":
                found.append(_NumberedCall(start + at, name, set()))
            if found:
                found[-1].names.add(name)
    return found


_calls: Final = Query("calls with ids", _of_calls)


def comma(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Separate two dependencies with a comma."""
    # in a chat, the text around the call is a value, too
    safe = ask.language.layers[0] == "gadget"
    return (Fix("Write a comma", (Edit(finding.start, finding.end, ","),), safe=safe),)
