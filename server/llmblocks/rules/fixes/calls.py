"""Fixes of gadget calls: their markers, headers, ids and dependencies."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from llmblocks.contract.other_files import other_files
from llmblocks.core.edits import Edit
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.facts.finding import Finding
from llmblocks.gadget.editor.calls import INVOCATION, NUMBERED, call_in, number_of
from llmblocks.gadget.syntax.values import SPACE
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Expected, Fix, after_line_end, becoming, changing, other_head, rewriting

_MOST_IDS = 100
"""The maximum number of ids that an unknown dependency is compared with."""
_MOST_NAMES = 8
_COUNTED = re.compile("gadget_[0-9]+")
_NUMBER = re.compile("[0-9]+$")
_NO_WORD = re.compile("[^A-Za-z0-9_]+")


def added_end(finding: Finding, ask: Ask) -> Iterator[Fix]:
    document = ask.document
    placed = document.section_at(finding.start)
    call = call_in(placed.section)
    if call is None or call.closed:
        return
    at = placed.start + call.end
    header = document.slice(finding.end, placed.start + call.header_end + 1)
    newline = "\r\n" if header.endswith("\r\n") else "\n"
    marker = ask.settings.markers.end
    text = f"{marker}{newline}" if document.slice(at - 1, at) == "\n" else f"{newline}{marker}"
    if at < len(document) and not text.endswith("\n"):
        text += newline
    yield changing(f"Write `{marker}` after the last argument", Edit(at, at, text))


def new_line(finding: Finding, _: Ask) -> Iterator[Fix]:
    """Move the marked text to a new line; never with `\\r`, which would become part of a value."""
    # removing spaces changes the value, keeping them does not help
    if finding.data.get("case") != "spaces":
        yield changing("Move this to a new line", Edit(finding.start, finding.start, "\n"))


def exact_marker(finding: Finding, ask: Ask) -> Iterator[Fix]:
    marker = str(finding.data.get("marker"))
    # no rule could check the call that it begins
    begun = marker == ask.settings.markers.start
    yield rewriting(finding, marker, f"Change this to `{marker}`", uncovers=begun)


def renamed_gadget(finding: Finding, ask: Ask) -> Iterator[Fix]:
    near = finding.data.get("near")
    if isinstance(near, str):
        # no schema could check the arguments of an unknown gadget
        yield rewriting(finding, near, f"Change the gadget to `{near}`", _called(near), uncovers=True)


def _called(name: str) -> Expected:
    return other_head(lambda _, own, others: (name, own, others))


def named_gadget(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Name the gadget of a call: by its id, or as one of the known gadgets."""
    at = finding.start + len(str(finding.data["marker"]))
    _, _, rest = ask.document.slice(at, finding.end).partition(":")
    name = rest.partition(":")[0].strip()
    if name:
        edit = Edit(at, finding.end - len(rest), "")
        yield becoming(f"Call `{name}`, without an id", edit)
    for each in [*ask.settings.gadgets][:_MOST_NAMES]:
        yield Fix(f"Call `{each.name}`", (Edit(at, at, each.name),), _called(each.name))


def identifier(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Write a name with only letters, digits and `_`, or remove the colon of an empty id."""
    if finding.data.get("case") == "empty":
        yield rewriting(finding, "", "Remove the colon")
        return
    name = _NO_WORD.sub("_", str(finding.data["name"]).strip()).strip("_")
    name = f"_{name}" if name[:1].isdigit() else name
    before = ask.document.slice(ask.document.line_at(finding.start)[0], finding.start)
    edit = Edit(finding.start - len(before) + len(before.rstrip(" \t")), finding.end, name)
    if name:
        yield becoming(f"Write `{name}`", edit, spelling=Edit(finding.start, finding.end, name))


def ended_header(finding: Finding, ask: Ask) -> Iterator[Fix]:
    end = ask.settings.markers.end
    edit = Edit(finding.end, finding.end, f"\n{end}\n")
    yield becoming(f"End the call here with `{end}`", edit, uncovers=True)


def removed_call(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a repeated call, unless another call counts on it."""
    index, document = ask.index(), ask.document
    placed = document.section_at(finding.start)
    call = call_in(placed.section)
    name = "" if call is None else call.parts.invocation_id
    if name:
        is_needed = bool(other_files(index).same(INVOCATION, name, own=True).references)
    else:
        # later calls without an id get other numbers
        is_needed = any(map(number_of, index.names("reference", INVOCATION)))
    if call is None or is_needed:
        return
    start, end = placed.start + call.start, placed.start + call.end + len(ask.settings.markers.end)
    # its line end may be content of a block
    for stop in (after_line_end(document, end), end):
        yield changing(f"Remove this call `{name}`" if name else "Remove this call", Edit(start, stop, ""), lost=1)


def removed_dependency(finding: Finding, ask: Ask) -> Iterator[Fix]:
    gone = ask.document.slice(finding.start, finding.end)
    return _without_dependency(
        finding,
        ask,
        other_head(lambda name, own, others: (name, own, tuple([each for each in others if each != gone]))),
    )


def removed_repetition(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a repeated dependency, which changes nothing."""
    return _without_dependency(finding, ask, SAME)


def _without_dependency(finding: Finding, ask: Ask, expected: Expected) -> Iterator[Fix]:
    """Remove a dependency with its superfluous separator."""
    document = ask.document
    line, next_line = document.line_at(finding.start)
    before = document.slice(line, finding.start).rstrip(SPACE)
    behind = document.slice(finding.end, next_line)
    start, end = finding.start, finding.end
    spaces = len(behind) - len(behind.lstrip(" \t"))
    if before.endswith(":") and behind[spaces:].startswith(","):
        rest = behind[spaces + 1 :]
        end += spaces + 1 + len(rest) - len(rest.lstrip(" \t"))
    elif before.endswith((",", ":")):
        start = line + len(before) - 1
    else:
        return
    name = document.slice(finding.start, finding.end)
    yield Fix(f"Remove this dependency `{name}`", (Edit(start, end, ""),), expected)


def fresh_id(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give a call an unused id, which the runtime does not generate either."""
    old = str(finding.data.get("id", ""))
    kind, new = _new_ids(ask.index()).get((finding.start, old), ("", ""))
    if new:
        edit = (
            Edit(finding.start, finding.end, new) if kind == INVOCATION else Edit(finding.end, finding.end, f":{new}")
        )
        title = f"Change this id to `{new}`" if old else f"Give this call the id `{new}`"
        yield Fix(title, (edit,), other_head(lambda name, _, others: (name, new, others)))


def _ids(index: Index) -> dict[tuple[int, str], tuple[str, str]]:
    placed = [
        (start + symbol.start, symbol.kind, symbol.name)
        for start, (_, symbol) in index.placed()
        if symbol.role == "definition" and symbol.kind in (INVOCATION, NUMBERED)
    ]
    often = Counter([name for _, _, name in placed])
    others, used = other_files(index), {*index.names("definition", INVOCATION)}
    numbers: dict[str, int] = {}
    begun: set[str] = set()
    found = {}
    for at, kind, name in placed:
        if often[name] == 1:
            continue
        stem, number = _stem(name)
        number = max(number, numbers.get(stem, 0))
        while (new := f"{stem}{number}") in used or others.has(INVOCATION, new):
            number += 1
        numbers[stem] = number
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


def nearest_ids(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Replace a dependency with the most similar ids of earlier calls, nearest first."""
    index = ask.index()
    calls = _calls(index)
    number = bisect_left(calls, (finding.start, ""))
    before = [*other_files(index).earlier(INVOCATION)][-_MOST_IDS:]
    earlier = [*before, *[each for _, each in calls[max(number - _MOST_IDS, 0) : number]]]
    name = str(finding.data.get("dependency", ""))
    for near in get_close_matches(name[:100], dict.fromkeys(earlier), 3, 0.4):
        yield rewriting(finding, near, f"Depend on `{near}`", _depends(name, near))


def _depends(old: str, new: str) -> Expected:
    return other_head(lambda name, own, others: (name, own, tuple([new if each == old else each for each in others])))


def _of_calls(index: Index) -> list[tuple[int, str]]:
    return [
        (start + symbol.start, symbol.name)
        for start, (_, symbol) in index.placed()
        if symbol.role == "definition" and symbol.kind == INVOCATION
    ]


_calls: Final = Query("calls with ids", _of_calls)


def comma(finding: Finding, ask: Ask) -> Iterator[Fix]:
    # in a chat, the text around the call is a value, too
    yield rewriting(finding, ",", "Write a comma", SAME, safe=ask.language.layers[0] == "gadget")
