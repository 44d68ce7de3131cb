"""The problems of the pointers and the values of a call: what the runtime rejects, drops or changes, and its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from llmblocks.contract.arguments import LONGEST_BODY, MOST_PROBLEMS, path_of, unknown_parameter, worth_reporting
from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.syntax.pointer import ROWS, Assembly, Node, Parameters, PointerError
from llmblocks.gadget.syntax.values import (
    BACKTICK,
    FENCE,
    SPACE,
    coerce,
    finite,
    leading_integer,
    rounded,
    shown,
    type_of,
)

if TYPE_CHECKING:
    from llmblocks.contract.arguments import Checked, Issue
    from llmblocks.gadget.running.schema import ParameterSchema
    from llmblocks.gadget.schemas.gadgets import GadgetSchema

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


MOST_ARGUMENTS: Final = 1000
_BLANK: Final = " \t\r\n"
_KINDS: Mapping[str, Rule] = {
    "missing": rules.G203_MISSING_PARAMETER,
    "unknown": rules.G202_UNKNOWN_PARAMETER,
    "type": rules.G204_WRONG_TYPE,
    "choice": rules.G205_NOT_AN_ALLOWED_VALUE,
    "constraint": rules.G206_CONSTRAINT_VIOLATED,
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
    call: Call, rule: Rule, number: int, part: tuple[int, int], data: Mapping[str, object], others: Sequence[int] = ()
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


def judge(gadget: GadgetSchema, call: Call) -> list[Problem]:
    """Return the problems of a call's arguments; none of a very large call, or if the runtime does not validate it."""
    if call.end - call.header_end > LONGEST_BODY or len(call.arguments) > MOST_ARGUMENTS:
        return []
    _, checked = received(gadget, call)
    if checked is None or gadget.prepared is None:
        return []
    judged = _Judged(gadget, gadget.prepared, call)
    found = [problem for pointer in checked.ignored[:MOST_PROBLEMS] for problem in judged.unknown(pointer)]
    for issues, by in ((checked.issues, {}), (checked.of_server, {"case": "server"})):
        # llmist also reports the size of a value of another type
        found += [judged.of_issue(issue, by) for issue in worth_reporting(issues)]
    return [*found, *judged.coerced()][:MOST_PROBLEMS]


def received(gadget: GadgetSchema | None, call: Call) -> tuple[Parameters | None, Checked | None]:
    """Return the parameters of a call with their types, if the runtime can read them; and checked, if it does that."""
    schema = gadget.prepared if gadget else None
    parameters, _ = call.decoded(schema.expected if schema else None)
    if parameters is None or schema is None:
        return parameters, None
    try:
        return parameters, schema.check(parameters)
    except (ValueError, RecursionError):
        return parameters, None  # the schema is invalid, which is reported in its file


class _Judged:
    """A call with its schema. `blamed` has its arguments with a problem."""

    def __init__(self, gadget: GadgetSchema, schema: ParameterSchema, call: Call) -> None:
        self.gadget, self.schema, self.call = gadget, schema, call
        self.blamed: set[int] = set()

    def _at_or_below(self, pointer: str) -> list[int]:
        """Return the arguments at a pointer, then those below it."""
        given = [each.pointer for each in self.call.arguments]
        at = [number for number, each in enumerate(given) if pointer and each == pointer]
        return at + [number for number, each in enumerate(given) if each.startswith(f"{pointer}/")]

    def _at(self, rule: Rule, number: int, data: Mapping[str, object], span: tuple[int, int] | None = None) -> Problem:
        """Return a problem at a part of the pointer of an argument, or at its value."""
        self.blamed.add(number)
        call, argument = self.call, self.call.arguments[number]
        text = call.said(argument.value, argument.end)
        value = text.strip(_BLANK)
        if span is not None:
            return Problem(rule, argument.name + span[0], argument.name + span[1], data)
        if not value:
            return Problem(rule, argument.name, argument.name_end, data)
        start = text.index(value)
        end = call.place(argument.value, start + len(value) - 1) + 1
        return Problem(rule, call.place(argument.value, start), end, data)

    def unknown(self, pointer: str) -> list[Problem]:
        """Return the problem of each argument that sets an unknown parameter."""
        data = {**unknown_parameter(pointer, self.schema), "gadget": self.gadget.name}
        start = len(pointer) - len(str(data["name"]))
        span = start, len(pointer)
        return [self._at(rules.G202_UNKNOWN_PARAMETER, number, data, span) for number in self._at_or_below(pointer)]

    def of_issue(self, issue: Issue, by: Mapping[str, object]) -> Problem:
        """Return the problem of an issue at its value, at the pointer of a part of it, or at the header."""
        rule, pointer, numbers = _KINDS[issue.kind], issue.pointer, self._at_or_below(issue.pointer)
        if rule is rules.G202_UNKNOWN_PARAMETER and numbers:
            return self.unknown(pointer)[0]
        data: dict[str, object] = {"path": path_of(pointer), "pointer": pointer, "message": issue.message}
        data |= {"gadget": self.gadget.name, **by}
        if rule is rules.G202_UNKNOWN_PARAMETER:
            rule = rules.G206_CONSTRAINT_VIOLATED
        if rule is rules.G205_NOT_AN_ALLOWED_VALUE:
            data["choices"] = issue.choices
        if rule is rules.G203_MISSING_PARAMETER or not numbers:
            header = self.call.text[self.call.header : self.call.header_end]
            start = self.call.header + len(header) - len(header.lstrip(_BLANK))
            return Problem(rule, start, max(start, self.call.header + len(header.rstrip(_BLANK))), data)
        if self.call.arguments[numbers[0]].pointer != pointer:
            return self._at(rule, numbers[0], data, (0, len(pointer)))
        if rule is rules.G204_WRONG_TYPE and not self.call.received(numbers[0]).strip():
            data = {"case": "no-value", **data}
        return self._at(rule, numbers[0], data)

    def coerced(self) -> Iterator[Problem]:
        """Yield the values that would have another type without the schema."""
        for number, (_, _, _, _, _, pointer) in enumerate(self.call.arguments):
            if not pointer or number in self.blamed or (expected := self.schema.expected(pointer)) == "unknown":
                continue
            text = self.call.received(number)
            given, otherwise = (f"a {type_of(coerce(text, each))}" for each in (expected, "unknown"))
            if given != otherwise:
                data = {"path": path_of(pointer), "type": given, "gadget": self.gadget.name, "other": otherwise}
                yield self._at(rules.G207_COERCED_AGAINST_SCHEMA, number, data)
