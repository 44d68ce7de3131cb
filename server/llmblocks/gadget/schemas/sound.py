"""Checked schemas: valid, self-contained, closed as in the runtime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from llmblocks.contract.markup import shortened
from llmblocks.gadget.running.metaschema import InvalidSchemaError, JsonPath, require_schema
from llmblocks.gadget.running.parts import as_float64, resolved

_LONGEST = 300
_OPEN_OR_JOINED = frozenset(
    ("additionalProperties", "unevaluatedProperties", "patternProperties", "anyOf", "oneOf", "if", "$ref")
)
"""Other keywords that may decide about unknown properties, besides `properties`."""
_NAMED = ("properties", "$defs", "definitions")
_INSIDE = (*_NAMED, "items", "prefixItems", "anyOf", "oneOf", "additionalProperties")


class UnsoundError(ValueError):
    """The reason why a schema cannot be used, with the path to the wrong part."""

    def __init__(self, reason: str, path: JsonPath) -> None:
        super().__init__(shortened(reason, _LONGEST))
        self.path = path


def require_sound(schema: Mapping[str, Any]) -> None:
    """Raise `UnsoundError` for anything but a JSON Schema whose references all lead to parts of it."""
    for path, reference in _references(schema):
        if not reference.startswith("#"):
            raise UnsoundError(f"`$ref` leads out of it, to {reference!r}: copy that schema into `$defs`", path)
        if resolved(schema, reference) is None:
            raise UnsoundError(f"`$ref` leads to {reference!r}, which is not in it", path)
    try:
        require_schema(as_float64(schema))
    except InvalidSchemaError as error:
        raise UnsoundError(str(error), error.path) from error
    except RecursionError:
        raise UnsoundError("it is nested too deeply", ()) from None


def _references(schema: object) -> Iterator[tuple[JsonPath, str]]:
    waiting: list[tuple[JsonPath, object]] = [((), schema)]
    while waiting:
        path, part = waiting.pop()
        if isinstance(part, Mapping):
            for word in ("$ref", "$dynamicRef", "$recursiveRef"):
                if isinstance(part.get(word), str):
                    yield (*path, word), part[word]
            waiting += [((*path, name), value) for name, value in part.items() if name not in ("enum", "const")]
        elif isinstance(part, list):
            waiting += [((*path, number), value) for number, value in enumerate(part)]


def closed(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema as the runtime reads it: an object that lists properties has no others.

    An object that decides about other properties stays unchanged, and so does a schema with `allOf`.

    Source: llmist, which makes zod objects of MCP's schemas.
    """
    return schema if "allOf" in _words(schema) else _closed(schema)


def _words(schema: object) -> set[str]:
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            found.update(part)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return found


def _closed(part: Any) -> Any:
    if not isinstance(part, Mapping):
        return part
    found = dict(part)
    for word in _INSIDE:
        inside = part.get(word)
        if isinstance(inside, list):
            found[word] = [_closed(each) for each in inside]
        elif isinstance(inside, Mapping):
            found[word] = {name: _closed(each) for name, each in inside.items()} if word in _NAMED else _closed(inside)
    if part.get("properties") and not any(word in part for word in _OPEN_OR_JOINED):
        found["additionalProperties"] = False
    return found
