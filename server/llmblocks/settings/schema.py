"""The JSON Schema of the settings, as `make generate` writes it from `settings/model.py`."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterable, Iterator
from typing import Any, Final

from llmblocks.contents.content import ALONE

Schema = dict[str, Any]
FILE: Final = "schema.json"
KEYWORDS: Final = ("format", "field")
"""Our extensions: a `format` that JSON Schema lacks, and the field of `Settings` for the value."""


def published(schema: Schema) -> Schema:
    """Return a part of the schema in standard terms.

    The schema of a content may also be an object, and its kind a text.
    """
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
