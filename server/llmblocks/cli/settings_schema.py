"""The JSON Schema of `llmblocks.toml`."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.languages.registry import language_ids
from llmblocks.settings.rule_names import titles
from llmblocks.settings.schema import Schema, published

ID: Final = "https://json.schemastore.org/llmblocks.json"
DRAFT: Final = "http://json-schema.org/draft-07/schema#"


def settings_schema(settings: Schema) -> Schema:
    """Return the schema of a settings file in the form of SchemaStore: draft 7, with rules and languages by name.

    `settings` is the schema that validates them.
    """
    return {
        "$schema": DRAFT,
        "$id": ID,
        "title": "llmblocks",
        "description": "The settings of llmblocks, in llmblocks.toml or the table [tool.llmblocks] of pyproject.toml.",
        **_published(settings),
        "definitions": {"Rule": _rule()},
    }


def _published(schema: Any) -> Any:
    """Return the schema in standard terms."""
    if isinstance(schema, list):
        return [*map(_published, schema)]
    if not isinstance(schema, dict):
        return schema
    if schema.get("format") == "rule":
        return {"$ref": "#/definitions/Rule"}
    if schema.get("format") == "language":
        return {"type": "string", "enum": [*language_ids()]}
    return {name: _published(each) for name, each in published(schema).items()}


def _rule() -> Schema:
    """Return the schema of a rule's name: any prefix of a code, with all codes and names for completion."""
    known_names = titles()
    any_case = "".join(f"{name}{name.lower()}" for name in known_names if len(name) == 1)
    # Taplo's and Even Better TOML's keywords for texts beside a value
    shown = {
        "docs": {"enumValues": [text for text, _ in known_names.values()]},
        "links": {"enumValues": [page for _, page in known_names.values()]},
    }
    known: list[Schema] = [{"enum": [*known_names], "x-taplo": shown}, {"pattern": rf"^\s*[{any_case}]\d{{0,3}}\s*$"}]
    return {"type": "string", "anyOf": known}
