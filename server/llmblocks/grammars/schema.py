"""JSON Schemas as grammars see them: the kinds of value that a schema allows, and the limits of each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, NamedTuple, TypeGuard

from llmblocks.grammars import expression as ex

_DEEPEST: Final = 16
_MOST_CHOICES: Final = 1000
MOST_CHARS: Final = 100
"""The longest limit of a length that a grammar counts."""
TYPES: Final = ("string", "integer", "number", "boolean", "null", "array", "object")
_READ: Final = frozenset(
    (
        *("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions", "nullable"),
        *("properties", "required", "additionalProperties", "items", "minItems", "maxItems"),
        *("minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *("title", "description", "default", "examples", "example", "$schema", "$id", "$comment", "deprecated"),
        *("readOnly", "writeOnly", "strict"),
    )
)
_OF_TYPE: Final = {
    "object": {"properties", "required"},
    "array": {"items", "minItems", "maxItems"},
    "string": {"minLength", "maxLength", "pattern"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
}


class ValueKind(NamedTuple):
    """One of the kinds of value that a schema allows."""

    type: str
    """A type of JSON Schema, or "choice" for the `values` that it lists."""
    schema: Mapping[str, Any]
    path: str
    values: tuple[Any, ...] = ()


class SchemaReader:
    """The schemas of one tool. `notes` collects what a grammar cannot do."""

    def __init__(self, root: Mapping[str, Any], notes: dict[str, None]) -> None:
        self._root = root
        self._notes = notes

    def kinds(self, schema: Any, path: str, depth: int = 0) -> list[ValueKind]:
        """Return the kinds of value that a schema allows. `path` is its place, for messages."""
        if schema is False or depth > _DEEPEST:
            return []
        if not isinstance(schema, Mapping):
            schema = {}
        if "$ref" in schema:
            return self.kinds(self._referred(schema["$ref"]), path, depth + 1)
        for key in schema:
            if key not in _READ:
                self.miss(path, key)
        for union in ("anyOf", "oneOf"):
            if isinstance(schema.get(union), list):
                rest = {key: each for key, each in schema.items() if key != union}
                parts = [self._merged(rest, each) for each in schema[union]]
                return [kind for each in parts for kind in self.kinds(each, path, depth + 1)]
        if isinstance(schema.get("allOf"), list):
            found: Mapping[str, Any] = {key: each for key, each in schema.items() if key != "allOf"}
            for each in schema["allOf"]:
                found = self._merged(found, each)
            return self.kinds(found, path, depth + 1)
        given = schema.get("type")
        types = [given] if isinstance(given, str) else [*given] if isinstance(given, list) else []
        if schema.get("nullable") is True and types:
            types.append("null")
        if "const" in schema or isinstance(schema.get("enum"), list):
            values = [schema["const"]] if "const" in schema else schema["enum"]
            kept = tuple([each for each in values if not types or _is_of(each, types)])
            return [ValueKind("choice", schema, path, kept)]
        return [ValueKind(each, schema, path) for each in types or _implied(schema) if each in TYPES]

    def properties(self, kind: ValueKind) -> list[tuple[str, Any, bool]]:
        """Return the properties of an object in order: name, schema, and whether it is required."""
        given = kind.schema.get("properties")
        properties = dict(given) if isinstance(given, Mapping) else {}
        required = kind.schema.get("required")
        needed = [each for each in required if isinstance(each, str)] if isinstance(required, list) else []
        for name in needed:
            properties.setdefault(name, {})
        return [(name, each, name in needed) for name, each in properties.items()]

    def counts(self, kind: ValueKind, least: str, most: str) -> tuple[int, int | None]:
        """Return the limits of a length."""
        low, high = kind.schema.get(least), kind.schema.get(most)
        found = low if isinstance(low, int) and low > 0 else 0, high if isinstance(high, int) else None
        for key, limit in zip((least, most), found, strict=True):
            if (limit or 0) > MOST_CHARS:
                self.miss(kind.path, key)
        return found if max(found[0], found[1] or 0) <= MOST_CHARS else (0, None)

    def text(self, kind: ValueKind) -> ex.Expression | None:
        """Return the texts that a pattern allows; None without a pattern that a grammar can express."""
        given = kind.schema.get("pattern")
        if not isinstance(given, str):
            return None
        try:
            if not (given.startswith("^") and given.endswith("$") and not given.endswith(r"\$")):
                raise ValueError("it is not about the whole text")
            found = ex.read(given[1:-1])
            if "|" in given and not re.fullmatch(r"\^\(.*\)\$", given):
                raise ValueError("its alternatives are not in a group")
        except ValueError:
            self.miss(kind.path, "pattern")
            return None
        for key in ("minLength", "maxLength"):
            if key in kind.schema:
                self.miss(kind.path, key)
        return found

    def number(self, kind: ValueKind) -> ex.Expression:
        """Return the numbers of a kind, as JSON writes them."""
        low, high = self._limit(kind, "inimum", 1), self._limit(kind, "aximum", -1)
        whole = kind.type == "integer"
        if whole and low is not None and high is not None and 0 <= high - low <= _MOST_CHOICES:
            return ex.texts(*[str(each) for each in range(low, high + 1)])
        if high is not None:
            self.miss(kind.path, "maximum")
        if low is not None and (low < 0 or low > 1 or (low == 1 and not whole)):
            self.miss(kind.path, "minimum")
        # no more digits than any reader keeps
        positive = f"[1-9][0-9]{{0,{14 if whole else 8}}}"
        least = positive if low is not None and low >= 1 else f"(?:0|{positive})"
        signed = least if low is not None and low >= 0 else f"(?:{least}|-{positive})"
        return ex.read(signed if whole else rf"{signed}(?:\.[0-9]{{1,6}})?")

    def miss(self, path: str, key: str) -> None:
        """Note a keyword that the grammar does not enforce."""
        self._notes.setdefault(f"{path}: `{key}` is not enforced")

    def _limit(self, kind: ValueKind, key: str, step: int) -> int | None:
        """Return a limit of a number, as a whole one."""
        for name, by in ((f"exclusiveM{key}", step), (f"m{key}", 0)):
            limit = kind.schema.get(name)
            if _is_number(limit):
                if limit == int(limit) and (not by or kind.type == "integer"):
                    return int(limit) + by
                self.miss(kind.path, name)
        return None

    def _referred(self, given: Any) -> Any:
        found: Any = self._root
        if not isinstance(given, str) or not given.startswith("#"):
            return {}
        for key in given[1:].strip("/").split("/") if given != "#" else ():
            key = key.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def _merged(self, one: Mapping[str, Any], other: Any) -> Mapping[str, Any]:
        while isinstance(other, Mapping) and "$ref" in other:
            other = self._referred(other["$ref"])
        if not isinstance(other, Mapping):
            return one
        properties = {**(one.get("properties") or {}), **(other.get("properties") or {})}
        required = [*(one.get("required") or []), *(other.get("required") or [])]
        merged = {"properties": properties, "required": required}
        return {**one, **other, **{key: each for key, each in merged.items() if each}}


def _implied(schema: Mapping[str, Any]) -> list[str]:
    """Return the types of a schema that names none."""
    return next(([name] for name, keys in _OF_TYPE.items() if not keys.isdisjoint(schema)), [*TYPES])


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_of(value: Any, types: list[Any]) -> bool:
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, int | float):
        return "number" in types or ("integer" in types and value % 1 == 0)
    kinds = {str: "string", type(None): "null", list: "array", dict: "object"}
    return kinds.get(type(value)) in types


def json_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
