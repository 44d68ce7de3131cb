"""The runtime's words for a validation error. Source: zod, which validates the parameters in llmist."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from llmblocks.gadget.syntax.javascript import shown

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_FORMATS = {
    "email": "Invalid email address",
    "uri": "Invalid URL",
    "uuid": "Invalid UUID",
    "ipv4": "Invalid IPv4 address",
    "ipv6": "Invalid IPv6 address",
    "date": "Invalid ISO date",
    "date-time": "Invalid ISO datetime",
    "duration": "Invalid ISO duration",
    "hostname": "Invalid hostname",
    "emoji": "Invalid emoji",
    "base64": "Invalid base64-encoded string",
    "jwt": "Invalid JWT",
    "e164": "Invalid E.164 number",
}
_SIZES = {
    "minLength": ("Too small: expected string to have >={} characters", "maxLength"),
    "maxLength": ("Too big: expected string to have <={} characters", "minLength"),
    "minItems": ("Too small: expected array to have >={} items", "maxItems"),
    "maxItems": ("Too big: expected array to have <={} items", "minItems"),
}
_BOUNDS = {
    "minimum": ("Too small: expected number to be >={}", "exclusiveMinimum"),
    "maximum": ("Too big: expected number to be <={}", "exclusiveMaximum"),
    "exclusiveMinimum": ("Too small: expected number to be >{}", ""),
    "exclusiveMaximum": ("Too big: expected number to be <{}", ""),
}
_MOST_CHOICES = 50
_MOST_OFFERED = 1000
_LONGEST = 400


def words_of(error: ValidationError, missing: object = None) -> str:
    """The words for an error; those of the validator where the runtime has none.

    Shape: `missing` is the schema of the property that is missing, if that is the error.
    """
    word, schema = str(error.validator), error.schema
    value: Any = error.validator_value
    schema = schema if isinstance(schema, Mapping) else {}
    if isinstance(missing, Mapping):
        return _not_given(missing)
    if word in ("enum", "const"):
        return _expected_one_of(value if word == "enum" else [value])
    if word == "type":
        return _wrong_type(value, schema, error.instance)
    if word in ("anyOf", "oneOf"):
        return "Invalid input"
    if word in _SIZES:
        text, other = _SIZES[word]
        if schema.get(other) == value:
            text = text.replace("<={}", "exactly {}").replace(">={}", "exactly {}")
        return text.format(_number(value))
    if word in _BOUNDS:
        text, strict = _BOUNDS[word]
        if strict and schema.get(strict) is True:  # draft 4
            text = text.replace("={}", "{}")
        return text.format(_number(value))
    if word == "multipleOf":
        return f"Invalid number: must be a multiple of {_number(value)}"
    if word in ("pattern", "format"):
        return _malformed(value if word == "pattern" else "", schema.get("format"))
    return _short(error.message)


def choices_of(error: ValidationError) -> tuple[Any, ...]:
    """The allowed values, if the error is a value that is not allowed: of very many, the first."""
    word, value = error.validator, error.validator_value
    if word == "const":
        return (value,)
    return tuple(value[:_MOST_OFFERED]) if word == "enum" and isinstance(value, list) else ()


def _not_given(schema: Mapping[str, Any]) -> str:
    if "const" in schema:
        return _expected_one_of([schema["const"]])
    if isinstance(schema.get("enum"), list):
        return _expected_one_of(schema["enum"])
    kind = schema.get("type")
    if "anyOf" in schema or "oneOf" in schema or isinstance(kind, list):
        return "Invalid input"
    if not isinstance(kind, str):
        return "Invalid input: expected nonoptional, received undefined"
    return f"Invalid input: expected {_named(kind, schema)}, received undefined"


def _wrong_type(kinds: object, schema: Mapping[str, Any], instance: object) -> str:
    names = [str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds])]
    real = [name for name in names if name != "null"] or names
    if len(real) > 1:
        return "Invalid input"
    received = _received(instance)
    name = "int" if real[0] == "integer" and received == "number" else _named(real[0], schema)
    return f"Invalid input: expected {name}, received {received}"


def _named(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "integer":
        return "number"
    if kind == "array" and ("prefixItems" in schema or isinstance(schema.get("items"), list)):
        return "tuple"
    if kind == "object" and not schema.get("properties") and ("propertyNames" in schema):
        return "record"
    return kind


def _received(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else "number"


def _expected_one_of(values: list[Any]) -> str:
    written = [json.dumps(value, ensure_ascii=False) for value in values[:_MOST_CHOICES]]
    if len(values) > _MOST_CHOICES:
        written.append("…")
    if len(values) == 1:
        return _short(f"Invalid input: expected {written[0]}")
    return _short(f"Invalid option: expected one of {'|'.join(written)}")


def _malformed(source: str, name: object) -> str:
    if isinstance(name, str) and (name in _FORMATS or not source):
        return _FORMATS.get(name, f"Invalid {name}")
    return _short(f"Invalid string: must match pattern /{source}/")


def _number(value: object) -> str:
    return shown(value) if isinstance(value, int | float) else str(value)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
