"""The problems of calls, with their places: of markers, even misspelt, headers, arguments; and the rejected calls."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from llmblocks.contract.arguments import unknown_tool
from llmblocks.core.distance import distance
from llmblocks.core.layered import state_in
from llmblocks.core.places import Related
from llmblocks.core.query import Query
from llmblocks.core.scan import width_of
from llmblocks.core.section import Section, tokens_in
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import kinds, rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.arguments import judge, problems_of_pointers, problems_of_values
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.scanner import BEHIND_END, IN_CALL, INSIDE_LINE, reads_calls
from llmblocks.gadget.syntax.markers import HeaderPart, Markers
from llmblocks.gadget.syntax.pointer import ROWS
from llmblocks.gadget.syntax.values import SPACE, SPACES

if TYPE_CHECKING:
    from llmblocks.gadget.schemas.gadgets import Gadgets

_MARKERS = frozenset((kinds.START, kinds.ARG, kinds.END, kinds.STRAY))
_WORD = re.compile(r"\w\w")
_BLANK = " \t\r\ufeff"
_GADGET = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_INVOCATION = re.compile(r"[\w.-]+", re.ASCII)
_FENCE = re.compile("```(?:toml|yaml|json)?", re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=16)
def facts(markers: Markers, gadgets: Gadgets) -> Facts:
    """Return the facts about calls with these markers, of these gadgets."""
    # its answers are kept on the sections: rejections ask for them, too
    judged: Query[Section, tuple[Problem, ...]] = Query("judged call", lambda section: (*_judged(section, gadgets),))
    has_schemas = bool(gadgets)

    def problems(section: Section) -> Iterable[Problem]:
        call = call_in(section)
        found = [*_problems_of_markers(section, call, markers), *misspelt_markers(section, markers)]
        found += _stray_markers(section, markers)
        if call is not None:
            found += problems_of_pointers(call, markers.arg)
            found += problems_of_values(call)
            found += _problems_of_headers(call, markers.start)
            found += _problems_of_calls(section, call, markers)
        return [*found, *judged(section)] if has_schemas else found

    return Facts(rules.RULES, problems)


def _problems_of_markers(section: Section, call: Call | None, markers: Markers) -> Iterator[Problem]:
    text, before = section.text, state_in(section.before, int)
    # after a custom block, the section of the call begins right at its marker
    if before == BEHIND_END and text[:1] not in SPACES:
        yield from _glued(text, 0, markers)
    if kinds.START not in section.kinds:
        return
    if before == INSIDE_LINE and text.startswith(markers.start):
        yield Problem(rules.G007_MARKER_INSIDE_LINE, 0, len(markers.start), {"marker": markers.start})
    if call is None:
        spans = [*tokens_in(section, (kinds.START, kinds.HEADER))]
        yield Problem(rules.G010_UNTERMINATED_HEADER, spans[0].start, len(text[: spans[-1].end].rstrip(SPACE)))
        return
    arguments = call.arguments
    for number, each in enumerate(arguments):
        if text[each.start - 1] != "\n":
            yield from _beside(call, number - 1, each.start, markers.arg)
    if call.closed:
        if text[call.end - 1] != "\n":
            yield from _beside(call, len(arguments) - 1, call.end, markers.end)
        end = call.end + len(markers.end)
        if text[end : end + 1] not in SPACES:
            yield from _glued(text, end, markers)


def _beside(call: Call, before: int, at: int, marker: str) -> Iterator[Problem]:
    """Yield an argument or end marker that shares its line with text or a marker before it."""
    data: dict[str, object] = {"marker": marker}
    start = call.arguments[before].value if before >= 0 else call.header_end + 1
    for gap, behind in call.gaps:
        if behind == at:
            return
        start = max(start, behind) if gap < at else start
    # the line of a pointer ends at the marker
    if start < at:
        line = call.text[max(call.text.rfind("\n", start, at) + 1, start) : at]
        if not line.strip(_BLANK):
            # the runtime trims the last value, and drops the text before the first argument
            if at == call.end or before < 0:
                return
            data["case"] = "spaces"
    yield Problem(rules.G007_MARKER_INSIDE_LINE, at, at + len(marker), data)


def _glued(text: str, start: int, markers: Markers) -> Iterator[Problem]:
    """Yield the text right after an end marker, up to the next marker or the end of the line."""
    line = text.find("\n", start)
    line = line if line >= 0 else len(text)
    next_markers = [text.find(marker, start, line) for marker in (markers.start, markers.end, markers.arg)]
    end = min([line, *[each for each in next_markers if each >= 0]])
    if end > start:
        end = start + len(text[start:end].rstrip(SPACE))
        yield Problem(rules.G006_TEXT_AFTER_END, start, end, {"marker": markers.end})


def _stray_markers(section: Section, markers: Markers) -> Iterator[Problem]:
    """Yield the markers outside of calls, but not those after a misspelt start marker, up to its first end marker."""
    if kinds.STRAY not in section.kinds:
        return
    near = [
        (each.start, each.data["marker"] == markers.start)
        for each in misspelt_markers(section, markers)
        if each.data["marker"] != markers.arg
    ]
    explained = False
    at = passed = 0
    for kind, width in section.tokens:
        end = at + width
        while passed < len(near) and near[passed][0] < end:
            explained = near[passed][1]
            passed += 1
        if kind is kinds.STRAY:
            marker = section.text[at:end]
            is_end = marker == markers.end
            if not explained:
                rule = rules.G005_END_OUTSIDE_CALL if is_end else rules.G004_ARGUMENT_OUTSIDE_CALL
                yield Problem(rule, at, end, {"marker": marker})
            explained = explained and not is_end
        elif not (kind.merges or kind.opaque):
            explained = False
        at = end


def _problems_of_headers(call: Call, marker: str) -> Iterator[Problem]:
    """Yield invalid names, and dependencies that name the call itself, repeat, or are separated by colons."""
    header = call.head
    _, *ids = fields = header.split(":")
    if len(ids) < 3 and header.isascii() and all(map(str.isidentifier, fields)) and len({*ids}) == len(ids):
        # nearly all are
        return
    text = call.text
    name, own, dependencies = call.names
    if name.start == name.end:
        end = max(call.header, len(text[: call.header_end].rstrip(SPACE)))
        yield Problem(rules.G001_MISSING_GADGET_NAME, call.start, end, {"marker": marker})
    elif _GADGET.fullmatch(text, *name) is None:
        yield _invalid(name, text, "gadget name")
    if own is None:
        return
    if own.start == own.end:
        colon = text.rindex(":", 0, own.start)
        yield Problem(rules.G002_INVALID_IDENTIFIER, colon, colon + 1, {"case": "empty"})
    elif _INVOCATION.fullmatch(text, *own) is None:
        yield _invalid(own, text, "invocation id")
    given: dict[str, Related] = {}
    before = 0
    for part in dependencies:
        dependency = part.of(text)
        if _INVOCATION.fullmatch(dependency) is None:
            yield _invalid(part, text, "dependency")
        between = text[before : part.start] if given else ""
        if ":" in between and between[0] != ",":
            # with the commas and spaces that become superfluous
            colon = before + len(between) - len(between.lstrip(SPACE))
            yield Problem(rules.G009_COLON_SEPARATED_DEPENDENCIES, colon, colon + len(between.strip(SPACE)))
        before = part.end
        if dependency in given:
            yield Problem(rules.G114_REPEATED_DEPENDENCY, *part, {"dependency": dependency}, (given[dependency],))
            continue
        given[dependency] = Related(*part, "first given here")
        if dependency == own.of(text):
            yield Problem(rules.G113_SELF_DEPENDENCY, *part, {"id": dependency})


def _invalid(part: HeaderPart, text: str, what: str) -> Problem:
    return Problem(rules.G002_INVALID_IDENTIFIER, *part, {"what": what, "name": part.of(text)})


def _problems_of_calls(section: Section, call: Call, markers: Markers) -> Iterator[Problem]:
    text = section.text
    if not call.closed:
        # a command around a call can end its message without a token of the call
        may_grow = section.is_last and state_in(section.after, int) in IN_CALL
        data = {"marker": markers.end} | ({"case": "last"} if may_grow else {})
        end = max(len(text[: call.header_end].rstrip(SPACE)), call.header)
        yield Problem(rules.G008_MISSING_END_MARKER, call.start, end, data)
    # the runtime removes a fence around the arguments
    begin = call.header_end + 1
    ignored = call.said(begin, call.arguments[0].start if call.arguments else call.end)
    inner = ignored.strip(SPACE)
    if inner and not _FENCE.fullmatch(inner):
        start = ignored.index(inner)
        place = call.place(begin, start), call.place(begin, start + len(inner) - 1) + 1
        yield Problem(rules.G011_TEXT_BEFORE_ARGUMENTS, *place, {"marker": markers.arg})


def misspelt_markers(section: Section, markers: Markers) -> Iterator[Problem]:
    """Yield the lines that begin with a misspelt marker, except those of a format around this one."""
    text, tokens = section.text, section.tokens
    pattern, longest = _search(markers)
    starts = [found.end() for found in pattern.finditer(text)]
    if tokens and tokens[0].kind is not kinds.START and pattern.match(f"\n{text[:longest]}"):
        starts.insert(0, 0)
    ends = [*accumulate(map(width_of, tokens))] if starts and reads_calls(section.after) else []
    for at in starts if ends else ():
        number = bisect_right(ends, at)
        if tokens[number].kind.opaque:
            continue
        # a marker further on the line ends the word
        while ends[number] < at + longest and number + 1 < len(tokens) and tokens[number + 1].kind not in _MARKERS:
            number += 1
        line = text[at : min(at + longest, ends[number])].partition("\n")[0].partition("\r")[0]
        if (near := _nearest(line, markers)) is not None:
            rule, marker, width = near
            yield Problem(rule, at, at + width, {"marker": marker})


@lru_cache(maxsize=16)
def _search(markers: Markers) -> tuple[re.Pattern[str], int]:
    """Return a pattern for the newline before a line to compare with markers, and how much of the line matters."""
    begin = re.escape("".join({first for marker in markers for first in (marker[0].lower(), marker[0].upper())}))
    shortest, longest = min(map(len, markers)), max(map(len, markers))
    exact = "|".join(map(re.escape, markers))
    return re.compile(f"\n(?=[{begin}])(?!{exact})(?=[^\n]{{{max(shortest - 2, 1)}}})"), longest + 3


# the same beginning of a line may occur thousands of times in a text
@lru_cache(maxsize=1024)
def _nearest(line: str, markers: Markers) -> tuple[Rule, str, int] | None:
    """Return the marker that a line nearly begins with: its rule, the marker, and the length of the misspelt one.

    A different case is nearest; then one change for markers of at least 3 letters, two for at least 6. Two swapped
    neighbours count as one change. A word extends to its end: `!!!ARGUMENT:` is a different one.
    """
    best: tuple[Rule, str, int] | None = None
    least = 3
    letters = set(line.lower())
    for marker in (markers.start, markers.end, markers.arg):
        size, wanted = sum(map(str.isalnum, marker)), marker.lower()
        allowed = 2 if size >= 6 else 1 if size >= 3 else 0
        if not size or len(set(wanted) - letters) > allowed:
            continue
        for width in range(min(len(marker) + allowed, len(line)), len(marker) - allowed - 1, -1):
            if _WORD.match(line, width - 1):
                continue
            changes = distance(line[:width].lower(), wanted, allowed)
            if changes <= allowed and changes < least:
                rule = rules.G012_MISSPELT_MARKER if changes else rules.G003_MARKER_CASE
                least, best = changes, (rule, marker, width)
    return best


_STEPS: Final[Mapping[Rule, int]] = {
    rules.G001_MISSING_GADGET_NAME: 0,
    rules.G201_UNKNOWN_GADGET: 0,
    **dict.fromkeys(ROWS.values(), 1),
    **dict.fromkeys((rules.G203_MISSING_PARAMETER, rules.G204_WRONG_TYPE), 2),
    **dict.fromkeys((rules.G205_NOT_AN_ALLOWED_VALUE, rules.G206_CONSTRAINT_VIOLATED), 2),
}
"""The problems for which the runtime rejects a call, by the step in which it detects them."""
REJECTING: Final = (*_STEPS,)


@lru_cache(maxsize=16)
def rejections(markers: Markers, gadgets: Gadgets) -> Query[Section, Problem | None]:
    """Return the query for the problem because of which the runtime rejects the call of a section."""
    stated = facts(markers, gadgets)

    def read(section: Section) -> Problem | None:
        # the runtime stops at the first problem of the first step that finds some
        every = [each for each in stated.problems(section) if each.rule in _STEPS]
        found = [each for each in every if each.data.get("case") != "server"]
        return min(found, key=lambda each: _STEPS[each.rule], default=None)

    return Query("rejected call", read)


def _judged(section: Section, gadgets: Gadgets) -> Iterator[Problem]:
    """Yield the problems of a call against the schemas of gadgets."""
    call = call_in(section)
    if call is None:
        return
    name = call.names.name
    text = name.of(call.text)
    if text.strip(" \t\r\n") and (data := unknown_tool(text, gadgets)) is not None:
        yield Problem(rules.G201_UNKNOWN_GADGET, *name, data)
    gadget = gadgets.find(text)
    if gadget is not None:
        yield from judge(gadget, call)
