"""The schemas of MCP tools as llmist reads them. It checks less than the server of the tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_SCALARS = ("string", "number", "integer", "boolean", "null")
_NULL: Final = {"enum": [None]}
"""A null in a union. It differs from a nullable value: llmist does not type a value of a union."""


def understood(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return llmist's reading of the schema of an MCP tool, as JSON Schema; None if it refuses the tool.

    Source: llmist's jsonSchemaToZod, which reads only types, enumerations, properties, elements, unions and defaults.
    """
    try:
        found = _of(schema)
    except (ValueError, RecursionError):
        return None
    return found if found.get("type") == "object" else {}


def _of(schema: object) -> dict[str, Any]:
    """Return the reading of a schema; raise `ValueError` if llmist refuses it."""
    if not isinstance(schema, Mapping):
        return {}
    if schema.get("$ref") or schema.get("allOf"):
        raise ValueError
    found = _plain(schema)
    if schema.get("nullable") is True and found.get("type") != "null":
        found = {"anyOf": [found, {"type": "null"}]}
    return {**found, "default": schema["default"]} if "default" in schema else found


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    kind, values = schema.get("type"), schema.get("enum")
    if isinstance(kind, list):
        kind = kind[0] if kind else None
    members = schema.get("anyOf") if schema.get("oneOf") is None else schema["oneOf"]
    match kind:
        case _ if members:
            if not isinstance(members, list) or len(members) < 2:
                raise ValueError
            return {"anyOf": [_NULL if each == {"type": "null"} else each for each in map(_of, members)]}
        case None | "string" if isinstance(values, list):
            return _choice(values)
        case None:
            return {}
        case "array":
            if isinstance(schema.get("items"), list):
                raise ValueError
            return {"type": "array", "items": _of(schema.get("items"))}
        case "object":
            return _object(schema)
        case _ if kind in _SCALARS:
            return {"type": kind}
    raise ValueError


def _choice(values: list[Any]) -> dict[str, Any]:
    if not values:
        raise ValueError
    if all(isinstance(value, str) for value in values):
        return {"type": "string", "enum": values}
    return {"const": values[0]} if len(values) == 1 else {"anyOf": [{"enum": [value]} for value in values]}


def _object(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties, required = schema.get("properties"), schema.get("required")
    if not (properties and isinstance(properties, Mapping)):
        return {"type": "object", "propertyNames": {"type": "string"}}
    names = frozenset(required) if isinstance(required, list) else frozenset()
    return {
        "type": "object",
        "properties": {name: _of(each) for name, each in properties.items()},
        "required": [name for name in properties if name in names],
        "additionalProperties": False,
    }
