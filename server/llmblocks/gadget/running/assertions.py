"""The keywords of JSON Schema that judge a value alone: zod's comparisons, and its words for an error."""

from __future__ import annotations

import json
import operator
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, Final, Literal, NamedTuple

from llmblocks.contract.markup import shortened
from llmblocks.gadget.running.json_schema import JsonSchema, is_pattern, is_tuple
from llmblocks.gadget.syntax.values import shown

Invalid = Literal["missing", "unknown", "type", "choice", "constraint"]
"""A value is missing, forbidden, of the wrong type, not among the choices, or violates another constraint of the
schema.
"""
NOT_GIVEN: Final = "Invalid input: expected nonoptional, received undefined"
_SAFE_INTEGER = 2**53 - 1
"""The largest integer that zod accepts as one."""
_MOST_OFFERED = 1000
_LONGEST = 400
_TOLERANCE = 4 * 2.0**-52
_TYPES: dict[str, Any] = {"string": str, "array": list, "object": dict, "boolean": bool, "null": type(None)}
UNDEFINED: Final = object()
"""JavaScript's value of a missing member."""
_RECEIVED: dict[type, str] = {object: "undefined", **{kind: name for name, kind in _TYPES.items()}}
_BOUNDS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (operator.lt, "exclusiveMinimum"),
    "maximum": (operator.gt, "exclusiveMaximum"),
    "exclusiveMinimum": (operator.le, ""),
    "exclusiveMaximum": (operator.ge, ""),
}
"""Whether a value is out of bounds, and the keyword that makes the bound strict in draft 4."""
_SIZES: dict[str, Any] = {"Length": (str, "characters"), "Items": (list, "items"), "Properties": (dict, "keys")}
"""By the ends of the keywords: the type of which the size is limited, and the unit."""
_FORMATS = {
    "email": "email address",
    "uri": "URL",
    "uuid": "UUID",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "date": "ISO date",
    "date-time": "ISO datetime",
    "time": "ISO time",
    "duration": "ISO duration",
    "base64": "base64-encoded string",
    "base64url": "base64url-encoded string",
    "jwt": "JWT",
    "e164": "E.164 number",
    "cidrv4": "IPv4 range",
    "cidrv6": "IPv6 range",
    "ulid": "ULID",
    "xid": "XID",
    "ksuid": "KSUID",
    "mac": "MAC address",
    **{name: name for name in ("hostname", "emoji", "nanoid", "cuid", "cuid2", "lowercase", "uppercase")},
}
_GUID = "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$"
_TIME = r"^(?:[01]\d|2[0-3]):[0-5]\d"
_PARTS = {
    "starts_with": (re.compile(r"\^(.*)\.\*", re.DOTALL), "start with"),
    "ends_with": (re.compile(r"\.\*(.*)\$", re.DOTALL), "end with"),
    "includes": (re.compile(r"(?:\^\.\{\d+,\})?(.*)", re.DOTALL), "include"),
}
"""zod's own formats, with the pattern that it writes for each."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


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


def alone(word: str, part: Any, value: Any, schema: JsonSchema) -> Iterator[Flaw]:
    """Yield the errors of a value that a keyword finds without other schemas."""
    match word:
        case "type":
            kinds = part if isinstance(part, list) else [part]
            is_float = "integer" not in kinds or "number" in kinds
            if not any(_is_type(value, kind) for kind in kinds):
                # a value outside the choices has no other error
                if "const" not in schema and "enum" not in schema:
                    yield _wrong_type(kinds, schema, value)
            elif not is_float and _is_type(value, "number") and abs(value) > _SAFE_INTEGER:
                bound = ("maximum", _SAFE_INTEGER) if value > 0 else ("minimum", -_SAFE_INTEGER)
                yield _out_of_bounds(*bound, schema)
        case "enum" | "const":
            choices, wanted = part if word == "enum" else [part], _canonical(value)
            if not any(wanted == _canonical(each) for each in choices):
                yield wrong_choice(_expected_one_of(choices), choices)
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            is_beyond, strict = _BOUNDS[word]
            # in draft 4, strict bounds have no number; and the bounds of all integers are judged with their type
            is_left = isinstance(part, bool) or (abs(part) == _SAFE_INTEGER and schema.get("type") == "integer")
            if is_left or not _is_measured(value, schema):
                return
            if is_beyond(value, part) or (value == part and schema.get(strict) is True):
                yield _out_of_bounds(word, part, schema)
        case "multipleOf":
            if _is_measured(value, schema) and not _is_multiple(value, part):
                yield _check(f"Invalid number: must be a multiple of {shown(part)}", schema)
        case "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties":
            kind = _SIZES[word[3:]][0]
            # zod measures a text where an array is expected, and an array where a text is
            if kind is not dict and schema.get("type") == _RECEIVED[kind] and not is_tuple(schema):
                kind = str | list
            if isinstance(value, kind) and (len(value) < part if word.startswith("min") else len(value) > part):
                yield wrong_size(word, part, value, schema)
        case "uniqueItems":
            if part and isinstance(value, list) and len({_canonical(each) for each in value}) < len(value):
                yield Flaw("constraint", "the items are not unique")
        case "format":
            from jsonschema import Draft202012Validator

            own = {"regex": is_pattern, "jwt": _is_token}
            if not (own[part](value) if part in own else Draft202012Validator.FORMAT_CHECKER.conforms(value, part)):
                yield malformed("", schema)
        case "required":
            known = schema.get("properties", {})
            for name in part if isinstance(value, dict) else ():
                if name not in value and name not in known:
                    yield Flaw("missing", NOT_GIVEN, (name,))


def _check(message: str, schema: JsonSchema) -> Flaw:
    """Return the error of one of zod's checks: the value is of the right kind."""
    return Flaw("constraint", message, aborts=is_tuple(schema))


def _wrong_type(kinds: list[str], schema: JsonSchema, value: object) -> Flaw:
    real = [kind for kind in kinds if kind != "null"] or kinds
    if len(real) > 1:
        return Flaw("type", "Invalid input")
    received = _RECEIVED.get(type(value), "number")
    ends = kinds == ["integer"] and received == "number"
    name = real[0]
    if name == "integer":
        name = "int" if received == "number" else "number"
    elif name == "array" and is_tuple(schema):
        name = "tuple"
    elif name == "object" and not schema.get("properties") and "propertyNames" in schema:
        name = "record"
    return Flaw("type", f"Invalid input: expected {name}, received {received}", ends=ends)


def wrong_choice(message: str, choices: list[Any], path: tuple[str, ...] = ()) -> Flaw:
    """Return the error of a value outside the choices; only the first are offered if there are very many."""
    return Flaw("choice", shortened(message, _LONGEST), path, (*choices[:_MOST_OFFERED],))


def _expected_one_of(values: list[Any]) -> str:
    # quotes in a text stay unescaped
    written = [f'"{each}"' if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in values]
    if len(values) == 1:
        return f"Invalid input: expected {written[0]}"
    return f"Invalid option: expected one of {'|'.join(written)}"


def _out_of_bounds(word: str, limit: Any, schema: JsonSchema) -> Flaw:
    strict = _BOUNDS[word][1]
    kind = "int" if abs(limit) == _SAFE_INTEGER and schema.get("type") == "integer" else "number"
    sign = ("<" if "max" in word.lower() else ">") + "=" * bool(strict and schema.get(strict) is not True)
    return _check(_beyond(word, f"{kind} to be {sign}", limit), schema)


def wrong_size(word: str, limit: Any, value: Any, schema: JsonSchema) -> Flaw:
    """Return the error of a value of a wrong size."""
    (other, sign), kind = ("max", ">=") if word.startswith("min") else ("min", "<="), _RECEIVED[type(value)]
    if schema.get(other + word[3:]) == limit and not is_tuple(schema):
        sign = "exactly "
    unit = next(unit for each, unit in _SIZES.values() if isinstance(value, each))
    is_end = word == "maxItems" and kind == "array"
    flaw = _check(f"{_beyond(word, f'{kind} to have {sign}', limit)} {unit}", schema)
    return flaw._replace(aborts=flaw.aborts or is_end or kind == "object", ends=is_end and not is_tuple(schema))


def _beyond(word: str, expected: str, limit: Any) -> str:
    return f"Too {'small' if 'min' in word.lower() else 'big'}: expected {expected}{shown(limit)}"


def malformed(source: str, schema: JsonSchema) -> Flaw:
    """Return the error of a text that does not match a pattern, or, if that is "", has another format."""
    name = schema.get("format")
    form, verb = _PARTS.get(str(name), (None, ""))
    if form and (found := form.fullmatch(source)):
        part = _ESCAPED.sub(r"\1", found[1])
        message = f'Invalid string: must {verb} "{part}"'
    elif source.startswith(_TIME) and name is None:
        message = "Invalid ISO time"
    elif isinstance(name, str) and (name in _FORMATS or not source):
        message = "Invalid GUID" if schema.get("pattern") == _GUID else f"Invalid {_FORMATS.get(name, name)}"
    else:
        message = f"Invalid string: must match pattern /{source}/"
    return _check(shortened(message, _LONGEST), schema)


def _is_multiple(value: float, step: float) -> bool:
    """Return whether a quotient is whole within four roundings, as in zod: 1.15 is a multiple of 0.01."""
    try:
        ratio = float(value) / float(step)
    except (OverflowError, ZeroDivisionError):
        return False
    return isfinite(ratio) and abs(ratio - round(ratio)) < _TOLERANCE * max(abs(ratio), 1)


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
