"""Fixes of the ids and dependencies of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from llmblocks.core.edits import Edit
from llmblocks.core.finding import Finding
from llmblocks.core.symbol import Symbol
from llmblocks.gadget.editor.names import INVOCATION, NUMBERED
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Effect, Fix

_MOST_IDS = 10_000
_COUNTED = re.compile("gadget_[0-9]+")
_NUMBER = re.compile("[0-9]+$")


def removed_dependency(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Take a dependency out."""
    return _removed(finding, ask, "renames")


def removed_repetition(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Take a dependency out that stands there twice, which changes nothing."""
    return _removed(finding, ask, "nothing")


def _removed(finding: Finding, ask: Ask, effect: Effect) -> tuple[Fix, ...]:
    """Take a dependency out with the separator that it needs no more."""
    document = ask.document
    line, _ = document.position(finding.start)
    before = document.slice(document.line_start(line), finding.start).rstrip(SPACE)
    behind = document.slice(finding.end, document.line_start(line + 1))
    start, end = finding.start, finding.end
    blanks = len(behind) - len(behind.lstrip(" \t"))
    if before.endswith(":") and behind[blanks:].startswith(","):
        rest = behind[blanks + 1 :]
        end += blanks + 1 + len(rest) - len(rest.lstrip(" \t"))
    elif before.endswith((",", ":")):
        start = document.line_start(line) + len(before) - 1
    else:
        return ()
    name = document.slice(finding.start, finding.end)
    return (Fix(f"Remove this dependency `{name}`", (Edit(start, end, ""),), effect),)


def fresh_id(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give a call an id that no other has."""
    index = ask.index()
    old = str(finding.data.get("id", ""))
    here = index.start_of
    placed = [
        (here(each.piece) + each.symbol.start, each.symbol)
        for kind in (INVOCATION, NUMBERED)
        for each in index.definitions(kind, old)
    ]
    found = next((symbol for at, symbol in placed if at == finding.start), None)
    if found is None:
        return ()
    used = index.names("definition", INVOCATION)
    # of several such calls, each gets another id
    earlier = sum([at < finding.start for at, symbol in placed if symbol.kind == INVOCATION])
    number = _NUMBER.search(old)
    if number and not _COUNTED.fullmatch(old) and len(number[0]) < 10:
        stem, count = old[: number.start()], int(number[0])
    else:
        stem, count = f"{old or 'call'}_", 1
    count += max(earlier - 1, 0)
    while f"{stem}{count}" in used or f"{stem}{count}" == old:
        count += 1
    new = f"{stem}{count}"
    edit = (
        Edit(finding.start, finding.end, new) if found.kind == INVOCATION else Edit(finding.end, finding.end, f":{new}")
    )
    return (Fix(f"Change this id to `{new}`" if old else f"Give this call the id `{new}`", (edit,), "renames"),)


def nearest_ids(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write the ids of earlier calls instead that are most like a dependency, the nearest first."""
    known: dict[str, None] = {}
    # the id of the call, and all that it depends on: these follow the id
    own: set[str] = set()
    for at, symbol in _symbols(ask):
        if symbol.kind != INVOCATION:
            continue
        if symbol.role == "definition":
            if at + symbol.start >= finding.start:
                break
            known[symbol.name] = None
            own.clear()
        own.add(symbol.name)
    name = str(finding.data.get("dependency", ""))
    others = [each for each in known if each and each not in own]
    near = get_close_matches(name[:100], others[-_MOST_IDS:], 3, 0.4)
    return tuple([Fix(f"Depend on `{each}`", (Edit(finding.start, finding.end, each),), "renames") for each in near])


def _symbols(ask: Ask) -> Iterator[tuple[int, Symbol]]:
    """The names of a document, each with the start of its piece."""
    for placed in ask.document.placed():
        at = placed.start
        for piece in placed.section.pieces:
            for symbol in ask.language.symbols(piece):
                yield at, symbol
            at += piece.length


def comma(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Separate two dependencies by a comma."""
    # in a chat, the text around the call is a value, too
    safe = ask.language.layers[0] == "gadget"
    return (Fix("Write a comma", (Edit(finding.start, finding.end, ","),), safe=safe),)
