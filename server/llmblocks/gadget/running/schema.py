"""The schema of a gadget's parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from llmblocks.gadget.running.bounds import Bounds, TooComplexError, only_member
from llmblocks.gadget.running.keywords import parts_of
from llmblocks.gadget.running.matching import matcher
from llmblocks.gadget.running.mcp import understood
from llmblocks.gadget.running.metaschema import JsonSchema
from llmblocks.gadget.running.validation import (
    TOO_COMPLEX,
    TOO_DEEP,
    Issue,
    as_float64,
    issues,
    make_validator,
)
from llmblocks.gadget.running.words import is_tuple
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.values import Expected

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from pydantic import BaseModel

_TYPES: dict[str, Expected] = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
_DEEPEST_REFERENCE = 50  # a `$ref` may lead to itself
_REMEMBERED = 1024
_NONE = object()
_Path = tuple[str, ...]


class Checked(NamedTuple):
    """The parameters for a gadget, with the forbidden pointers and the errors."""

    parameters: Parameters
    ignored: tuple[str, ...]
    issues: tuple[Issue, ...]
    of_server: tuple[Issue, ...] = ()
    """The errors of an MCP tool's schema that llmist does not check: it sends the call."""


class ParameterSchema:
    """A gadget's parameter schema, prepared once and used for many calls.

    It is made from a JSON Schema (draft 4 to 2020-12, chosen by `$schema`) or a pydantic model class; anything else
    raises `TypeError`, and `check` raises `ValueError` for an invalid JSON Schema. If `timed`, patterns run in another
    process, and one that takes too long matches: for editors, which show what they find. With `mcp`, it is the schema
    of an MCP tool, of which llmist reads a part.
    """

    __slots__ = ("_bounds", "_expected", "_parts", "_runtime", "_timed", "_validator", "json", "model")

    def __init__(self, schema: JsonSchema | type[BaseModel], *, timed: bool = False, mcp: bool = False) -> None:
        self._timed = timed
        self.model: type[BaseModel] | None = None
        if isinstance(schema, Mapping):
            self.json: JsonSchema = as_float64(schema)
        elif isinstance(schema, type) and hasattr(schema, "model_json_schema"):
            self.model = schema
            self.json = schema.model_json_schema()
        else:
            how = ": read it with json.loads first" if isinstance(schema, str | bytes) else ""
            raise TypeError(
                f"a schema is a JSON Schema as a dict, or a pydantic model class, not {type(schema).__name__}{how}"
            )
        read = understood(self.json) if mcp and self.model is None else None
        self._runtime = None if read is None else ParameterSchema(read, timed=timed)
        self._bounds = Bounds()
        self._validator: Validator | None = None
        self._expected: dict[str, Expected] = {}
        self._parts: dict[str, JsonSchema | None] = {}

    def expected(self, pointer: str) -> Expected:
        """Return the type that decides the coercion at a pointer; "unknown" if the schema leaves it open.

        Source: llmist's executor, with zod's types recovered from the JSON Schema that zod writes for them.
        """
        if self._runtime is not None:
            return self._runtime.expected(pointer)
        found = self._expected.get(pointer)
        if found is None:
            if len(self._expected) >= _REMEMBERED:
                self._expected.clear()  # pointers come from a model: their number is unbounded
            part = None if self._is_behind_tuple(pointer) else self.at(pointer)
            found = self._expected[pointer] = _scalar(self.json, part, set())
        return found

    def _is_behind_tuple(self, pointer: str) -> bool:
        """Return whether a pointer leads beyond the listed elements of a tuple, or below.

        llmist does not type these.
        """
        segments = pointer.split("/")
        for count, segment in enumerate(segments):
            around = self.at("/".join(segments[:count]))
            if around is None:
                return False
            if is_tuple(around) and not (segment.isdecimal() and int(segment[:9]) < len(parts_of(around)[0])):
                return True
        return False

    def at(self, pointer: str) -> JsonSchema | None:
        """Return the part of the schema at a pointer, with references followed, or None."""
        if len(self._parts) >= _REMEMBERED:
            self._parts.clear()
        parts, path = self._parts, ""
        if "" not in parts:
            parts[""] = _plain(self.json, self.json)
        current = parts[""]
        for segment in pointer.split("/") if pointer else ():
            path += f"/{segment}"
            if path not in parts:
                parts[path] = _plain(self.json, _member(self.json, current, segment, set()))
            current = parts[path]
        return current

    def check(self, parameters: Parameters) -> Checked:
        """Add defaults, drop parameters that the JSON Schema forbids, and validate.

        Source: llmist, whose zod drops unknown keys at any depth and runs.
        """
        if self._runtime is not None:
            sent = self._runtime.check(parameters)
            if sent.issues:
                return sent
            return sent._replace(of_server=self._check(sent.parameters).issues)
        return self._check(parameters)

    def prepare(self) -> Validator:
        """Do the work of the first `check` in advance, which takes long for a large schema.

        Raises:
            ValueError: The schema is invalid.
        """
        if self._runtime is not None:
            self._runtime.prepare()
        if self._validator is None:
            self._validator = make_validator(self.json, self._bounds, timed=self._timed)
        return self._validator

    def _check(self, parameters: Parameters) -> Checked:
        validator = self.prepare()
        self._bounds.begin(parameters)
        try:
            filled, dropped = _Filling(self.json, validator, self._bounds).fill(self.json, parameters)
            found = issues(validator, filled)
            # a key that another part of `allOf` knows is not a mistake, and is kept
            unknown = [one.pointer for one in found if one.kind == "unknown" and self.at(one.pointer) is None]
            if unknown:
                filled = _without(filled, unknown)
                found = issues(validator, filled)
        except RecursionError:
            return Checked(parameters, (), (TOO_DEEP,))
        except TooComplexError as error:
            return Checked(parameters, (), (TOO_COMPLEX._replace(message=str(error) or TOO_COMPLEX.message),))
        except BaseException as error:
            # raised by a library in Rust, at the depth at which Python has a RecursionError
            if type(error).__name__ != "PanicException":
                raise
            return Checked(parameters, (), (TOO_DEEP,))
        finally:
            self._bounds.end()
        return Checked(filled, tuple(dict.fromkeys(["/".join(each) for each in dropped] + unknown)), found)


def _plain(root: JsonSchema, schema: object, depth: int = 0) -> JsonSchema | None:
    """Follow references, and drop alternatives that only allow null."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST_REFERENCE:
        return None
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = resolved(root, reference)
        return (
            _plain(root, {**target, **{k: v for k, v in schema.items() if k != "$ref"}}, depth + 1) if target else None
        )
    for word in ("anyOf", "oneOf"):
        members = schema.get(word)
        if isinstance(members, list):
            only = only_member(members)
            if only is not None:
                return _plain(root, members[only], depth + 1)
    members = schema.get("allOf")
    if isinstance(members, list) and len(members) == 1 and "properties" not in schema:
        return _plain(root, members[0], depth + 1)
    return schema


def resolved(root: JsonSchema, reference: str) -> JsonSchema | None:
    """Return the part of a schema that a reference leads to, or None."""
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
    """Return the schema of a property or element. `seen` has the parts of `allOf` already searched."""
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
        for source, member in patterns.items():
            if matcher(source)(segment):
                return member
    return schema.get("additionalProperties")


def _is_array(schema: JsonSchema) -> bool:
    kind = schema.get("type")
    return kind == "array" or (isinstance(kind, list) and "array" in kind) or (kind is None and "items" in schema)


def _element(schema: JsonSchema, index: int, *, tuples_only: bool = False) -> object:
    items, prefix = schema.get("items"), schema.get("prefixItems")
    if isinstance(items, list):  # the tuples of drafts before 2020-12
        prefix, items = items, schema.get("additionalItems")
    if isinstance(prefix, list) and index < len(prefix):
        return prefix[index]
    return None if tuples_only else items


def _unseen(members: list[object], seen: set[int]) -> Iterator[object]:
    """Yield the members that are not in `seen`, and add them: a schema may contain itself many times."""
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


class _Filling:
    """Adds defaults, and drops the keys that keep a member of a union from fitting.

    Each result is a value and the paths of its dropped keys.
    """

    def __init__(self, root: JsonSchema, validator: Validator, bounds: Bounds) -> None:
        self._root = root
        self._validator = validator
        self._bounds = bounds

    def fill(self, schema: object, value: object) -> tuple[Any, list[_Path]]:
        if not isinstance(value, dict | list):
            return value, []
        # references to one part, in many places, lead to that same part
        while isinstance(schema, Mapping) and len(schema) == 1 and isinstance(schema.get("$ref"), str):
            self._bounds.step()
            schema = resolved(self._root, schema["$ref"])
        return self._bounds.once("filled", schema, value, partial(self._fill, schema, value))

    def _fill(self, schema: object, value: dict[str, Any] | list[Any]) -> tuple[Any, list[_Path]]:
        self._bounds.step()
        plain = _plain(self._root, schema)
        if plain is None:
            return value, []
        dropped: list[_Path] = []
        if isinstance(value, list):
            value = [self._inside(_element(plain, at), item, str(at), dropped) for at, item in enumerate(value)]
            while (default := self._default(_element(plain, len(value), tuples_only=True))) is not _NONE:
                value.append(default)
        else:
            value = {
                name: self._inside(_member(self._root, plain, name, set()), item, name, dropped)
                for name, item in value.items()
            }
            for part in (plain, *(_plain(self._root, member) or {} for member in plain.get("allOf") or ())):
                properties = part.get("properties")
                for name, member in properties.items() if isinstance(properties, Mapping) else ():
                    if name not in value and (default := self._default(member)) is not _NONE:
                        value[name] = default
        for word in ("anyOf", "oneOf"):
            if isinstance(plain.get(word), list):
                value, more = self._first_that_fits(plain[word], value)
                dropped += more
        return value, dropped

    def _inside(self, schema: object, value: object, step: str, dropped: list[_Path]) -> Any:
        """Fill a value in an object or array, and add its dropped keys to `dropped`."""
        filled, more = self.fill(schema, value)
        dropped += [(step, *path) for path in more]
        return filled

    def _default(self, schema: object) -> Any:
        if not isinstance(schema, Mapping):
            return _NONE
        holder = schema if "default" in schema else _plain(self._root, schema) or {}
        if "default" not in holder:
            return _NONE
        from copy import deepcopy

        return deepcopy(holder["default"])

    def _first_that_fits(self, members: list[Any], value: Any) -> tuple[Any, list[_Path]]:
        for member in members:
            validator = self._validator.evolve(schema=member)
            filled, dropped = self.fill(member, value)
            found = issues(validator, filled)
            unknown = [issue.pointer for issue in found if issue.kind == "unknown"]
            if unknown:
                filled = _without(filled, unknown)
                found = issues(validator, filled)
            if not found:
                return filled, [*dropped, *(tuple(one.split("/")) for one in unknown)]
        return value, []


def _without(value: Any, pointers: Iterable[str]) -> Any:
    """Copy a value without the values at some pointers."""
    from copy import deepcopy

    value = deepcopy(value)
    for pointer in pointers:
        *path, last = pointer.split("/")
        current = value
        for segment in path:
            current = current[int(segment) if isinstance(current, list) else segment]
        current.pop(last, None)
    return value
