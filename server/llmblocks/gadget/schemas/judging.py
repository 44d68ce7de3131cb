"""The arguments of a call against the schema of its gadget, as the runtime validates them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from llmblocks.contract.arguments import LONGEST_BODY, MOST_PROBLEMS, path_of, unknown_parameter, worth_reporting
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.running.schema import Issue, ParameterSchema
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.syntax.values import coerce, type_of

MOST_ARGUMENTS: Final = 1000
_DEEPEST = 32
_KINDS: Mapping[str, Rule] = {
    "missing": rules.G203_MISSING_PARAMETER,
    "unknown": rules.G202_UNKNOWN_PARAMETER,
    "type": rules.G204_WRONG_TYPE,
    "choice": rules.G205_NOT_AN_ALLOWED_VALUE,
    "constraint": rules.G206_CONSTRAINT_VIOLATED,
}


class ArgumentProblem(NamedTuple):
    """A problem of an argument."""

    rule: Rule
    argument: int
    """The index of the argument; -1 for the call."""
    part: Literal["header", "pointer", "value"]
    """The part to mark: the header, the value, or the pointer from `start` to `end`."""
    data: Mapping[str, object]
    start: int = 0
    end: int = 0


def judge(gadget: GadgetSchema, call: Call) -> list[ArgumentProblem]:
    """Return the problems of a call's arguments, at most `MOST_PROBLEMS`.

    Never raises. A very large call, or one that the runtime rejects before it validates, has none.
    """
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
    arguments = _Arguments(call)
    found = [*_ignored(checked.ignored, arguments, gadget, schema)]
    for issues, by in ((checked.issues, {}), (checked.of_server, {"case": "server"})):
        # llmist also reports the size of a value of another type
        found += [_of_issue(issue, arguments, gadget, schema, by) for issue in worth_reporting(issues)]
    known = {each.argument for each in found}
    found += _coerced(call, known, gadget, schema)
    return found[:MOST_PROBLEMS]


class _Arguments:
    """The arguments of a call by their pointers, and by the pointers of the objects and arrays around them."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.by_pointer: dict[str, int] = {}
        self.below: dict[str, list[int]] = {}
        for number, pointer in enumerate(each.pointer for each in call.arguments):
            if not pointer:
                continue
            self.by_pointer.setdefault(pointer, number)
            segments = pointer.split("/")
            for count in range(1, min(len(segments), _DEEPEST)):
                self.below.setdefault("/".join(segments[:count]), []).append(number)

    def at(self, pointer: str) -> list[int]:
        """Return the arguments that set the value at a pointer, or parts of it."""
        number = self.by_pointer.get(pointer)
        return ([] if number is None else [number]) + self.below.get(pointer, [])


def _ignored(
    pointers: Sequence[str], arguments: _Arguments, gadget: GadgetSchema, schema: ParameterSchema
) -> Iterator[ArgumentProblem]:
    for pointer in pointers:
        data = _unknown(pointer, gadget, schema)
        for number in arguments.at(pointer):
            start = len(pointer) - len(str(data["name"]))
            yield ArgumentProblem(rules.G202_UNKNOWN_PARAMETER, number, "pointer", data, start, len(pointer))


def _of_issue(
    issue: Issue, arguments: _Arguments, gadget: GadgetSchema, schema: ParameterSchema, by: Mapping[str, object]
) -> ArgumentProblem:
    rule = _KINDS[issue.kind]
    pointer = issue.pointer
    path = path_of(pointer)
    data: dict[str, object] = {"path": path, "pointer": pointer, "message": issue.message, "gadget": gadget.name, **by}
    numbers = arguments.at(pointer)
    if rule is rules.G202_UNKNOWN_PARAMETER and numbers:
        data = _unknown(pointer, gadget, schema)
        start = len(pointer) - len(str(data["name"]))
        return ArgumentProblem(rule, numbers[0], "pointer", data, start, len(pointer))
    if rule is rules.G202_UNKNOWN_PARAMETER:
        rule = rules.G206_CONSTRAINT_VIOLATED
    if rule is rules.G205_NOT_AN_ALLOWED_VALUE:
        data["choices"] = issue.choices
    if rule is rules.G203_MISSING_PARAMETER or not numbers:
        return ArgumentProblem(rule, -1, "header", data)
    if pointer in arguments.by_pointer:
        number = arguments.by_pointer[pointer]
        is_empty = rule is rules.G204_WRONG_TYPE and not arguments.call.received(number).strip()
        return ArgumentProblem(rule, number, "value", {"case": "no-value", **data} if is_empty else data)
    return ArgumentProblem(rule, numbers[0], "pointer", data, 0, len(pointer))


def _unknown(pointer: str, gadget: GadgetSchema, schema: ParameterSchema) -> dict[str, object]:
    return {**unknown_parameter(pointer, schema), "gadget": gadget.name}


def _coerced(call: Call, known: set[int], gadget: GadgetSchema, schema: ParameterSchema) -> Iterator[ArgumentProblem]:
    """Yield the values that would have another type without the schema."""
    for number, (_, _, _, _, _, pointer) in enumerate(call.arguments):
        if not pointer or number in known or (expected := schema.expected(pointer)) == "unknown":
            continue
        text = call.received(number)
        given, otherwise = (f"a {type_of(coerce(text, each))}" for each in (expected, "unknown"))
        if given != otherwise:
            path = path_of(pointer)
            data = {"path": path, "type": given, "gadget": gadget.name, "other": otherwise}
            yield ArgumentProblem(rules.G207_COERCED_AGAINST_SCHEMA, number, "value", data)
