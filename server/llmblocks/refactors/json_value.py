"""Conversions between the arguments of a call and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from llmblocks.contract.decoded import Scalar
from llmblocks.contract.markup import code
from llmblocks.gadget.call import ArgumentView
from llmblocks.gadget.syntax.pointer import decode_pointer
from llmblocks.gadget.syntax.values import coerce, strip_fences
from llmblocks.gadget.writing import RenderError
from llmblocks.languages.ask import Ask
from llmblocks.refactors.calls import ChosenCall, arguments_of, as_json, call_at, from_json
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import as_lines
from llmblocks.rules.fix import Expected, Parts, other_parts

_SPREAD = "Write this JSON as arguments"


def _spread(ask: Ask) -> Iterator[Offer]:
    call = call_at(ask)
    if call is None:
        return
    argument, value = call.argument, None
    if argument is not None and argument.pointer and call.parameters is not None:
        # a gadget that expects text gets it
        if call.schema is None or call.schema.expected(argument.pointer) != "string":
            value = from_json(call.value(argument))
        written, expected, schema = {"a": value}, _with(call.parameters, argument.pointer, value), None
        start, end, pointer = argument.start, argument.end, argument.pointer
    elif not call.call.arguments:
        value = from_json(strip_fences(call.body))
        written, expected, schema = value, value, call.schema
        start, end, pointer = call.call.header_end + 1, call.call.end, ""
    if value is None or not isinstance(written, dict):
        return
    try:
        text = arguments_of(written, ask, schema)
    except RenderError as error:
        yield Offer(_SPREAD, refused=_reason(error, pointer))
        return
    if pointer:
        text = text.replace(f"{call.arg}a/", f"{call.arg}{pointer}/")
    if _same(call.read(_after(call, start, end, text)), expected):
        edit = call.edit(start, end, as_lines(ask, call.base + call.call.header, text))
        yield Offer(_SPREAD, (edit,), _flattened(call, argument, value))


def _collect(ask: Ask) -> Iterator[Offer]:
    call = call_at(ask)
    argument = None if call is None else call.argument
    if call is None or argument is None or not (parameters := call.parameters):
        return
    pointer, inside, _ = argument.pointer.partition("/")
    if not inside or call.here > argument.name_end or pointer not in parameters:
        return
    below = [each for each in call.call.arguments if each.pointer.startswith(f"{pointer}/")]
    first, last = below[0], below[-1]
    text = f"{call.arg}{pointer}\n{as_json(parameters[pointer])}\n"
    after = call.read(_after(call, first.start, last.end, text))
    if after is None or not isinstance(after.get(pointer), str):
        return
    # text between them that belongs to other objects would be lost
    if _same(_with(after, pointer, from_json(str(after[pointer]))), parameters):
        edit = call.edit(first.start, last.end, as_lines(ask, call.base + call.call.header, text))
        title = f"Write {code(pointer)} as JSON, which the runtime reads as text"
        yield Offer(title, (edit,), _collected(below, call, pointer, str(after[pointer])))


def _after(call: ChosenCall, start: int, end: int, text: str) -> str:
    """Return the body of a call with other arguments in a stretch."""
    parts = [
        f"{call.arg}{each.pointer}\n{call.value(each)}"
        for each in call.call.arguments
        if each.end <= start or each.start >= end
    ]
    parts.insert(sum([each.end <= start for each in call.call.arguments]), text)
    return "".join(parts)


def _with(parameters: dict[str, Any], pointer: str, value: object) -> dict[str, Any] | None:
    """Return parameters with another value at a pointer."""
    *path, last = decode_pointer(pointer)
    found: Any = {**parameters}
    inner: Any = found
    try:
        for segment in path:
            child = inner[segment]
            inner[segment] = child = [*child] if isinstance(child, list) else {**child}
            inner = child
        inner[last] = value
    except (LookupError, TypeError):
        return None  # the runtime does not read the pointer as written
    return dict(found)


def _same(one: object, other: object) -> bool:
    # 1, 1.0 and true are equal in Python
    return one is not None and repr(one) == repr(other)


def _reason(error: RenderError, pointer: str) -> str:
    if not error.pointer:
        return error.message
    return f"{pointer + error.pointer[1:] if pointer else error.pointer}: {error.message}"


def _flat(pointer: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    """Yield the arguments of a JSON value."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(f"{pointer}/{key}" if pointer else str(key), inner)
    else:
        yield pointer, coerce(value) if isinstance(value, str) else value


def _flattened(call: ChosenCall, argument: ArgumentView | None, value: Any) -> Expected:
    """Return the call with the arguments of a JSON value in place of one, or of its whole body."""
    number = call.call.arguments.index(argument) if argument else 0
    pointer = argument.pointer if argument else ""
    return other_parts(lambda parts: [*parts[:number], *_flat(pointer, value), *parts[number + 1 :]])


def _collected(below: Sequence[ArgumentView], call: ChosenCall, pointer: str, value: str) -> Expected:
    """Return the call with the JSON of one argument in place of all below it."""
    numbers = [call.call.arguments.index(each) for each in below]

    def change(parts: Parts) -> Parts | None:
        if numbers[0] >= len(parts):
            return None
        parts[numbers[0]] = pointer, value
        return [each for number, each in enumerate(parts) if number == numbers[0] or number not in numbers]

    return other_parts(change)


SPREAD: Final = Refactoring(
    name="json-to-arguments",
    layer="gadget",
    summary="Writes JSON in a call, or in the value of an argument, as arguments.",
    keeps="the value: the arguments say what the JSON says",
    offer=_spread,
    language="gadget",
    before='!!!GADGET_START:Search\n{"query": "«»bees", "limits": [3, 4]}\n!!!GADGET_END\n',
    after="!!!GADGET_START:Search\n!!!ARG:query\nbees\n!!!ARG:limits/0\n3\n!!!ARG:limits/1\n4\n!!!GADGET_END\n",
)
COLLECT: Final = Refactoring(
    name="arguments-to-json",
    layer="gadget",
    summary="Writes the arguments of one object or array as the JSON of one argument.",
    keeps="the value: the JSON says what the arguments say",
    offer=_collect,
    language="gadget",
    before="!!!GADGET_START:Search\n!!!ARG:«»limits/0\n3\n!!!ARG:limits/1\n4\n!!!GADGET_END\n",
    after="!!!GADGET_START:Search\n!!!ARG:limits\n[\n  3,\n  4\n]\n!!!GADGET_END\n",
)
