"""The check of schemas: each shape of their parts is validated against the metaschema once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from math import copysign
from typing import Any

from llmblocks.gadget.running.patterns import pattern

JsonSchema = Mapping[str, Any]
JsonPath = tuple[str | int, ...]

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items", "extends")
_PARTS = (
    *("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
    *("contains", "propertyNames", "not", "if", "then", "else"),
)
_HOLDERS = frozenset((*_MAPS, *_LISTS, *_PARTS))
_UNNAMED = ("then", "else", "definitions", "$defs")
"""Containers of schemas that are not keywords of the library."""
_NOTES = ("title", "description", "$comment")
_ANYTHING = ("default", "const")
_MOST_ODD = 10
_MOST_SHAPES = 4096


class InvalidSchemaError(ValueError):
    """The error of an invalid JSON Schema.

    Attributes:
        path: Leads to the invalid part.
    """

    def __init__(self, message: str, path: JsonPath = ()) -> None:
        super().__init__(message)
        self.path = path


class Metaschema:
    """The metaschema of one draft, with the accepted shapes of schemas.

    A schema of 20,000 parameters has few shapes. Validated as a whole, it takes seconds. `kind` is the validator class
    of the draft.
    """

    def __init__(self, kind: Any) -> None:
        from jsonschema import FormatChecker

        self._kind = kind
        self._holders = frozenset(
            [
                word
                for word in _HOLDERS
                if word in kind.VALIDATORS or (word in _UNNAMED and _has(kind.META_SCHEMA, word))
            ]
        )
        self._takes_booleans = "const" in kind.VALIDATORS
        self._accepted: set[str] = set()
        self._patterns = FormatChecker(())
        self._patterns.checkers = {"regex": (is_pattern, ())}

    def require(self, schema: JsonSchema) -> None:
        """Raise `InvalidSchemaError` for anything but a schema of the draft."""
        from jsonschema import SchemaError

        waiting: list[tuple[JsonPath, JsonSchema]] = [((), schema)]
        while waiting:
            path, part = waiting.pop()
            emptied, places = self._emptied(part)
            shape = json.dumps({name: _shape(name, value) for name, value in emptied.items()}, default=repr)
            if shape not in self._accepted:
                try:
                    self._kind.check_schema(emptied, format_checker=self._patterns)
                except SchemaError as error:
                    steps: list[str | int] = [*error.absolute_path]
                    if len(steps) > 1 and steps[0] in places:
                        steps[1] = places[str(steps[0])][int(steps[1])]
                    at = (*path, *steps)
                    where = "/".join(map(str, at)) or "its top"
                    raise InvalidSchemaError(f"not a JSON Schema, at {where}: {error.message}", at) from error
                if len(self._accepted) >= _MOST_SHAPES:
                    self._accepted.clear()
                self._accepted.add(shape)
            waiting += reversed([((*path, *steps), each) for steps, each in self._inside(part)])

    def _emptied(self, part: JsonSchema) -> tuple[dict[str, Any], dict[str, list[int]]]:
        """Return a schema without its subschemas, and the original places of the items left in its lists.

        At most ten items that are not schemas stay in a list or map.
        """
        found: dict[str, Any] = {}
        places: dict[str, list[int]] = {}
        for word, value in part.items():
            if word == "enum" and isinstance(value, list) and self._takes_booleans:
                found[word] = value[:1]
            elif word not in self._holders:
                found[word] = value
            elif isinstance(value, list) and word in _LISTS:
                odd = [at for at, each in enumerate(value) if not self._may_be_schema(each)][:_MOST_ODD]
                places[word] = odd or [0]
                found[word] = [value[at] for at in odd] or [{}] * bool(value)
            elif isinstance(value, Mapping) and word in _MAPS:
                any_name = word != "patternProperties"
                none = (
                    (name, each)
                    for name, each in value.items()
                    if not (self._may_be_schema(each) and (any_name or is_pattern(name)))
                )
                found[word] = dict(islice(none, _MOST_ODD))
            else:
                found[word] = {} if isinstance(value, Mapping) else value
        return found, places

    def _may_be_schema(self, value: object) -> bool:
        return isinstance(value, Mapping) or (self._takes_booleans and isinstance(value, bool))

    def _inside(self, part: JsonSchema) -> Iterator[tuple[JsonPath, JsonSchema]]:
        """Yield the direct subschemas of a schema, with their paths."""
        for word in filter(self._holders.__contains__, part):
            value = part[word]
            if isinstance(value, list) and word in _LISTS:
                yield from (((word, at), each) for at, each in enumerate(value) if isinstance(each, Mapping))
            elif isinstance(value, Mapping) and word in _MAPS:
                yield from (((word, name), each) for name, each in value.items() if isinstance(each, Mapping))
            elif isinstance(value, Mapping):
                yield (word,), value


def is_pattern(text: object) -> bool:
    """Return whether a value is not a text, or is a regular expression of JavaScript."""
    try:
        return not isinstance(text, str) or bool(pattern(text))
    except ValueError:
        return False


def _shape(word: str, value: Any) -> Any:
    """Return the part of a keyword that decides whether it is valid: not the text of a note or the size of a number."""
    if word in _ANYTHING or (word in _NOTES and isinstance(value, str)):
        return None
    if word == "examples" and isinstance(value, list):
        return []
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [
            type(value).__name__,
            value == int(value) if abs(value) < 2**53 else True,
            copysign(1, value),
            not value,
        ]
    return value


def _has(metaschema: Mapping[str, Any], word: str) -> bool:
    """Return whether a draft has a keyword. From 2019 on, the metaschema is in several files, and has all of them."""
    properties = metaschema.get("properties", {})
    return word in properties or "$vocabulary" in metaschema
