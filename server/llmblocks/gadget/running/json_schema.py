"""JSON Schemas: whether they are valid, and their parts; and what llmist understands of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

from llmblocks.contract.markup import shortened
from llmblocks.gadget.running.patterns import matcher, pattern
from llmblocks.gadget.syntax.values import Expected, finite

JsonSchema = Mapping[str, Any]
_COERCED: dict[str, Expected] = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
_OF_VALUES: dict[type, Expected] = {bool: "boolean", str: "string", int: "number", float: "number"}
_DEEPEST_REFERENCE = 50  # a `$ref` may lead to itself
_EXACT = 2**53
JsonPath = tuple[str | int, ...]
_MAPS = ("properties", "patternProperties", "$defs", "definitions")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_PARTS = ("items", "additionalItems", "additionalProperties", "propertyNames", "not", "if", "then", "else")
_WORDS = frozenset((*_MAPS, *_LISTS, *_PARTS))
_TYPES = ("string", "number", "integer", "boolean", "null", "array", "object")
_NUMBERS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
)
_LONGEST = 300


class InvalidSchemaError(ValueError):
    """The error of an invalid JSON Schema. `path` leads to the invalid part."""

    def __init__(self, message: str, path: JsonPath = ()) -> None:
        super().__init__(shortened(message, _LONGEST))
        self.path = path


def require_schema(schema: JsonSchema) -> None:
    """Raise `InvalidSchemaError` for anything but a JSON Schema whose references all lead to parts of it."""
    roots: list[tuple[JsonPath, JsonSchema]] = [((), schema)]
    known: set[int] = set()
    # a reference may lead to a part that no keyword of JSON Schema holds
    for start, root in roots:
        for below, part in subschemas(root) if id(root) not in known else ():
            known.add(id(part))
            for word, value in part.items():
                at = (*start, *below, word)
                if shape := _lacking(word, value):
                    reason = f"not a JSON Schema, at {'/'.join(map(str, at))}: {value!r} is not {shape}"
                    raise InvalidSchemaError(reason, at)
                if word != "$ref":
                    continue
                target = resolved(schema, value)
                if target is None:
                    reason = f"`$ref` leads to {value!r}, which is not in it: copy that schema into `$defs`"
                    raise InvalidSchemaError(reason, at)
                if isinstance(target, Mapping):
                    roots.append(((*value[2:].split("/"),), target))


def subschemas(schema: JsonSchema, words: Collection[str] = _WORDS) -> Iterator[tuple[JsonPath, JsonSchema]]:
    """Yield a schema and those inside of it, with their paths, in order; only those that some words hold."""
    waiting: list[tuple[JsonPath, JsonSchema]] = [((), schema)]
    while waiting:
        path, part = waiting.pop()
        yield path, part
        inside: list[tuple[JsonPath, Any]] = []
        for word, value in part.items():
            if isinstance(value, list) and word in _LISTS and word in words:
                inside += [((*path, word, at), each) for at, each in enumerate(value)]
            elif isinstance(value, Mapping) and word in _MAPS and word in words:
                inside += [((*path, word, name), each) for name, each in value.items()]
            elif word in _PARTS and word in words:
                inside.append(((*path, word), value))
        waiting += reversed([each for each in inside if isinstance(each[1], Mapping)])


def is_pattern(text: object) -> bool:
    """Return whether a value is not a text, or is a regular expression of JavaScript."""
    try:
        return not isinstance(text, str) or bool(pattern(text))
    except ValueError:
        return False


_SHAPES: Final[dict[str, tuple[str, Any]]] = {
    **dict.fromkeys(_MAPS, ("an object", Mapping)),
    **dict.fromkeys((*_LISTS, "enum", "required"), ("a list", list)),
    **dict.fromkeys(_PARTS, ("a schema", Mapping | bool)),
    "items": ("a schema, or a list", Mapping | bool | list),
    **dict.fromkeys(("$ref", "format", "pattern"), ("a text", str)),
    **dict.fromkeys(_NUMBERS, ("a number", int | float)),
}
"""The words for the type that the value of a keyword must have, and the type."""


def _lacking(word: str, value: Any) -> str:
    """Return the shape that the value of a keyword must have, or an empty text if it has it."""
    shape, kind = _SHAPES.get(word, ("", object))
    if not isinstance(value, kind):
        return shape
    inside = value.values() if word in _MAPS else value if word in _LISTS and isinstance(value, list) else ()
    if not all(isinstance(each, Mapping | bool) for each in inside):
        return f"{shape} of schemas"
    if word == "required" and not all(isinstance(each, str) for each in value):
        return "a list of names"
    kinds = value if isinstance(value, list) else [value]
    if word == "type" and not (kinds and all(each in _TYPES for each in kinds)):
        return "a type, or a list of types"
    patterns = value if word == "patternProperties" else [value] if word == "pattern" else ()
    return "" if all(map(is_pattern, patterns)) else "a regular expression of JavaScript"


def resolved(root: JsonSchema, reference: str) -> Any:
    """Return the schema, an object or a boolean, that a reference leads to, or None."""
    if not reference.startswith("#/"):
        return root if reference == "#" else None
    current: object = root
    for segment in reference[2:].split("/"):
        name = unquote(segment).replace("~1", "/").replace("~0", "~")
        if isinstance(current, Mapping) and name in current:
            current = current[name]
        elif isinstance(current, list) and name.isdigit() and int(name) < len(current):
            current = current[int(name)]
        else:
            return None
    return current if isinstance(current, Mapping | bool) else None


def plain(root: JsonSchema, schema: object, depth: int = 0) -> JsonSchema | None:
    """Follow references, and drop alternatives that only allow null."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST_REFERENCE:
        return None
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = resolved(root, reference)
        if not isinstance(target, Mapping):
            return None
        return plain(root, {**target, **{k: v for k, v in schema.items() if k != "$ref"}}, depth + 1)
    for word in ("anyOf", "oneOf"):
        only = only_member(schema.get(word))
        if only is not None:
            return plain(root, schema[word][only], depth + 1)
    members = schema.get("allOf")
    if isinstance(members, list) and len(members) == 1 and "properties" not in schema:
        return plain(root, members[0], depth + 1)
    return schema


def only_member(members: object) -> int | None:
    """Return the index of the only member of a union that is not null; None for other unions."""
    if not isinstance(members, list):
        return None
    real = (at for at, each in enumerate(members) if not (isinstance(each, Mapping) and each.get("type") == "null"))
    first, second = next(real, None), next(real, None)
    return first if second is None else None


def member(root: JsonSchema, schema: JsonSchema | None, segment: str, seen: set[int] | None = None) -> object:
    """Return the schema of a property or element. `seen` has the parts of `allOf` already searched."""
    if schema is None:
        return None
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and segment in properties:
        return properties[segment]
    kind = schema.get("type")
    is_array = kind == "array" or (isinstance(kind, list) and "array" in kind) or (kind is None and "items" in schema)
    if is_array and segment.isascii() and segment.isdigit():
        listed, rest = elements(schema)
        return listed[int(segment[:9])] if int(segment[:9]) < len(listed) else rest
    seen = set() if seen is None else seen
    found = [member(root, plain(root, each), segment, seen) for each in _unseen(schema.get("allOf"), seen)]
    known = [each for each in found if isinstance(each, Mapping)]
    if known:
        return known[0] if len(known) == 1 else {"allOf": known}
    patterns = schema.get("patternProperties")
    for source, part in patterns.items() if isinstance(patterns, Mapping) else ():
        if matcher(source)(segment):
            return part
    return schema.get("additionalProperties")


def is_tuple(schema: JsonSchema) -> bool:
    """Return whether a schema lists the elements of an array individually."""
    return "prefixItems" in schema or isinstance(schema.get("items"), list)


def elements(schema: JsonSchema) -> tuple[list[Any], Any]:
    """Return the schemas of the listed elements of an array, and the schema of all others."""
    if "prefixItems" in schema:
        return schema["prefixItems"], schema.get("items", True)
    if is_tuple(schema):  # in drafts before 2020-12
        return schema["items"], schema.get("additionalItems", True)
    return [], schema.get("items", True)


def is_listed(schema: JsonSchema | None, segment: str) -> bool:
    """Return whether a segment of a pointer does not lead to an element after the listed ones of a tuple."""
    if schema is None or not is_tuple(schema):
        return True
    return segment.isdecimal() and int(segment[:9]) < len(elements(schema)[0])


def _unseen(members: object, seen: set[int]) -> Iterator[object]:
    """Yield the members that are not in `seen`, and add them: a schema may contain itself many times."""
    for each in members if isinstance(members, list) else ():
        if id(each) not in seen:
            seen.add(id(each))
            yield each


def scalar(root: JsonSchema, schema: JsonSchema | None, seen: set[int]) -> Expected:
    """Return the type of the values of a schema. `seen` has the parts of `allOf` already searched."""
    found: set[Expected] = set()
    choices = [] if schema is None else [schema["const"]] if "const" in schema else schema.get("enum")
    if schema is not None and (kinds := schema.get("type")) is not None:
        found = {
            _COERCED.get(each, "unknown") for each in (kinds if isinstance(kinds, list) else [kinds]) if each != "null"
        }
    elif isinstance(choices, list) and choices:
        found = {_OF_VALUES.get(type(each), "unknown") for each in choices if each is not None}
    elif schema is not None:
        found = {scalar(root, plain(root, each), seen) for each in _unseen(schema.get("allOf"), seen)}
        if len(found) > 1 and "string" in found:
            return "string"
    return found.pop() if len(found) == 1 else "unknown"


def as_float64(part: Any) -> Any:
    """Copy a schema, with its integers as JavaScript reads them."""
    if isinstance(part, Mapping):
        return {name: as_float64(value) for name, value in part.items()}
    if isinstance(part, list):
        return [as_float64(value) for value in part]
    if isinstance(part, int) and abs(part) > _EXACT:
        # beyond float64, JavaScript has infinities
        return finite(f"{part:d}") if abs(part) < 10**308 else float("inf") * (1 if part > 0 else -1)
    return part


_NULL: Final = {"enum": [None]}
"""A null in a union. It differs from a nullable value: llmist does not type a value of a union."""


def understood(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of an MCP tool as llmist's jsonSchemaToZod reads it, as JSON Schema; None if it refuses it."""
    try:
        found = _of(schema)
    except (ValueError, RecursionError):
        return None
    return found if found.get("type") == "object" else {}


def _of(schema: object) -> dict[str, Any]:
    """Return the reading of a schema; raise `ValueError` if llmist refuses it."""
    if not isinstance(schema, Mapping):
        return {}
    if schema.get("$ref") or schema.get("allOf"):
        raise ValueError
    found = _plain(schema)
    if schema.get("nullable") is True and found.get("type") != "null":
        found = {"anyOf": [found, {"type": "null"}]}
    return {**found, "default": schema["default"]} if "default" in schema else found


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    kind, values = schema.get("type"), schema.get("enum")
    if isinstance(kind, list):
        kind = kind[0] if kind else None
    members = schema.get("anyOf") if schema.get("oneOf") is None else schema["oneOf"]
    match kind:
        case _ if members:
            if not isinstance(members, list) or len(members) < 2:
                raise ValueError
            return {"anyOf": [_NULL if each == {"type": "null"} else each for each in map(_of, members)]}
        case None | "string" if isinstance(values, list):
            if not values:
                raise ValueError
            if all(isinstance(value, str) for value in values):
                return {"type": "string", "enum": values}
            return {"const": values[0]} if len(values) == 1 else {"anyOf": [{"enum": [value]} for value in values]}
        case None:
            return {}
        case "array":
            if isinstance(schema.get("items"), list):
                raise ValueError
            return {"type": "array", "items": _of(schema.get("items"))}
        case "object":
            properties, required = schema.get("properties"), schema.get("required")
            if not (properties and isinstance(properties, Mapping)):
                return {"type": "object", "propertyNames": {"type": "string"}}
            needed = {each for each in required if isinstance(each, str)} if isinstance(required, list) else ()
            return {
                "type": "object",
                "properties": {name: _of(each) for name, each in properties.items()},
                "required": [name for name in properties if name in needed],
                "additionalProperties": False,
            }
        case _ if kind in _TYPES:
            return {"type": kind}
    raise ValueError
