"""The JSON Schema of the settings, as `make generate` writes it from `settings/model.py`, and their validation by it.

Not by the model: it would take 175 ms of processor time before the first settings file is checked (2026-11-28), and a
browser would load a compiled library of 1.5 MB.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import ge, gt, le
from typing import Any, Final, NamedTuple

from llmblocks.contents.content import ALONE

Schema = dict[str, Any]
SettingPath = tuple[str | int, ...]
"""The names and array indices that lead to a setting."""
Formats = Mapping[str, Callable[[Any], Any]]
"""The functions of formats. Each returns the value in force, None for the same; `ValueError` gives the requirement."""
FILE: Final = "schema.json"
KEYWORDS: Final = ("format", "field")
"""Our extensions: a `format` that JSON Schema lacks, and the field of `Settings` for the value."""


def published(schema: Schema) -> Schema:
    """Return a part of the schema in standard terms. A content's schema may be an object, too, its kind a text."""
    more: Schema = {"type": ["string", "object"]} if schema.get("format") == "schema" else {}
    if schema.get("format") == "content":
        one, (default,) = schema["items"], schema["default"]
        several = {**one, "enum": [each for each in one["enum"] if each not in ALONE]}
        lists = [
            {"type": "array", "items": one, "minItems": 1, "maxItems": 1},
            {"type": "array", "items": several, "minItems": 1},
        ]
        return {"description": schema["description"], "default": default, "anyOf": [one, *lists]}
    # a setting may have the name of one of our keywords
    return {name: each for name, each in {**schema, **more}.items() if name not in KEYWORDS or isinstance(each, dict)}


# a bundle may be an archive
SCHEMA: Final[Schema] = json.loads(pkgutil.get_data(__package__, FILE) or b"")


def fields() -> Iterator[tuple[str, str, Schema]]:
    """Yield the settings that are fields of `Settings`, with their group, name and schema."""
    for group, schema in SCHEMA["properties"].items():
        for name, each in schema.get("properties", {}).items():
            if "field" in each:
                yield group, name, each


def setting(path: Iterable[str | int]) -> Schema:
    """Return the schema of a setting or a group, or an empty one. A number is the index of an item."""
    found = SCHEMA
    for step in path:
        named = found.get("properties", {}).get(step, found.get("additionalProperties"))
        found = (found.get("items") if isinstance(step, int) else named) or {}
    return found


_TYPES: Final[dict[str, tuple[type | tuple[type, ...], str]]] = {
    "object": (dict, "an object"),
    "array": (list, "an array"),
    "string": (str, "a string"),
    "boolean": (bool, "true or false"),
    "integer": (int, "a valid integer"),
    "number": ((int, float), "a valid number"),
}
_LIMITS: Final[tuple[tuple[str, Callable[[Any], Any] | None, Callable[[Any, Any], bool], str], ...]] = (
    ("minLength", len, ge, "it must not be empty"),
    ("maxLength", len, le, "it must not have more than {} characters"),
    ("minItems", len, ge, "it must not be empty"),
    ("maxItems", len, le, "it must not have more than {} items"),
    ("maxProperties", len, le, "it must not have more than {} items"),
    ("minimum", None, ge, "it must be greater than or equal to {}"),
    ("exclusiveMinimum", None, gt, "it must be greater than {}"),
    ("maximum", None, le, "it must be less than or equal to {}"),
)


class Wrong(NamedTuple):
    path: SettingPath
    given: Any
    need: str
    """The requirement."""
    kind: str = ""
    """The format that it violates, or "unknown"."""
    is_name: bool = False
    """Whether a user has chosen this name."""


class SettingsValidation:
    """Takes the valid part of settings, and lists what is `wrong`."""

    def __init__(self, formats: Formats) -> None:
        self.wrong: list[Wrong] = []
        self._formats = formats

    def valid(self, schema: Schema, given: Any, path: SettingPath = (), *, is_name: bool = False) -> Any:
        """Return the valid part of a value as formats make it, or None."""
        kind, need = "", _need(schema, given)
        if not need:
            found = self._inside(schema, given, path)
            kind = schema.get("format", "")
            if found is None or kind not in self._formats:
                return found
            try:
                made = self._formats[kind](found)
                return found if made is None else made
            except ValueError as error:
                need = str(error)
        self.wrong.append(Wrong(path, given, need, kind, is_name))
        return None

    def _inside(self, schema: Schema, given: Any, path: SettingPath) -> Any:
        """Return the valid items of a list, which is invalid without any, or the valid settings of an object."""
        if isinstance(given, list):
            made = [self.valid(schema["items"], each, (*path, number)) for number, each in enumerate(given)]
            return [each for each in made if each is not None] or (None if given else [])
        if not isinstance(given, dict):
            return given
        known: Schema | None = schema.get("properties")
        names = {"type": "string", **schema.get("propertyNames", {})}
        found: dict[str, Any] = {}
        for name, each in given.items():
            inside = (*path, name)
            if known is not None and name not in known:
                self.wrong.append(Wrong(inside, each, "", "unknown"))
                continue
            key = name if known is not None else self.valid(names, name, inside, is_name=True)
            value = None
            if key is not None:
                value = self.valid(schema["additionalProperties"] if known is None else known[name], each, inside)
            if value is not None:
                # `/a/b` and `a/b` are one pattern
                found[key] = [*found.get(key, ()), *value] if isinstance(value, list) else value
        return found


def completed(schema: Schema, valid: Any) -> Any:
    if "properties" not in schema:
        inner = schema.get("additionalProperties", {})
        is_group = "properties" in inner
        return {name: completed(inner, each) for name, each in valid.items()} if is_group else valid
    found = {}
    for name, each in schema["properties"].items():
        if name in valid or "properties" in each:
            found[name] = completed(each, valid.get(name, {}))
        elif "default" in each:
            found[name] = each["default"]
    return found


def _need(schema: Schema, given: Any) -> str:
    """Return the requirement that a value itself violates; empty if it violates none."""
    if "enum" in schema:
        return "" if given in schema["enum"] else f"it must be {either(schema['enum'])}"
    kind, need = _TYPES[schema["type"]]
    # to Python, true is a number; NaN is not equal to itself
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool) or given != given:
        more = ", or an array of strings" if schema.get("format") == "content" else ""
        return f"it must be {'a string' if more else need}{more}"
    for name, measure, holds, words in _LIMITS:
        if name in schema and not holds(given if measure is None else measure(given), schema[name]):
            return words.format(schema[name])
    return ""


def either(words: Iterable[str]) -> str:
    *others, last = [f"'{word}'" for word in words] or ["one that there is"]
    return f"{', '.join(others)} or {last}" if others else last
