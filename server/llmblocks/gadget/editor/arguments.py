"""The problems of the pointers and the values of a call: what the runtime rejects, drops or changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.syntax.pointer import ROWS, Assembly, Node, PointerError
from llmblocks.gadget.syntax.values import BACKTICK, FENCE, SPACE, coerce, finite, leading_integer, rounded, shown

EXACT_DIGITS: Final = 15
"""Float64 represents every number with fewer digits exactly."""
_LONG_NUMBER = re.compile("[0-9][0-9.]{14}")
"""Matches a part of every number that float64 rounds."""
_MOST_DIGITS = 40
_LOOSE = SPACE + BACKTICK
_FENCES = re.compile("`{3,}")
_RETURN = re.compile("\r\n?")
_LONE_RETURN = re.compile("\r(?!\n)")
_OWN_LINE = re.compile(r"(?:\r?\n|\A)[ \t]*\Z")
_OWN_LINE_OF_CHAT = re.compile(r"(?:\r{0,2}\n|\A)[ \t]*\Z")
"""The line end and the indent before an end marker or a fence."""
_PROTO = "__proto__"
_MOST_OTHERS = 8
_EMPTY_SEGMENTS = re.compile(r"\A/+|/+\Z|(?<=/)/+")
_ESCAPES = re.compile("~[01]")
_CHARACTERS = {"~0": "~", "~1": "/"}
_RELATED: Final[Mapping[Rule, str]] = {
    rules.G101_DUPLICATE_POINTER: "first given here",
    **dict.fromkeys((rules.G104_POINTER_CONFLICT, rules.G107_UNSAFE_POINTER), "this value holds no others"),
    rules.G105_POINTER_OVERWRITTEN: "this value is lost",
}


def problems_of_pointers(call: Call, marker: str) -> Iterator[Problem]:
    """Yield the problems of the pointers of a call. `marker` is the argument marker."""
    for start, at, _, _, _, pointer in call.arguments:
        if not pointer:
            yield Problem(rules.G106_EMPTY_POINTER, start, start + len(marker))
        if "/" in pointer:
            for found in _EMPTY_SEGMENTS.finditer(pointer):
                data = {"pointer": pointer}
                yield Problem(rules.G108_EMPTY_POINTER_SEGMENT, at + found.start(), at + found.end(), data)
        if "~" in pointer:
            for found in _ESCAPES.finditer(pointer):
                data = {"escape": found[0], "character": _CHARACTERS[found[0]]}
                yield Problem(rules.G119_POINTER_ESCAPE_NOT_DECODED, at + found.start(), at + found.end(), data)
    yield from _rejected(call)


def _rejected(call: Call) -> Iterator[Problem]:
    """Yield the pointers that the runtime rejects or misreads, checked together."""
    pointers = [each.pointer for each in call.arguments]
    together = "".join(pointers)
    if "/" not in together and _PROTO not in together and len(set(pointers)) == len(pointers):
        return
    # the index of an argument takes the place of its value
    assembly = Assembly(lambda number: coerce(call.received(int(number))))
    for number, pointer in enumerate(pointers):
        if not pointer:
            continue  # the runtime drops its value before it looks at the pointer
        assembly.lenient.clear()
        outcome = assembly.take(number, pointer, number)
        data: dict[str, object] = {"pointer": pointer}
        if isinstance(outcome, PointerError):
            rule, others = ROWS[outcome.kind], list[int]()
            if rule is rules.G101_DUPLICATE_POINTER:
                others.append(assembly.seen[pointer])
            elif assembly.blocking is not None:
                others.append(int(assembly.blocking))
            yield _problem(call, rule, number, outcome.span(pointer), outcome.data, others)
            continue
        if outcome == "ignored":
            yield _problem(call, rules.G121_IGNORED_POINTER, number, (len(pointer) - len(_PROTO), len(pointer)), data)
        if outcome == "overwritten" and assembly.replaced is not None:
            lost = [*islice(_arguments(assembly.replaced), _MOST_OTHERS)]
            if lost:
                yield _problem(call, rules.G105_POINTER_OVERWRITTEN, number, (0, len(pointer)), data, lost)
        segments = pointer.split("/") if assembly.lenient else ()
        for place in assembly.lenient:
            segment = segments[place]
            start = sum([len(each) + 1 for each in segments[:place]])
            data = {"segment": segment, "index": leading_integer(segment)}
            yield _problem(call, rules.G109_LENIENT_ARRAY_INDEX, number, (start, start + len(segment)), data)


def _problem(
    call: Call,
    rule: Rule,
    number: int,
    part: tuple[int, int],
    data: Mapping[str, object],
    others: Sequence[int] = (),
) -> Problem:
    """Return the problem of a part of a pointer. `others` are the conflicting arguments."""
    at = call.arguments[number].name
    places = [(each.name, each.name_end) for each in map(call.arguments.__getitem__, others)]
    if others and rule in (rules.G101_DUPLICATE_POINTER, rules.G105_POINTER_OVERWRITTEN):
        lines = call.text.count("\n", places[0][0], at)
        where = f"{lines} line{'s' if lines > 1 else ''} above" if lines else "on this line"
        data = {**data, "where": where}
    related = tuple([Related(*place, _RELATED[rule]) for place in places])
    return Problem(rule, at + part[0], at + part[1], data, related)


def _arguments(node: Node) -> Iterator[int]:
    """Yield the arguments whose values are at a place or below it."""
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, int):
            yield node
        elif isinstance(node, dict | list):
            left += reversed(node.values() if isinstance(node, dict) else node)


def problems_of_values(call: Call) -> Iterator[Problem]:
    """Yield the problems of the values of a call."""
    last = len(call.arguments) - 1
    # all others arrive as written
    for number in range(0 if "\r" in call.text or _LONG_NUMBER.search(call.text) else max(last, 0), last + 1):
        _, _, _, value, _, pointer = call.arguments[number]
        # without a pointer, the whole value is dropped
        for lost in lost_of(call, number) if pointer else ():
            yield lost._replace(start=call.place(value, lost.start), end=call.place(value, lost.end - 1) + 1)


def lost_of(call: Call, number: int) -> Iterator[Problem]:
    """Yield the losses of the value of an argument. Places count from the start of its text."""
    text = call.said(*call.arguments[number][3:5])
    last, crlf = number + 1 == len(call.arguments), call.crlf
    # the runtime removes nothing from the end of most last values
    is_plain = not last or (text[-1:] == "\n" and len(text.rstrip(_LOOSE)) == len(text) - 1)
    if is_plain and "\r" not in text and not _LONG_NUMBER.search(text):
        return
    # the start of the backticks that the runtime removes from the end of a call
    end = len(text.rstrip(SPACE)) if last else 0
    fence = end - len(FENCE) if text.endswith(FENCE, 0, end) else -1
    value = text.removesuffix("\r\n" if crlf and text.endswith("\r\n") else "\n")
    if last:
        value = text[: fence if fence >= 0 else len(text)].rstrip(SPACE)
    scalar = coerce(call.received(number))
    if not isinstance(scalar, str):
        digits = value.strip(SPACE)
        if not isinstance(scalar, bool) and len(digits) > EXACT_DIGITS and rounded(digits):
            start = text.index(digits)
            shortened = digits if len(digits) <= _MOST_DIGITS else f"{digits[: _MOST_DIGITS - 1]}…"
            data = {"digits": shortened, "value": shown(finite(digits) or 0)}
            yield Problem(rules.G118_NUMBER_PRECISION_LOST, start, start + len(digits), data)
    elif "\r" in value:
        found = (_LONE_RETURN if crlf else _RETURN).search(value)
        if found:
            # with the line end after it, which the value may lack
            behind = "\r\n" if crlf else "" if found.group().endswith("\n") else "\n"
            stop = found.end() + len(behind) * text.startswith(behind, found.end())
            yield Problem(rules.G117_CARRIAGE_RETURN_KEPT, found.start(), stop)
    if not last:
        return
    # a fence on its own line may close one around all arguments, or one of the value
    is_inline = fence >= 0 and not _OWN_LINE.search(text[:fence])
    if fence >= 0 and (is_inline or len(_FENCES.findall(value)) % 2):
        yield Problem(rules.G115_CLOSING_FENCE_LOST, fence, fence + len(FENCE))
    elif fence >= 0 and not text[:fence].strip(" \t"):
        yield Problem(rules.G115_CLOSING_FENCE_LOST, fence, fence + len(FENCE), {"case": "value"})
    if call.closed:
        # before the end of a line of a chat, a return ends the line of the call
        own = _OWN_LINE_OF_CHAT if crlf else _OWN_LINE
        trimmed = own.sub("", text[: fence if fence >= 0 else len(text)])
        if len(trimmed) > len(value) and repr(coerce(trimmed.replace("\r\n", "\n"))) != repr(scalar):
            yield Problem(rules.G116_TRAILING_WHITESPACE_LOST, len(value), len(trimmed))
