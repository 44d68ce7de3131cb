"""The types of the arguments of calls, from the schemas of tools.

Source: transformers, "Typing tool-call arguments".
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

Types = tuple[str, ...]
Tools = Mapping[str, Mapping[str, Types]]
"""The types of the parameters of tools, by both names."""


def tools_of(tools: Iterable[Mapping[str, Any]]) -> Tools:
    """Return the types of parameters, from a list of tools in OpenAI's format."""
    found: dict[str, Mapping[str, Types]] = {}
    for tool in tools:
        function = tool.get("function", tool) if isinstance(tool, Mapping) else None
        if isinstance(function, Mapping) and isinstance(name := function.get("name"), str):
            found[name] = types_of(function.get("parameters"))
    return found


def types_of(parameters: Any) -> Mapping[str, Types]:
    """Return the types of the parameters of a tool, from its JSON Schema."""
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    items = properties.items() if isinstance(properties, Mapping) else ()
    return {key: types for key, schema in items if (types := _types(schema))}


def cast(arguments: Mapping[str, Any], types: Mapping[str, Types]) -> dict[str, Any]:
    """Convert text arguments to the types of their schemas, if possible."""
    return {key: _cast_all(each, types[key]) if key in types else each for key, each in arguments.items()}


def typed(value: Any, tools: Tools) -> Any:
    """Convert the text arguments of calls in a region's value to the types of their schemas."""
    if not tools:
        return value
    if isinstance(value, list):
        return [typed(each, tools) for each in value]
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(function, dict) or not isinstance(arguments := function.get("arguments"), dict):
        return value
    name = function.get("name")
    known = tools.get(name) if isinstance(name, str) else None
    if not known:
        return value
    return {**value, "function": {**function, "arguments": cast(arguments, known)}}


def _types(schema: Any) -> Types:
    if not isinstance(schema, Mapping):
        return ()
    declared = schema.get("type")
    types = [declared] if isinstance(declared, str) else []
    if isinstance(declared, list):
        types += [each for each in declared if isinstance(each, str)]
    for union in ("anyOf", "oneOf"):
        for choice in schema.get(union) or []:
            types += _types(choice)
    if schema.get("nullable") and "null" not in types:
        types.append("null")
    return (*types,)


def _cast_all(value: Any, types: Types) -> Any:
    if isinstance(value, str):
        return _cast(value, types)
    if isinstance(value, list) and "array" not in types:
        return [_cast(each, types) if isinstance(each, str) else each for each in value]
    return value


def _cast(text: str, types: Types) -> Any:
    """Convert a text to the first type that fits, or return it unchanged."""
    for name in types:
        try:
            match name:
                case "integer":
                    return _integer(text)
                case "number":
                    number = float(text)
                    if math.isfinite(number):
                        return int(number) if number.is_integer() and "." not in text else number
                case "boolean":
                    if (word := text.strip().lower()) in ("true", "1", "false", "0"):
                        return word in ("true", "1")
                case "null":
                    if text.strip() in ("null", "None"):
                        return None
                case "object" | "array":
                    decoded = json.loads(text)
                    if isinstance(decoded, dict if name == "object" else list):
                        return decoded
        except (ValueError, OverflowError, RecursionError):
            continue
    return text


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():
            raise
        return int(number)
