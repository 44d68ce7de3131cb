"""The gadgets that TypeScript and JavaScript declare, with the zod schemas of their parameters. Nothing is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from llmblocks.code.grammar import script_of
from llmblocks.code.script import MOST_BYTES, Script
from llmblocks.gadget.schemas.gadgets import GadgetSchema, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

SIGN: Final = "Gadget("
"""Occurs in every file that declares gadgets."""
_MAKERS: Final = ("createGadget", "Gadget")
_CLASSES: Final = ("class_declaration", "class")

Schema = dict[str, Any]
_PLAIN: Final = {"int": "integer", **{name: name for name in ("string", "number", "boolean", "null")}}
"""The names of types in JSON Schema."""
_CHECKS: Final[dict[str, dict[str, tuple[str, ...] | Schema]]] = {
    "string": {
        "min": ("minLength",),
        "max": ("maxLength",),
        "length": ("minLength", "maxLength"),
        "nonempty": {"minLength": 1},
        "email": {"format": "email"},
        "uuid": {"format": "uuid"},
        "datetime": {"format": "date-time"},
    },
    "array": {
        "min": ("minItems",),
        "max": ("maxItems",),
        "length": ("minItems", "maxItems"),
        "nonempty": {"minItems": 1},
    },
    "number": {
        **dict.fromkeys(("min", "gte"), ("minimum",)),
        **dict.fromkeys(("max", "lte"), ("maximum",)),
        "gt": ("exclusiveMinimum",),
        "lt": ("exclusiveMaximum",),
        "multipleOf": ("multipleOf",),
        "int": {"type": "integer"},
        "positive": {"exclusiveMinimum": 0},
        "nonnegative": {"minimum": 0},
        "negative": {"exclusiveMaximum": 0},
        "nonpositive": {"maximum": 0},
    },
}
"""The methods of a type: with the keywords for their number, or with fixed ones."""


def gadgets_in_code(text: str, file: str) -> Iterator[GadgetSchema]:
    """Yield the gadgets that a file declares with `createGadget({…})` or as `class … extends Gadget({…})`.

    A schema that is only known at run time allows any parameters. `ValueError`: the grammars are not installed.
    """
    language_id = script_of(file)
    if language_id is None or SIGN not in text or len(text) > MOST_BYTES:
        return
    script = Script(text, language_id)
    zod = _ZodReader(script)
    for call in script.nodes("call_expression"):
        function = call.child_by_field_name("function")
        arguments = script.arguments(call)
        if function is None or script.text(function) not in _MAKERS or not arguments:
            continue
        given = arguments[0]
        named = script.member(given, "name")
        place: Node | None = named
        name = script.string(named)
        if name is None and named is None and (place := _class_name(call)) is not None:
            name = script.text(place)
        if not name or place is None:
            continue
        schema = script.member(given, "schema")
        parameters = zod.schema(schema) if schema is not None else None
        description = script.string(script.member(given, "description")) or ""
        source = Source(file, *script.place(place), place.start_point[0])
        yield GadgetSchema(name, description, parameters or None, source)


def _class_name(call: Node) -> Node | None:
    """Return the name of the class that extends a call."""
    above = call.parent
    while above is not None and above.type in ("extends_clause", "class_heritage"):
        above = above.parent
    return above.child_by_field_name("name") if above is not None and above.type in _CLASSES else None


class _ZodReader:
    """Reads schemas in a file. Unknown expressions allow anything."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def schema(self, node: Node | None) -> Schema:
        """Return the JSON Schema of a value such as `z.object({…})`; an empty one if it allows anything."""
        try:
            return self._read(node)[0]
        except RecursionError:
            return {}  # it contains itself

    def _read(self, node: Node | None) -> tuple[Schema, bool]:
        """Return a schema, and whether a member with it may be missing."""
        chain: list[tuple[str, list[Node]]] = []
        found = self._script.meant(node)
        while found is not None and found.type == "call_expression":
            function = found.child_by_field_name("function")
            name = function.child_by_field_name("property") if function is not None else None
            if function is None or name is None:
                return {}, False
            chain.append((self._script.text(name), self._script.arguments(found)))
            below = function.child_by_field_name("object")
            if below is not None and below.type == "identifier" and self._script.text(below) in ("z", "zod"):
                return self._built(chain[::-1])
            found = self._script.meant(below)
        return {}, False

    def _built(self, chain: list[tuple[str, list[Node]]]) -> tuple[Schema, bool]:
        (name, arguments), *methods = chain
        made = self._base(name, arguments)
        optional = name == "optional"
        for method, given in methods:
            if method in ("optional", "nullish", "default", "prefault", "catch"):
                optional = True
            if method in ("transform", "pipe"):
                # the following methods apply to another value
                break
            made = self._changed(made, method, given)
        return made, optional

    def _base(self, name: str, arguments: Sequence[Node]) -> Schema:
        if name in _PLAIN:
            return {"type": _PLAIN[name]}
        first = arguments[0] if arguments else None
        makers: dict[str, Callable[[], Schema]] = {
            "enum": lambda: {"enum": self._values(self._script.plain(first))},
            "literal": lambda: {"const": self._script.plain(first)},
            "array": lambda: {"type": "array", "items": self._read(first)[0]},
            **dict.fromkeys(("object", "strictObject"), lambda: self._object(first)),
            "looseObject": lambda: self._object(first) | {"additionalProperties": True},
            "optional": lambda: self._read(first)[0],
            "nullable": lambda: _nullable(self._read(first)[0]),
            "union": lambda: {"anyOf": self._members(first)},
            "discriminatedUnion": lambda: {"anyOf": self._members(arguments[1])},
            "record": lambda: {"type": "object", "additionalProperties": self._read(arguments[-1])[0]},
        }
        try:
            return makers[name]() if name in makers else {}
        except (ValueError, IndexError):
            return {}

    @staticmethod
    def _values(listed: Any) -> list[Any]:
        return [*listed.values()] if isinstance(listed, dict) else [*listed]

    def _members(self, node: Node | None) -> list[Schema]:
        found = self._script.meant(node)
        if found is None or found.type != "array":
            raise ValueError("not a list")
        return [self._read(each)[0] for each in found.named_children]

    def _object(self, node: Node | None) -> Schema:
        found = self._script.meant(node)
        if found is None or found.type != "object":
            raise ValueError("not an object")
        properties, required = {}, []
        for each in self._script.members(found):
            properties[each.name], optional = self._read(each.value)
            # an unknown expression may be optional
            if not optional and properties[each.name]:
                required.append(each.name)
        spread = [each.named_children[:1] for each in found.named_children if each.type == "spread_element"]
        values = [self._script.meant(each[0]) if each else None for each in spread]
        # an unknown object may add more
        is_open = any(value is None or value.type != "object" for value in values)
        return {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": is_open,
        }

    def _changed(self, made: Schema, method: str, given: Sequence[Node]) -> Schema:
        """Apply a method to a schema."""
        first = given[0] if given else None
        kind = "number" if made.get("type") == "integer" else str(made.get("type"))
        if method == "describe" and (words := self._script.string(first)) is not None:
            return {**made, "description": words}
        if method in ("nullable", "nullish"):
            return _nullable(made)
        if method == "array":
            return {"type": "array", "items": made}
        if method in ("passthrough", "loose", "catchall"):
            return {**made, "additionalProperties": True}
        if method in ("partial", "deepPartial"):
            return {name: each for name, each in made.items() if name != "required"}
        if method in ("extend", "merge", "safeExtend", "omit", "pick", "and", "or"):
            return self._joined(made, method, first)
        try:
            if method == "default":
                return {**made, "default": self._script.plain(first)}
            check = _CHECKS.get(kind, {}).get(method, ())
            return made | (check if isinstance(check, dict) else {word: self._script.plain(first) for word in check})
        except ValueError:
            return made

    def _joined(self, made: Schema, method: str, first: Node | None) -> Schema:
        if method == "or":
            return {"anyOf": [made, self._read(first)[0]]}
        if method != "extend" or made.get("type") != "object":
            return {}
        try:
            more = self._object(first)
        except ValueError:
            return {}
        required = [*made.get("required", ()), *more.get("required", ())]
        properties = {**made["properties"], **more["properties"]}
        return {**made, "properties": properties, **({"required": required} if required else {})}


def _nullable(made: Schema) -> Schema:
    return {"anyOf": [made, {"type": "null"}]}
