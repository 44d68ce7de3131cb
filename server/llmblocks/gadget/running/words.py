"""The runtime's words for a validation error. Source: zod, which validates the parameters in llmist."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from llmblocks.contract.markup import shortened
from llmblocks.gadget.running.parts import JsonSchema, is_tuple, only_member, resolved
from llmblocks.gadget.syntax.javascript import shown

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
SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that zod accepts as one."""
NOT_GIVEN: Final = "Invalid input: expected nonoptional, received undefined"
_DEEPEST = 50
_MOST_CHOICES = 50
_LONGEST = 400


def not_given(root: JsonSchema, schema: Any) -> str:
    """Return the words for a missing value."""
    for _ in range(_DEEPEST):
        schema = target(root, schema)
        if not isinstance(schema, Mapping):
            return NOT_GIVEN
        if "const" in schema or isinstance(schema.get("enum"), list):
            return expected_one_of([schema["const"]] if "const" in schema else schema["enum"])
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
        only = only_member(members)
        if only is None:
            parts = [
                target(root, each) for each in members if not (isinstance(each, Mapping) and each.get("type") == "null")
            ]
            tagged = all(isinstance(part, Mapping) and "properties" in part for part in parts)
            return _received_undefined("object", {}) if tagged and "oneOf" in schema else "Invalid input"
        schema = members[only]
    return NOT_GIVEN


def target(root: JsonSchema, schema: Any) -> Any:
    """Follow the references of a schema that has nothing else to say."""
    for _ in range(_DEEPEST):
        if not (isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str)):
            break
        schema = resolved(root, schema["$ref"])
    return schema


def _received_undefined(kind: str, schema: JsonSchema) -> str:
    return f"Invalid input: expected {_named(kind, schema)}, received undefined"


def wrong_type(kinds: object, schema: JsonSchema, instance: object) -> str:
    """Return the words for a value that has none of the types."""
    names = [str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds])]
    real = [name for name in names if name != "null"] or names
    if len(real) > 1:
        return "Invalid input"
    received = _RECEIVED.get(type(instance), "number")
    name = "int" if real[0] == "integer" and received == "number" else _named(real[0], schema)
    return f"Invalid input: expected {name}, received {received}"


def _named(kind: str, schema: JsonSchema) -> str:
    if kind == "integer":
        return "number"
    if kind == "array" and is_tuple(schema):
        return "tuple"
    if kind == "object" and not schema.get("properties") and "propertyNames" in schema:
        return "record"
    return kind


def expected_one_of(values: list[Any]) -> str:
    """Return the words for a value outside the choices."""
    # quotes in a text stay unescaped
    written = [
        f'"{each}"' if isinstance(each, str) else json.dumps(each, ensure_ascii=False)
        for each in values[:_MOST_CHOICES]
    ]
    if len(values) == 1:
        return shortened(f"Invalid input: expected {written[0]}", _LONGEST)
    more = ["…"] * (len(values) > _MOST_CHOICES)
    return shortened(f"Invalid option: expected one of {'|'.join([*written, *more])}", _LONGEST)


def beyond(word: str, limit: Any, what: str, sign: str, unit: str = "") -> str:
    """Return the words for a value beyond a limit: `what` it must be or have, compared by a sign."""
    number = shown(limit) if isinstance(limit, int | float) else str(limit)
    return f"Too {'small' if 'min' in word.lower() else 'big'}: expected {what} {sign}{number}{unit}"


def malformed(source: str, schema: JsonSchema) -> str:
    """Return the words for a text that does not match a pattern, or, if that is "", has another format."""
    name = schema.get("format")
    form, verb = _PARTS.get(str(name), (None, ""))
    if form and (found := form.fullmatch(source)):
        part = _ESCAPED.sub(r"\1", found[1])
        return shortened(f'Invalid string: must {verb} "{part}"', _LONGEST)
    if source.startswith(_TIME) and name is None:
        return "Invalid ISO time"
    if isinstance(name, str) and (name in _FORMATS or not source):
        return "Invalid GUID" if schema.get("pattern") == _GUID else f"Invalid {_FORMATS.get(name, name)}"
    return shortened(f"Invalid string: must match pattern /{source}/", _LONGEST)
