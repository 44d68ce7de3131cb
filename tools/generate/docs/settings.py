"""The table of all settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from llmblocks.settings.schema import Schema

_NO_GROUP = "Files that build on others"
"""The title of the one setting in no group."""
_DEFAULT_SHOWN = 60
_TYPES = {"integer": "int", "number": "float", "boolean": "bool", "string": "str", "array": "tuple[str, ...]"}


def settings_table(settings: Schema) -> str:
    """Return all settings as Markdown: a table for each group."""
    groups: dict[str, list[str]] = {}
    for path, leaf in settings_in(settings, ()):
        title = settings["properties"][path[0]]["title"] if len(path) > 1 else _NO_GROUP
        groups.setdefault(title, []).append(_row(".".join(path), leaf))
    parts = [
        f"### {title}\n\n| setting | value | default | meaning |\n|---|---|---|---|\n{''.join(rows)}"
        for title, rows in groups.items()
    ]
    return "\n".join(parts)


def settings_fields(settings: Schema) -> str:
    """The fields of `Settings` for plain settings, as Python."""
    found = []
    for group in settings["properties"].values():
        for each in group.get("properties", {}).values():
            if "field" in each:
                kind, default = _TYPES[each["type"]], json.dumps(each["default"])
                if "enum" in each:
                    kind = f"Literal[{', '.join(map(json.dumps, each['enum']))}]"
                if each["type"] == "array":
                    default = f"({default[1:-1]},)"
                found.append(f"    {each['field']}: {kind} = {default.capitalize() if kind == 'bool' else default}\n")
    return "".join(found)


def settings_in(schema: Schema, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """Yield the settings, and what stands inside those with names that users choose: `*` is such a name."""
    if "properties" in schema:
        for name, each in schema["properties"].items():
            yield from settings_in(each, (*path, name))
        return
    yield path, schema
    inside = schema.get("additionalProperties")
    if inside and "properties" in inside:
        yield from settings_in(inside, (*path, "*"))


def _row(name: str, schema: Schema) -> str:
    meaning = schema["description"].removesuffix(".").replace("|", "\\|")
    return f"| `{name}` | {_kind(schema)} | {_default(schema)} | {meaning[0].lower()}{meaning[1:]} |\n"


def _kind(schema: Schema) -> str:
    """Return the accepted values in words."""
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if schema.get("format") == "content":
        return f"{_kind(schema['items'])}, or a list of alternatives"
    kind: str = schema["type"]
    if kind == "array":
        return f"list of {_kind(schema['items'])}s"
    if kind == "object":
        values = schema["additionalProperties"]
        return "table" if "properties" in values else f"table of {_plural(_kind(values))}"
    limits = f", at most {schema['maximum']:,}" if "maximum" in schema else ""
    return kind + limits


def _plural(words: str) -> str:
    first, _, rest = words.partition(" ")
    return words if words.startswith("`") else f"{first}s {rest}".rstrip()


def _default(schema: Schema) -> str:
    default: Any = schema.get("default")
    if schema.get("format") == "content":
        (default,) = default
    if default is None:
        return ""
    if isinstance(default, float):
        default = int(default) if default.is_integer() else default
    written = json.dumps(default, ensure_ascii=False)
    return f"`{written}`" if len(written) <= _DEFAULT_SHOWN else ", ".join(f"`{each}`" for each in default)
