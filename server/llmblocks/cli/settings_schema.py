"""The JSON Schemas of `llmblocks.toml` and `pyproject.toml`, generated from the model of the settings."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.rules.names import KNOWN
from llmblocks.settings.model import Model
from llmblocks.settings.nearest import TABLE

ID: Final = "https://json.schemastore.org/llmblocks.json"
_PYPROJECT: Final = "https://json.schemastore.org/pyproject.json"
_DRAFT: Final = "http://json-schema.org/draft-07/schema#"
_DEFINITION: Final = "#/$defs/"

Schema = dict[str, Any]


def settings_schema() -> Schema:
    """The schema of a settings file in the form of SchemaStore: draft 7, with rules and languages by name."""
    schema: Schema = _in_draft_7(Model.model_json_schema())
    definitions = schema.pop("$defs")
    return {
        "$schema": _DRAFT,
        "$id": ID,
        "title": "llmblocks",
        "description": "The settings of llmblocks, in llmblocks.toml or the table [tool.llmblocks] of pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": schema["properties"],
        "definitions": dict(sorted(definitions.items())),
    }


def pyproject_schema(url: str) -> Schema:
    """The schema of a `pyproject.toml`: the usual one, with our table. Shape: `url` is that of our schema."""
    ours: Schema = {"$ref": url}
    for name in reversed(TABLE):
        ours = {"type": "object", "properties": {name: ours}}
    return {"$schema": _DRAFT, "title": "pyproject.toml with llmblocks", "allOf": [{"$ref": _PYPROJECT}, ours]}


def _in_draft_7(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_in_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        name: _in_draft_7(each)
        for name, each in schema.items()
        # a title is the name of the setting again
        if not (name == "title" and isinstance(each, str)) and name not in ("rule", "language")
    }
    if "$ref" in found:
        found["$ref"] = found["$ref"].replace(_DEFINITION, "#/definitions/")
    if "anyOf" in found:
        # null says that the setting is not there, which TOML has no value for
        [one] = [each for each in found.pop("anyOf") if each != {"type": "null"}]
        found.pop("default", None)
        found = {**one, **found}
    if schema.get("rule") is True:
        return _rule_names(schema.get("type"))
    if schema.get("language") is True:
        return {"type": found["type"], "enum": list(KNOWN.languages)}
    return found


def _rule_names(kind: str | None) -> Schema:
    """The names of rules: all codes and names for completion, and any prefix of a code."""
    letters = "".join(sorted({code[0] for code in KNOWN.rules}))
    names = [*letters, *(each for rule in KNOWN.rules.items() for each in rule)]
    any_case = "".join(f"{letter}{letter.lower()}" for letter in letters)
    known: list[Schema] = [{"enum": names}, {"pattern": rf"^\s*[{any_case}]\d{{0,3}}\s*$"}]
    return {**({"type": kind} if kind else {}), "anyOf": known}
