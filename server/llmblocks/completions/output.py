"""The message made from the values of regions, with the types of arguments from the schemas of tools.

Source: transformers, "Typing tool-call arguments".
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from llmblocks.completions.content import Malformed, value_of
from llmblocks.completions.template import Template, TemplateField

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


class MessageValues:
    """The values of a message, by field name."""

    def __init__(self, template: Template, tools: Tools) -> None:
        self._template = template
        self._tools = tools
        self.values: dict[str, Any] = deepcopy(dict(template.defaults))

    def add(self, field: TemplateField, text: str, captures: Mapping[str, str]) -> tuple[Any, Malformed | None]:
        """Read a region; return its value, or the reason why it has none."""
        value, malformed = value_of(field, text, captures)
        if malformed is not None:
            return None, malformed
        value, values = typed(value, self._tools), self.values
        if field.join is not None:
            if not isinstance(value, str):
                return None, Malformed("only texts can be joined", 0, len(text))
            before = values.get(field.name)
            values[field.name] = value if before is None else before + field.join + value
        elif field.repeats:
            values.setdefault(field.name, []).append(value)
        else:
            values[field.name] = value
        return value, None

    def missing(self) -> list[str]:
        """Return the required fields without a value."""
        return [each.name for each in self._template.fields if not each.optional and each.name not in self.values]

    def message(self) -> dict[str, Any]:
        """Return the values without the empty ones. Fields in the template's defaults always stay."""
        kept = self._template.defaults
        return {name: value for name, value in self.values.items() if name in kept or value not in (None, "", [], {})}
