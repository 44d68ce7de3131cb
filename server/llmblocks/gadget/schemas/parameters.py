"""The parameters of a gadget, as its schema describes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from llmblocks.contract.markup import code, listed, shortened
from llmblocks.gadget.running.schema import ParameterSchema

_MOST = 200


class Parameter(NamedTuple):
    """A parameter, or a value inside one."""

    pointer: str
    kind: str
    """Its type, in words."""
    description: str
    required: bool
    choices: tuple[str, ...]
    """The allowed values as written; empty if others are allowed."""
    holds: str = ""
    """Whether it is an object or an array."""

    @property
    def summary(self) -> str:
        """Describe it in one sentence."""
        first = f"{'Required' if self.required else 'Optional'}: {self.kind}"
        return f"{first}. {self.description}" if self.description else f"{first}."


def parameters_of(schema: ParameterSchema, pointer: str = "") -> list[Parameter]:
    """Return the members of the object at a pointer, the required ones first."""
    found: dict[str, Parameter] = {}
    for part in _parts(schema, pointer):
        properties, required = part.get("properties"), part.get("required")
        for name in [*properties][:_MOST] if isinstance(properties, Mapping) else ():
            inside = f"{pointer}/{name}" if pointer else name
            found.setdefault(name, _parameter(schema, inside, isinstance(required, list) and name in required))
    return sorted(found.values(), key=lambda each: not each.required)


def parameter_at(schema: ParameterSchema, pointer: str) -> Parameter | None:
    """Return the parameter at a pointer; None if the schema lacks it."""
    if schema.at(pointer) is None:
        return None
    above, _, name = pointer.rpartition("/")
    required = [part["required"] for part in _parts(schema, above) if isinstance(part.get("required"), list)]
    return _parameter(schema, pointer, any(name in each for each in required))


def _parts(schema: ParameterSchema, pointer: str) -> list[Mapping[str, Any]]:
    """Return the schema at a pointer, and its alternatives and conjuncts."""
    part = schema.at(pointer)
    if part is None:
        return []
    members = part.get("allOf")
    return [part, *[each for each in members if isinstance(each, Mapping)]] if isinstance(members, list) else [part]


def _parameter(schema: ParameterSchema, pointer: str, required: bool) -> Parameter:
    part = schema.at(pointer) or {}
    description = part.get("description") or part.get("title")
    choices = part.get("enum", [part["const"]] if "const" in part else [])
    written = [_written(each) for each in choices] if isinstance(choices, list) else []
    kind = part.get("type")
    kinds = [each for each in (kind if isinstance(kind, list) else [kind]) if isinstance(each, str) and each != "null"]
    if kinds == ["boolean"] and not written:
        written = ["true", "false"]
    holds = next((each for each in ("object", "array") if each in kinds), "")
    if not holds and not kinds:
        holds = "object" if "properties" in part else "array" if "items" in part else ""
    text = shortened(description, 1000) if isinstance(description, str) else ""
    return Parameter(pointer, _kind(kinds, written, holds, part), text, required, (*written[:_MOST],), holds)


def _kind(kinds: list[str], choices: list[str], holds: str, part: Mapping[str, Any]) -> str:
    if choices and kinds != ["boolean"]:
        return f"one of {listed([*map(code, choices)])}"
    words = " or ".join(kinds) or holds or "any value"
    limits = [f"{name} {part[key]}" for name, key in _LIMITS if isinstance(part.get(key), int | float)]
    default = f"default {code(_written(part['default']))}" if "default" in part else ""
    return ", ".join(filter(None, [words, *limits, default]))


_LIMITS = (
    ("at least", "minimum"),
    ("at most", "maximum"),
    ("at least this long:", "minLength"),
    ("at most this long:", "maxLength"),
)


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
