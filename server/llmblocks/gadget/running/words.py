"""The runtime's words for a validation error. Source: zod, which validates the parameters in llmist."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from llmblocks.contract.markup import shortened
from llmblocks.gadget.syntax.javascript import shown

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

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
_RECEIVED: dict[type, str] = {type(None): "null", bool: "boolean", str: "string", list: "array", dict: "object"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SIZES = {"minLength": "maxLength", "maxLength": "minLength", "minItems": "maxItems", "maxItems": "minItems"}
"""The keywords of sizes, each with the keyword that may give the same size."""
_BOUNDS = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum", "exclusiveMinimum": "", "exclusiveMaximum": ""}
"""The keywords of bounds, each with the one that makes it strict in draft 4."""
SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that zod accepts as one."""
NOT_GIVEN: Final = "Invalid input: expected nonoptional, received undefined"
_DEEPEST = 50
_MOST_CHOICES = 50
_MOST_OFFERED = 1000
_LONGEST = 400


def words_of(error: ValidationError) -> str:
    """Return the words for an error; those of the validator if the runtime has none."""
    word, schema = str(error.validator), error.schema
    value: Any = error.validator_value
    schema = schema if isinstance(schema, Mapping) else {}
    if word in ("enum", "const"):
        if error.message.startswith("Invalid"):
            return shortened(error.message, _LONGEST)
        return _expected_one_of(value if word == "enum" else [value])
    if word == "type":
        return _wrong_type(value, schema, error.instance)
    expected, sign = ("Too small: expected", ">=") if "min" in word.lower() else ("Too big: expected", "<=")
    if word in _SIZES:
        kind, unit = ("string", "characters") if isinstance(error.instance, str) else ("array", "items")
        exactly = "exactly " if schema.get(_SIZES[word]) == value and not is_tuple(schema) else sign
        return f"{expected} {kind} to have {exactly}{_number(value)} {unit}"
    if word in _BOUNDS:
        strict = _BOUNDS[word]
        is_strict = not strict or schema.get(strict) is True
        kind = "int" if abs(value) == SAFE_INTEGER and schema.get("type") == "integer" else "number"
        return f"{expected} {kind} to be {sign[0] if is_strict else sign}{_number(value)}"
    if word == "multipleOf":
        return f"Invalid number: must be a multiple of {_number(value)}"
    if word in ("pattern", "format"):
        return _malformed(value if word == "pattern" else "", schema.get("format"))
    return shortened(error.message, _LONGEST)


def choices_of(error: ValidationError) -> tuple[Any, ...]:
    """Return the allowed values, if the error is a value outside of them; only the first if there are very many."""
    word, value = error.validator, error.validator_value
    if word == "const":
        return (value,)
    return tuple(value[:_MOST_OFFERED]) if word == "enum" and isinstance(value, list) else ()


def is_tuple(schema: Any) -> bool:
    """Return whether a schema lists the elements of an array individually."""
    return not isinstance(schema, bool) and ("prefixItems" in schema or isinstance(schema.get("items"), list))


def target(schema: Any, validator: Any) -> Any:
    """Follow the references of a validator's schema."""
    resolver = validator._resolver
    for _ in range(_DEEPEST):
        if not (isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str)):
            break
        found = resolver.lookup(schema["$ref"])
        schema, resolver = found.contents, found.resolver
    return schema


def not_given(schema: Any, validator: Any) -> str:
    """Return the words for a missing value."""
    for _ in range(_DEEPEST):
        schema = target(schema, validator)
        if not isinstance(schema, Mapping):
            return NOT_GIVEN
        if "const" in schema:
            return _expected_one_of([schema["const"]])
        if isinstance(schema.get("enum"), list):
            return _expected_one_of(schema["enum"])
        kinds = schema.get("type")
        real = [kind for kind in kinds if kind != "null"] if isinstance(kinds, list) else [kinds]
        if real and real[0] is not None:
            return "Invalid input" if len(real) > 1 else _received_undefined(str(real[0]), schema)
        if schema.get("allOf"):
            schema = schema["allOf"][0]
            continue
        members = schema.get("anyOf", schema.get("oneOf"))
        if not isinstance(members, list):
            return NOT_GIVEN
        real = [each for each in members if not (isinstance(each, Mapping) and each.get("type") == "null")]
        if len(real) != 1:
            tagged = all(isinstance(part := target(each, validator), Mapping) and "properties" in part for each in real)
            return _received_undefined("object", {}) if tagged and "oneOf" in schema else "Invalid input"
        schema = real[0]
    return NOT_GIVEN


def _received_undefined(kind: str, schema: Mapping[str, Any]) -> str:
    return f"Invalid input: expected {_named(kind, schema)}, received undefined"


def _wrong_type(kinds: object, schema: Mapping[str, Any], instance: object) -> str:
    names = [str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds])]
    real = [name for name in names if name != "null"] or names
    if len(real) > 1:
        return "Invalid input"
    received = _RECEIVED.get(type(instance), "number")
    name = "int" if real[0] == "integer" and received == "number" else _named(real[0], schema)
    return f"Invalid input: expected {name}, received {received}"


def _named(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "integer":
        return "number"
    if kind == "array" and is_tuple(schema):
        return "tuple"
    if kind == "object" and not schema.get("properties") and ("propertyNames" in schema):
        return "record"
    return kind


def _expected_one_of(values: list[Any]) -> str:
    written = [_primitive(value) for value in values[:_MOST_CHOICES]]
    if len(values) > _MOST_CHOICES:
        written.append("…")
    if len(values) == 1:
        return shortened(f"Invalid input: expected {written[0]}", _LONGEST)
    return shortened(f"Invalid option: expected one of {'|'.join(written)}", _LONGEST)


def _primitive(value: object) -> str:
    """Format a value as zod does: quotes in a text stay unescaped."""
    return f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _malformed(source: str, name: object) -> str:
    """Return the words for a text that does not match a pattern (if not ""), or does not have the format of a name."""
    form, verb = _PARTS.get(str(name), (None, ""))
    if form and (found := form.fullmatch(source)):
        part = _ESCAPED.sub(r"\1", found[1])
        return shortened(f'Invalid string: must {verb} "{part}"', _LONGEST)
    if source.startswith(_TIME) and name is None:
        return "Invalid ISO time"
    if isinstance(name, str) and (name in _FORMATS or not source):
        return "Invalid GUID" if source == _GUID else f"Invalid {_FORMATS.get(name, name)}"
    return shortened(f"Invalid string: must match pattern /{source}/", _LONGEST)


def _number(value: object) -> str:
    return shown(value) if isinstance(value, int | float) else str(value)
