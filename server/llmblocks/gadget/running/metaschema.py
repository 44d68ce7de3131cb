"""The check of schemas: each shape of their parts is validated against the metaschema once."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from llmblocks.contract.markup import shortened
from llmblocks.gadget.running.parts import REFERENCES, JsonSchema, as_float64, resolved
from llmblocks.gadget.running.patterns import pattern

JsonPath = tuple[str | int, ...]
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_PARTS = (
    *("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
    *("contains", "propertyNames", "not", "if", "then", "else"),
)
_WORDS = frozenset((*_MAPS, *_LISTS, *_PARTS))
_LONGEST = 300
_NOTES = ("title", "description", "$comment")


class InvalidSchemaError(ValueError):
    """The error of an invalid JSON Schema. `path` leads to the invalid part."""

    def __init__(self, message: str, path: JsonPath = ()) -> None:
        super().__init__(shortened(message, _LONGEST))
        self.path = path


def require_sound(schema: JsonSchema) -> None:
    """Raise `InvalidSchemaError` for anything but a JSON Schema whose references all lead to parts of it."""
    for path, part in subschemas(schema):
        for word in REFERENCES:
            reference, at = part.get(word), (*path, word)
            if isinstance(reference, str) and not reference.startswith("#"):
                reason = f"`$ref` leads out of it, to {reference!r}: copy that schema into `$defs`"
                raise InvalidSchemaError(reason, at)
            if isinstance(reference, str) and resolved(schema, reference) is None:
                raise InvalidSchemaError(f"`$ref` leads to {reference!r}, which is not in it", at)
    try:
        require_schema(as_float64(schema))
    except RecursionError:
        raise InvalidSchemaError("it is nested too deeply") from None


def require_schema(schema: JsonSchema) -> None:
    """Raise `InvalidSchemaError` for anything but a JSON Schema.

    A schema of 20,000 parameters has few shapes. Validated as a whole, it takes seconds.
    """
    from jsonschema import Draft3Validator, Draft4Validator, Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for

    kind: Any = validator_for(schema, default=Draft202012Validator)
    if kind is Draft3Validator:
        kind = Draft4Validator
    for path, part in subschemas(schema):
        outline = json.dumps({word: _outline(word, value) for word, value in part.items()}, default=repr)
        if not _is_accepted(kind, outline):
            try:
                _check(kind, part)
            except SchemaError as error:
                at = (*path, *error.absolute_path)
                where = "/".join(map(str, at)) or "its top"
                raise InvalidSchemaError(f"not a JSON Schema, at {where}: {error.message}", at) from error


def subschemas(schema: JsonSchema, words: Collection[str] = _WORDS) -> Iterator[tuple[JsonPath, JsonSchema]]:
    """Yield a schema and those inside of it, with their paths, in order; only those that some words hold."""
    waiting: list[tuple[JsonPath, JsonSchema]] = [((), schema)]
    while waiting:
        path, part = waiting.pop()
        yield path, part
        inside: list[tuple[JsonPath, Any]] = []
        for word, value in part.items():
            if isinstance(value, list) and word in _LISTS and word in words:
                inside += [((*path, word, at), each) for at, each in enumerate(value)]
            elif isinstance(value, Mapping) and word in _MAPS and word in words:
                inside += [((*path, word, name), each) for name, each in value.items()]
            elif word in _PARTS and word in words:
                inside.append(((*path, word), value))
        waiting += reversed([each for each in inside if isinstance(each[1], Mapping)])


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
