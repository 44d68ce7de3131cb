"""The JSON Schemas of `llmblocks.toml` and `pyproject.toml`."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.rules.names import KNOWN
from llmblocks.settings.nearest import TABLE
from llmblocks.settings.schema import KEYWORDS, SCHEMA, Schema

ID: Final = "https://json.schemastore.org/llmblocks.json"
_PYPROJECT: Final = "https://json.schemastore.org/pyproject.json"
_DRAFT: Final = "http://json-schema.org/draft-07/schema#"


def settings_schema() -> Schema:
    """The schema of a settings file in the form of SchemaStore: draft 7, with rules and languages by name."""
    return {
        "$schema": _DRAFT,
        "$id": ID,
        "title": "llmblocks",
        "description": "The settings of llmblocks, in llmblocks.toml or the table [tool.llmblocks] of pyproject.toml.",
        **_published(SCHEMA),
    }


def pyproject_schema(url: str) -> Schema:
    """The schema of a `pyproject.toml`: the usual one, with our table. Shape: `url` is that of our schema."""
    ours: Schema = {"$ref": url}
    for name in reversed(TABLE):
        ours = {"type": "object", "properties": {name: ours}}
    return {"$schema": _DRAFT, "title": "pyproject.toml with llmblocks", "allOf": [{"$ref": _PYPROJECT}, ours]}


def _published(schema: Any) -> Any:
    """The schema in words that all know."""
    if isinstance(schema, list):
        return [*map(_published, schema)]
    if not isinstance(schema, dict):
        return schema
    if schema.get("is") == "rule":
        return _rule_names()
    if schema.get("is") == "language":
        return {"type": "string", "enum": [*KNOWN.languages]}
    return {name: _published(each) for name, each in schema.items() if name not in KEYWORDS}


def _rule_names() -> Schema:
    """The names of rules: all codes and names for completion, and any prefix of a code."""
    letters = "".join(sorted({code[0] for code in KNOWN.rules}))
    names = [*letters, *(each for rule in KNOWN.rules.items() for each in rule)]
    any_case = "".join(f"{letter}{letter.lower()}" for letter in letters)
    known: list[Schema] = [{"enum": names}, {"pattern": rf"^\s*[{any_case}]\d{{0,3}}\s*$"}]
    return {"type": "string", "anyOf": known}
