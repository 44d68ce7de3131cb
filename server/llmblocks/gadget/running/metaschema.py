"""The check of schemas: each shape of their parts is validated against the metaschema once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from llmblocks.gadget.running.parts import JsonSchema
from llmblocks.gadget.running.patterns import pattern

JsonPath = tuple[str | int, ...]
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_PARTS = (
    *("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
    *("contains", "propertyNames", "not", "if", "then", "else"),
)
_NOTES = ("title", "description", "$comment")


class InvalidSchemaError(ValueError):
    """The error of an invalid JSON Schema. `path` leads to the invalid part."""

    def __init__(self, message: str, path: JsonPath = ()) -> None:
        super().__init__(message)
        self.path = path


def require_schema(schema: JsonSchema) -> None:
    """Raise `InvalidSchemaError` for anything but a JSON Schema.

    A schema of 20,000 parameters has few shapes. Validated as a whole, it takes seconds.
    """
    from jsonschema import Draft3Validator, Draft4Validator, Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for

    kind: Any = validator_for(schema, default=Draft202012Validator)
    if kind is Draft3Validator:
        kind = Draft4Validator
    waiting: list[tuple[JsonPath, JsonSchema]] = [((), schema)]
    while waiting:
        path, part = waiting.pop()
        outline = json.dumps({word: _outline(word, value) for word, value in part.items()}, default=repr)
        if not _is_accepted(kind, outline):
            try:
                _check(kind, part)
            except SchemaError as error:
                at = (*path, *error.absolute_path)
                where = "/".join(map(str, at)) or "its top"
                raise InvalidSchemaError(f"not a JSON Schema, at {where}: {error.message}", at) from error
        waiting += reversed([((*path, *steps), each) for steps, each in _inside(part)])


@lru_cache(maxsize=4096)
def _is_accepted(kind: Any, outline: str) -> bool:
    from jsonschema import SchemaError

    try:
        _check(kind, json.loads(outline))
    except SchemaError:
        return False
    return True


def _check(kind: Any, part: JsonSchema) -> None:
    from jsonschema import FormatChecker

    patterns = FormatChecker(())
    patterns.checkers = {"regex": (is_pattern, ())}
    kind.check_schema(part, format_checker=patterns)


def is_pattern(text: object) -> bool:
    """Return whether a value is not a text, or is a regular expression of JavaScript."""
    try:
        return not isinstance(text, str) or bool(pattern(text))
    except ValueError:
        return False


def _outline(word: str, value: Any) -> Any:
    """Return a value that is valid for a keyword if and only if the given one is, apart from schemas in it."""
    if word in ("default", "const") or (word in _NOTES and isinstance(value, str)):
        return None if word in ("default", "const") else ""
    if isinstance(value, list) and word in ("enum", "examples"):
        return value[:1]
    if isinstance(value, list) and word in _LISTS:
        return [each for each in value if not _may_be_schema(each)] or [{}] * bool(value)
    if isinstance(value, Mapping) and word in _MAPS:
        return {
            name: each
            for name, each in value.items()
            if not (_may_be_schema(each) and (word != "patternProperties" or is_pattern(name)))
        }
    if isinstance(value, int | float) and not isinstance(value, bool):
        # its sign, and whether it is whole
        return ((value > 0) - (value < 0)) * (1 if float(value).is_integer() else 0.5)
    return {} if isinstance(value, Mapping) and word in _PARTS else value


def _may_be_schema(value: object) -> bool:
    return isinstance(value, Mapping | bool)


def _inside(part: JsonSchema) -> Iterator[tuple[JsonPath, JsonSchema]]:
    """Yield the direct subschemas of a schema, with their paths."""
    for word, value in part.items():
        if isinstance(value, list) and word in _LISTS:
            yield from (((word, at), each) for at, each in enumerate(value) if isinstance(each, Mapping))
        elif isinstance(value, Mapping) and word in _MAPS:
            yield from (((word, name), each) for name, each in value.items() if isinstance(each, Mapping))
        elif isinstance(value, Mapping) and word in _PARTS:
            yield (word,), value
