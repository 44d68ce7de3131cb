"""The problems of calls against their schemas, as the runtime finds them, and the rejected calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

from llmblocks.contract.arguments import (
    LONGEST_BODY,
    MOST_PROBLEMS,
    path_of,
    unknown_parameter,
    unknown_tool,
    worth_reporting,
)
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.running.schema import Issue, ParameterSchema
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.pointer import ROWS
from llmblocks.gadget.syntax.values import coerce, type_of

MOST_ARGUMENTS: Final = 1000
_DEEPEST = 32
_SPACE: Final = " \t\r\n"
_KINDS: Mapping[str, Rule] = {
    "missing": rules.G203_MISSING_PARAMETER,
    "unknown": rules.G202_UNKNOWN_PARAMETER,
    "type": rules.G204_WRONG_TYPE,
    "choice": rules.G205_NOT_AN_ALLOWED_VALUE,
    "constraint": rules.G206_CONSTRAINT_VIOLATED,
}


def judge(gadget: GadgetSchema, call: Call) -> list[Problem]:
    """Return the problems of a call's arguments; none of a very large call, or if the runtime does not validate it."""
    schema = gadget.prepared
    if schema is None or call.end - call.header_end > LONGEST_BODY or len(call.arguments) > MOST_ARGUMENTS:
        return []
    parameters, _ = call.decoded(schema.expected)
    if parameters is None:
        return []
    try:
        checked = schema.check(parameters)
    except (ValueError, RecursionError):
        return []  # a problem of the schema that its check cannot see
    judged = _Judged(gadget, schema, call)
    found = [problem for pointer in checked.ignored for problem in judged.unknown(pointer)]
    for issues, by in ((checked.issues, {}), (checked.of_server, {"case": "server"})):
        # llmist also reports the size of a value of another type
        found += [judged.of_issue(issue, by) for issue in worth_reporting(issues)]
    return [*found, *judged.coerced()][:MOST_PROBLEMS]


class _Judged:
    """A call with its schema: `numbers` has its arguments by pointer, `blamed` those with a problem."""

    def __init__(self, gadget: GadgetSchema, schema: ParameterSchema, call: Call) -> None:
        self.gadget, self.schema, self.call = gadget, schema, call
        self.numbers: dict[str, list[int]] = {}
        self.blamed: set[int] = set()
        pointers = [(number, each.pointer) for number, each in enumerate(call.arguments) if each.pointer]
        for number, pointer in pointers:
            self.numbers.setdefault(pointer, []).append(number)
        for number, pointer in pointers:
            segments = pointer.split("/")
            for count in range(1, min(len(segments), _DEEPEST)):
                self.numbers.setdefault("/".join(segments[:count]), []).append(number)

    def _at(self, rule: Rule, number: int, data: Mapping[str, object], span: tuple[int, int] | None = None) -> Problem:
        """Return a problem at a part of the pointer of an argument, or at its value."""
        self.blamed.add(number)
        call, argument = self.call, self.call.arguments[number]
        text = call.said(argument.value, argument.end)
        value = text.strip(_SPACE)
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
        numbers = self.numbers.get(pointer, ())
        return [self._at(rules.G202_UNKNOWN_PARAMETER, number, data, (start, len(pointer))) for number in numbers]

    def of_issue(self, issue: Issue, by: Mapping[str, object]) -> Problem:
        """Return the problem of an issue at its value, at the pointer of a part of it, or at the header."""
        rule, pointer, numbers = _KINDS[issue.kind], issue.pointer, self.numbers.get(issue.pointer)
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
            start = self.call.header + len(header) - len(header.lstrip(_SPACE))
            return Problem(rule, start, max(start, self.call.header + len(header.rstrip(_SPACE))), data)
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


_STEPS: Final[Mapping[Rule, int]] = {
    rules.G001_MISSING_GADGET_NAME: 0,
    rules.G201_UNKNOWN_GADGET: 0,
    **dict.fromkeys(ROWS.values(), 1),
    **dict.fromkeys((rules.G203_MISSING_PARAMETER, rules.G204_WRONG_TYPE), 2),
    **dict.fromkeys((rules.G205_NOT_AN_ALLOWED_VALUE, rules.G206_CONSTRAINT_VIOLATED), 2),
}
"""The problems for which the runtime rejects a call, by the step in which it detects them."""
REJECTING: Final = (*_STEPS,)


# its answers are cached on the sections, and shared by problems and rejections
@lru_cache(maxsize=16)
def judged_by(gadgets: Gadgets) -> Query[Section, tuple[Problem, ...]]:
    """Return the query for the problems of a section against the schemas of some gadgets."""

    def problems(section: Section) -> tuple[Problem, ...]:
        call = call_in(section) if gadgets else None
        return () if call is None else (*_of_call(call, gadgets),)

    return Query("judged call", problems)


def facts_of(markers: Markers, gadgets: Gadgets) -> Facts:
    """Return the facts of the format, and those about the schemas of gadgets."""
    stated, judged = facts(markers), judged_by(gadgets)
    return Facts(stated.rules, lambda section: chain(stated.problems(section), judged(section)))


@lru_cache(maxsize=16)
def rejections(markers: Markers, gadgets: Gadgets) -> Query[Section, Problem | None]:
    """Return the query for the problem because of which the runtime rejects the call of a section."""
    stated, judged = facts(markers), judged_by(gadgets)

    def read(section: Section) -> Problem | None:
        # the runtime stops at the first problem of the first step that finds some
        every = [each for each in chain(stated.problems(section), judged(section)) if each.rule in _STEPS]
        found = [each for each in every if each.data.get("case") != "server"]
        return min(found, key=lambda each: _STEPS[each.rule], default=None)

    return Query("rejected call", read)


def _of_call(call: Call, gadgets: Gadgets) -> Iterator[Problem]:
    """Yield the problems of the name and of the arguments of a call."""
    name = call.names.name
    text = name.of(call.text)
    if text.strip(_SPACE) and (data := unknown_tool(text, gadgets)) is not None:
        yield Problem(rules.G201_UNKNOWN_GADGET, *name, data)
    gadget = gadgets.find(text)
    if gadget is not None:
        yield from judge(gadget, call)
