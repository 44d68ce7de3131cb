"""The keywords of JSON Schema that judge a value alone, with zod's comparisons and words."""

from __future__ import annotations

import json
import operator
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, Final, Literal, NamedTuple

from llmblocks.gadget.running.metaschema import is_pattern
from llmblocks.gadget.running.parts import JsonSchema, is_tuple
from llmblocks.gadget.running.words import NOT_GIVEN, SAFE_INTEGER, beyond, expected_one_of, malformed, wrong_type
from llmblocks.gadget.syntax.javascript import shown

Invalid = Literal["missing", "unknown", "type", "choice", "constraint"]
"""A value is missing, forbidden, of the wrong type, not among the choices, or violates another constraint of the
schema.
"""
MOST_OFFERED: Final = 1000
_TOLERANCE = 4 * 2.0**-52
_TYPES: dict[str, Any] = {"string": str, "array": list, "object": dict, "boolean": bool, "null": type(None)}
_BOUNDS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (operator.lt, "exclusiveMinimum"),
    "maximum": (operator.gt, "exclusiveMaximum"),
    "exclusiveMinimum": (operator.le, ""),
    "exclusiveMaximum": (operator.ge, ""),
}
"""Whether a value is out of bounds, and the keyword that makes the bound strict in draft 4."""
_SIZES: dict[str, tuple[Any, str]] = {
    "minLength": (str, "maxLength"),
    "maxLength": (str, "minLength"),
    "minItems": (list, "maxItems"),
    "maxItems": (list, "minItems"),
    "minProperties": (dict, "maxProperties"),
    "maxProperties": (dict, "minProperties"),
}
"""The type of which the size is limited, and the keyword that may give the same size."""
_UNITS: dict[Any, tuple[str, str]] = {str: ("string", "characters"), list: ("array", "items"), dict: ("object", "keys")}


class Flaw(NamedTuple):
    """An error of a value, in zod's words."""

    kind: Invalid
    message: str
    path: tuple[str | int, ...] = ()
    choices: tuple[Any, ...] = ()
    aborts: bool = True
    """zod considers the value to be of another kind."""
    ends: bool = False
    """zod does not report the size of the value around it."""


def check(message: str, schema: JsonSchema) -> Flaw:
    """Return the error of one of zod's checks: the value is of the right kind."""
    return Flaw("constraint", message, aborts=is_tuple(schema))


def _type(word: str, kinds: Any, value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    names = kinds if isinstance(kinds, list) else [kinds]
    if not any(_is_type(value, name) for name in names):
        # a value outside the choices has no other error
        if "const" not in schema and "enum" not in schema:
            ends = kinds == "integer" and type(value) in (int, float)
            yield Flaw("type", wrong_type(kinds, schema, value), ends=ends)
    elif "integer" in names and "number" not in names and _is_type(value, "number") and abs(value) > SAFE_INTEGER:
        bound = ("maximum", SAFE_INTEGER) if value > 0 else ("minimum", -SAFE_INTEGER)
        yield _out_of_bounds(*bound, schema)


def _choice(word: str, part: Any, value: object, schema: JsonSchema) -> Iterator[Flaw]:
    choices, wanted = part if word == "enum" else [part], _canonical(value)
    if not any(wanted == _canonical(each) for each in choices):
        yield Flaw("choice", expected_one_of(choices), choices=(*choices[:MOST_OFFERED],))


def _bound(word: str, limit: Any, value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    is_beyond, strict = _BOUNDS[word]
    # the bounds of all integers are judged with their type, those without a number (in draft 4) with the others
    is_left = isinstance(limit, bool) or (abs(limit) == SAFE_INTEGER and schema.get("type") == "integer")
    if not _is_measured(value, schema) or is_left:
        return
    if is_beyond(value, limit) or (value == limit and schema.get(strict) is True):
        yield _out_of_bounds(word, limit, schema)


def _out_of_bounds(word: str, limit: Any, schema: JsonSchema) -> Flaw:
    strict = _BOUNDS[word][1]
    kind = "int" if abs(limit) == SAFE_INTEGER and schema.get("type") == "integer" else "number"
    sign = ("<" if "max" in word.lower() else ">") + "=" * bool(strict and schema.get(strict) is not True)
    return check(beyond(word, limit, f"{kind} to be", sign), schema)


def _multiple(word: str, step: Any, value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    if _is_measured(value, schema) and not is_multiple(value, step):
        yield check(f"Invalid number: must be a multiple of {shown(step)}", schema)


def is_multiple(value: float, step: float) -> bool:
    """Return whether a number is a multiple of another within float64's precision: 1.15 is a multiple of 0.01.

    Source: zod, which accepts a quotient that is whole within four roundings.
    """
    try:
        ratio = float(value) / float(step)
    except (OverflowError, ZeroDivisionError):
        return False
    return isfinite(ratio) and abs(ratio - round(ratio)) < _TOLERANCE * max(abs(ratio), 1)


def size(word: str, limit: Any, value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    """Judge the size of a text, an array or an object."""
    kind = _SIZES[word][0]
    # zod measures a text where an array is expected, and an array where a text is
    if kind is not dict and schema.get("type") == _UNITS[kind][0] and not is_tuple(schema):
        kind = str | list
    if isinstance(value, kind) and (len(value) < limit if "min" in word else len(value) > limit):
        yield wrong_size(word, limit, value, schema)


def wrong_size(word: str, limit: Any, value: Any, schema: JsonSchema) -> Flaw:
    """Return the error of a value of a wrong size."""
    kind, unit = _UNITS[type(value)]
    is_exact = schema.get(_SIZES[word][1]) == limit and not is_tuple(schema)
    sign = "exactly " if is_exact else ">=" if "min" in word else "<="
    flaw = check(beyond(word, limit, f"{kind} to have", sign, f" {unit}"), schema)
    is_end = word == "maxItems" and kind == "array"
    return flaw._replace(aborts=flaw.aborts or is_end or kind == "object", ends=is_end and not is_tuple(schema))


def _unique(word: str, wanted: bool, value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    if wanted and isinstance(value, list) and len({_canonical(each) for each in value}) < len(value):
        yield Flaw("constraint", "the items are not unique")


def _format(word: str, name: str, value: object, schema: JsonSchema) -> Iterator[Flaw]:
    from jsonschema import Draft202012Validator

    own = {"regex": is_pattern, "jwt": _is_token}
    if not (own[name](value) if name in own else Draft202012Validator.FORMAT_CHECKER.conforms(value, name)):
        yield check(malformed("", schema), schema)


def _required(word: str, names: list[str], value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    known = schema.get("properties", {})
    for name in names if isinstance(value, dict) else ():
        if name not in value and name not in known:
            yield Flaw("missing", NOT_GIVEN, (name,))


ASSERTIONS: Final[Mapping[str, Callable[[str, Any, Any, JsonSchema], Iterator[Flaw]]]] = {
    "type": _type,
    **dict.fromkeys(("enum", "const"), _choice),
    **dict.fromkeys(_BOUNDS, _bound),
    **dict.fromkeys(_SIZES, size),
    "multipleOf": _multiple,
    "uniqueItems": _unique,
    "format": _format,
    "required": _required,
}


def _is_type(value: object, name: str) -> bool:
    if name in ("integer", "number"):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and not (name == "integer" and isinstance(value, float) and not value.is_integer())
    return isinstance(value, _TYPES.get(name, ()))


def _is_measured(value: object, schema: JsonSchema) -> bool:
    """Return whether zod checks the size of a value. It does not for 1.5 where an integer is expected."""
    return _is_type(value, "integer" if schema.get("type") == "integer" else "number")


def _canonical(value: Any) -> object:
    """Return a hashable value that is equal for equal JSON values: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, dict):
        return "object", frozenset([(name, _canonical(each)) for name, each in value.items()])
    if isinstance(value, list | tuple):
        return "array", tuple([_canonical(each) for each in value])
    return value


def _is_token(text: object) -> bool:
    """Return whether a value is not a text, or is a JSON Web Token, with an unchecked signature. Source: zod."""
    if not isinstance(text, str):
        return True
    header, *rest = text.split(".")
    try:
        found = json.loads(b64decode(header + "=" * (-len(header) % 4), validate=True).decode("latin-1"))
    except (ValueError, RecursionError):
        return False
    return len(rest) == 2 and isinstance(found, dict) and found.get("typ", "JWT") == "JWT" and bool(found.get("alg"))
