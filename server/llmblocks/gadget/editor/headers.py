"""The problems of headers."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.places import Related
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.gadget import rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import GADGET, INVOCATION, names_in
from llmblocks.gadget.syntax.javascript import SPACE

_WORDS = {GADGET: "gadget name", INVOCATION: "invocation id"}


def problems_of_headers(section: Section, call: Call, marker: str) -> Iterator[Problem]:
    """Invalid names, and dependencies of a call on itself, repeated, or separated by colons.

    Shape: `marker` is the start marker.
    """
    header = call.head
    _, *ids = fields = header.split(":")
    if len(ids) < 3 and header.isascii() and all(map(str.isidentifier, fields)) and len({*ids}) == len(ids):
        # as nearly all are
        return
    text, own, before = section.text, "", 0
    given: dict[str, Related] = {}
    for role, kind, name, start, end in names_in(section):
        if kind in _WORDS and not (name.isidentifier() and name.isascii()):
            yield _invalid(text, role, kind, name, start, marker)
        if kind != INVOCATION:
            continue
        if role == "definition":
            own, given = name, {}
            continue
        if given and text[before] != ",":
            yield from _colon(text, before, start)
        before = end
        if name in given:
            yield Problem(rules.REPEATED_DEPENDENCY, start, end, {"dependency": name}, (given[name],))
        else:
            given[name] = Related(start, end, "first given here")
            if name == own:
                yield Problem(rules.SELF_DEPENDENCY, start, end, {"id": name})


def _invalid(text: str, role: str, kind: str, name: str, start: int, marker: str) -> Problem:
    if name:
        what = _WORDS[kind] if role == "definition" else "dependency"
        return Problem(rules.INVALID_IDENTIFIER, start, start + len(name), {"what": what, "name": name})
    if kind == INVOCATION:
        colon = text.rindex(":", 0, start)
        return Problem(rules.INVALID_IDENTIFIER, colon, colon + 1, {"case": "empty"})
    begin = text.rindex(marker, 0, start)
    header = text[begin + len(marker) : text.index("\n", start)].rstrip(SPACE)
    return Problem(rules.MISSING_GADGET_NAME, begin, begin + len(marker) + len(header), {"marker": marker})


def _colon(text: str, start: int, end: int) -> Iterator[Problem]:
    """The colon that separates two dependencies, with the commas and blanks that are nothing more."""
    between = text[start:end]
    if ":" in between:
        start += len(between) - len(between.lstrip(SPACE))
        yield Problem(rules.COLON_SEPARATED_DEPENDENCIES, start, start + len(between.strip(SPACE)))
