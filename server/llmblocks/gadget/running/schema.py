"""What a JSON Schema says about the parameters of a gadget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import unquote

from llmblocks.gadget.reading.values import Expected
from llmblocks.gadget.syntax.pointer import ErrorKind, Parameters

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from pydantic import BaseModel

JsonSchema = Mapping[str, Any]
Invalid = Literal["missing", "unknown", "type", "choice", "constraint"]
"""Missing, not wanted, of another type, none of those allowed, or against another rule of the schema."""

_TYPES: dict[str, Expected] = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
_DEEPEST_REFERENCE = 50  # a `$ref` that leads to itself must end somewhere
_REMEMBERED = 1024


class Issue(NamedTuple):
    """One thing that keeps parameters from being used, at its pointer ("" is all of them)."""

    kind: Invalid | ErrorKind
    pointer: str
    message: str


class ParameterSchema:
    """A gadget's parameter schema, made ready once and used for many calls.

    Shape:  from a JSON Schema (draft 4 to 2020-12, as `$schema` says) or a pydantic model class.
    Errors: `ValueError` where it is no valid JSON Schema.
    """

    __slots__ = ("_expected", "_validator", "json", "model")

    def __init__(self, schema: JsonSchema | type[BaseModel]) -> None:
        self.model: type[BaseModel] | None = None
        if isinstance(schema, Mapping):
            self.json: JsonSchema = schema
        else:
            self.model = schema
            self.json = schema.model_json_schema()
        self._validator: Validator | None = None
        self._expected: dict[str, Expected] = {}

    def expected(self, pointer: str) -> Expected:
        """Which type decides the coercion at a pointer; "unknown" where the schema leaves it open.

        Source: llmist's executor, with zod's types read back from the JSON Schema that zod writes for them.
        """
        found = self._expected.get(pointer)
        if found is None:
            if len(self._expected) >= _REMEMBERED:
                self._expected.clear()  # pointers come from a model: there is no end of them
            found = self._expected[pointer] = _scalar(self.json, self.at(pointer), set())
        return found

    def at(self, pointer: str) -> JsonSchema | None:
        """The part of the schema that a pointer leads to, references followed; None where it leads nowhere."""
        current: JsonSchema | None = _plain(self.json, self.json)
        for segment in pointer.split("/") if pointer else ():
            current = _plain(self.json, _member(self.json, current, segment, set()))
        return current

    def with_defaults(self, parameters: Parameters) -> Parameters:
        """The parameters with every missing property that has a default, in new dicts and lists."""
        try:
            filled = _filled(self.json, self.json, parameters)
        except RecursionError:
            return parameters  # `issues` says so
        return filled if isinstance(filled, dict) else parameters

    def issues(self, parameters: Parameters) -> tuple[Issue, ...]:
        """Everything that the JSON Schema has against the parameters, in its order."""
        if self._validator is None:
            self._validator = _validator(self.json)
        return tuple(_issues(self._validator, parameters))


def _plain(root: JsonSchema, schema: object, depth: int = 0) -> JsonSchema | None:
    """Follow references, and leave out what only says that null will do."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST_REFERENCE:
        return None
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = _resolve(root, reference)
        return (
            _plain(root, {**target, **{k: v for k, v in schema.items() if k != "$ref"}}, depth + 1) if target else None
        )
    for word in ("anyOf", "oneOf"):
        members = schema.get(word)
        if isinstance(members, list):
            real = [member for member in members if not (isinstance(member, Mapping) and member.get("type") == "null")]
            if len(real) == 1:
                return _plain(root, real[0], depth + 1)
    members = schema.get("allOf")
    if isinstance(members, list) and len(members) == 1 and "properties" not in schema:
        return _plain(root, members[0], depth + 1)
    return schema


def _resolve(root: JsonSchema, reference: str) -> JsonSchema | None:
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return next((part for part in _identified(root) if part.get("$anchor") == reference[1:]), None)
    current: object = root
    for segment in reference[2:].split("/"):
        name = unquote(segment).replace("~1", "/").replace("~0", "~")
        if isinstance(current, Mapping) and name in current:
            current = current[name]
        elif isinstance(current, list) and name.isdigit() and int(name) < len(current):
            current = current[int(name)]
        else:
            return None
    return current if isinstance(current, Mapping) else None


def _identified(root: JsonSchema) -> Iterator[JsonSchema]:
    for word in ("$defs", "definitions"):
        parts = root.get(word)
        if isinstance(parts, Mapping):
            yield from (part for part in parts.values() if isinstance(part, Mapping))


def _member(root: JsonSchema, schema: JsonSchema | None, segment: str, seen: set[int]) -> object:
    """The schema of one property or element; `seen` are the parts of `allOf` that were asked already."""
    if schema is None:
        return None
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and segment in properties:
        return properties[segment]
    if segment.isascii() and segment.isdigit() and _is_array(schema):
        return _element(schema, int(segment[:9]))
    members = schema.get("allOf")
    if isinstance(members, list):
        found = [_member(root, _plain(root, member), segment, seen) for member in _unseen(members, seen)]
        known = [member for member in found if isinstance(member, Mapping)]
        if known:
            return known[0] if len(known) == 1 else {"allOf": known}
    patterns = schema.get("patternProperties")
    if isinstance(patterns, Mapping):
        import re

        for pattern, member in patterns.items():
            if re.search(pattern, segment):
                return member
    return schema.get("additionalProperties")


def _is_array(schema: JsonSchema) -> bool:
    kind = schema.get("type")
    return kind == "array" or (isinstance(kind, list) and "array" in kind) or (kind is None and "items" in schema)


def _element(schema: JsonSchema, index: int) -> object:
    items, prefix = schema.get("items"), schema.get("prefixItems")
    if isinstance(items, list):  # before 2020-12 a tuple was written so
        prefix, items = items, schema.get("additionalItems")
    if isinstance(prefix, list) and index < len(prefix):
        return prefix[index]
    return items


def _unseen(members: list[object], seen: set[int]) -> Iterator[object]:
    """The members that are not in `seen`, and put there: a schema may hold itself, and many times over."""
    for member in members:
        if id(member) not in seen:
            seen.add(id(member))
            yield member


def _scalar(root: JsonSchema, schema: JsonSchema | None, seen: set[int]) -> Expected:
    if schema is None:
        return "unknown"
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = {_TYPES.get(one, "unknown") for one in kind if one != "null"}
        return kinds.pop() if len(kinds) == 1 else "unknown"
    if isinstance(kind, str):
        return _TYPES.get(kind, "unknown")
    if "const" in schema:
        return _of_value(schema["const"])
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        kinds = {_of_value(choice) for choice in choices if choice is not None}
        return kinds.pop() if len(kinds) == 1 else "unknown"
    members = schema.get("allOf")
    if isinstance(members, list):
        found = {_scalar(root, _plain(root, member), seen) for member in _unseen(members, seen)}
        return found.pop() if len(found) == 1 else "string" if "string" in found else "unknown"
    return "unknown"


def _of_value(value: object) -> Expected:
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number" if isinstance(value, int | float) else "unknown"


def _filled(root: JsonSchema, schema: object, value: object) -> Any:
    plain = _plain(root, schema)
    if plain is None:
        return value
    if isinstance(value, list):
        return [_filled(root, _element(plain, place), item) for place, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    filled = {name: _filled(root, _member(root, plain, name, set()), item) for name, item in value.items()}
    for part in (plain, *(_plain(root, member) or {} for member in plain.get("allOf") or ())):
        properties = part.get("properties")
        for name, member in properties.items() if isinstance(properties, Mapping) else ():
            if name not in filled and isinstance(member, Mapping) and "default" in (_plain_default(root, member)):
                from copy import deepcopy

                filled[name] = deepcopy(_plain_default(root, member)["default"])
    return filled


def _plain_default(root: JsonSchema, member: JsonSchema) -> JsonSchema:
    return member if "default" in member else _plain(root, member) or {}


def _validator(schema: JsonSchema) -> Validator:
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
    from referencing import Registry

    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(dict(schema))
    except SchemaError as error:
        where = "/".join(map(str, error.absolute_path)) or "its top"
        raise ValueError(f"not a JSON Schema, at {where}: {error.message}") from error
    # A registry of its own: the default one fetches unknown references from the network.
    return kind(schema, registry=Registry())


_KINDS: dict[str, Invalid] = {
    "type": "type",
    "anyOf": "type",
    "oneOf": "type",
    "enum": "choice",
    "const": "choice",
    "required": "missing",
    "dependentRequired": "missing",
    "additionalProperties": "unknown",
    "unevaluatedProperties": "unknown",
}


def _issues(validator: Validator, parameters: Parameters) -> Iterator[Issue]:
    from referencing.exceptions import Unresolvable

    try:
        errors = list(validator.iter_errors(parameters))
    except Unresolvable as lost:
        raise ValueError(f"the schema refers to what is not in it: {lost}") from lost
    except RecursionError:
        yield Issue("constraint", "", "nested too deeply to be validated")
        return
    for error in errors:
        path = [str(part) for part in error.absolute_path]
        kind = _KINDS.get(str(error.validator), "constraint")
        if kind == "missing" and isinstance(error.instance, dict):
            names = [name for name in _required(error.validator_value) if error.message.startswith(repr(name))]
            path += names[:1]
        if kind != "unknown" or not isinstance(error.instance, dict):
            yield Issue(kind, "/".join(path), error.message)
            continue
        known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
        for name in error.instance:
            if name not in known and repr(name) in error.message:
                yield Issue(kind, "/".join([*path, name]), f"{name!r} is not a parameter")


def _required(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [name for names in value.values() for name in names]
    return list(value) if isinstance(value, list) else []
