"""The gadgets that calls may name, with the schemas of their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.contract.arguments import Parameter, nearest
from llmblocks.contract.markup import code, listed, shortened

if TYPE_CHECKING:
    from llmblocks.contract.caret import Signature
    from llmblocks.gadget.running.schema import ParameterSchema

_MOST_SHOWN: Final = 50
_MOST: Final = 200
_LIMITS: Final = (
    ("at least", "minimum"),
    ("at most", "maximum"),
    ("at least this long:", "minLength"),
    ("at most this long:", "maxLength"),
)


class Source(NamedTuple):
    """The place of a definition, in code points."""

    file: str
    start: int = 0
    end: int = 0
    line: int = 0
    """Counts from 0."""


class GadgetSchema:
    """A gadget as its definition describes it.

    `parameters` is a JSON Schema, or None if any are accepted. A tool of an MCP server checks more of them than llmist.
    """

    def __init__(
        self,
        name: str,
        description: str = "",
        parameters: Mapping[str, Any] | None = None,
        source: Source | None = None,
        *,
        is_mcp: bool = False,
    ) -> None:
        self.name, self.description = name, description
        self.parameters, self.source, self.is_mcp = parameters, source, is_mcp

    @cached_property
    def prepared(self) -> ParameterSchema | None:
        """The schema, ready to type and validate parameters, or None."""
        from llmblocks.gadget.running.schema import ParameterSchema

        return None if self.parameters is None else ParameterSchema(self.parameters, timed=True, mcp=self.is_mcp)

    @cached_property
    def members(self) -> list[Parameter]:
        """The parameters, the required ones first."""
        return [] if self.prepared is None else parameters_of(self.prepared)[:_MOST_SHOWN]

    def documentation(self) -> str:
        """Describe the gadget and its parameters in Markdown."""
        lines = [shortened(self.description)] if self.description else []
        rows = [f"- `{each.pointer}`: {each.summary}" for each in self.members]
        return "\n\n".join([*lines, "\n".join(rows)] if rows else lines)

    def signature(self, pointer: str) -> Signature:
        """The parameters, the one at a pointer active."""
        from llmblocks.contract.caret import Signature

        labels = [f"{each.pointer}{'' if each.required else '?'}" for each in self.members]
        name = pointer.partition("/")[0]
        active = next((number for number, each in enumerate(self.members) if each.pointer == name), -1)
        pairs = tuple([(label, each.summary) for label, each in zip(labels, self.members, strict=True)])
        return Signature(f"{self.name}({', '.join(labels)})", shortened(self.description), pairs, active)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """All of its contents, in a comparable and hashable form."""
        import json

        return self.name, self.description, json.dumps(self.parameters, default=repr), self.source, self.is_mcp


class Gadgets:
    """Gadgets by name, in any case, as the runtime finds them. Without gadgets, the rules about schemas are off.

    If two definitions have one name, the later one counts. Equal if all definitions and places are.

    Attributes:
        complete: False if a source could not be read, so that a gadget that is not here may still exist.
    """

    __slots__ = ("_by_name", "_key", "complete")

    def __init__(self, definitions: Iterable[GadgetSchema] = (), *, complete: bool = True) -> None:
        by_name: dict[str, GadgetSchema] = {}
        for each in definitions:
            by_name.pop(each.name.lower(), None)
            by_name[each.name.lower()] = each
        self.complete: Final = complete
        self._by_name: Final = by_name
        self._key: Final = tuple([each.key for each in by_name.values()])

    def find(self, name: str) -> GadgetSchema | None:
        """Return the gadget with a name, in any case."""
        return self._by_name.get(name.lower())

    def schema(self, name: str) -> ParameterSchema | None:
        """Return the schema of the gadget with a name; None without such a gadget, or if it accepts any parameters."""
        gadget = self.find(name)
        return gadget.prepared if gadget else None

    def nearest(self, name: str) -> GadgetSchema | None:
        """Return the gadget with the most similar name."""
        near = nearest(name.lower(), self._by_name)
        return self._by_name[near[0]] if near else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all gadgets, as defined."""
        return tuple([each.name for each in self])

    def __iter__(self) -> Iterator[GadgetSchema]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Gadgets) and (self.complete, self._key) == (other.complete, other._key)

    def __hash__(self) -> int:
        return hash((self.complete, self._key))


NO_GADGETS: Final = Gadgets()


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


def _written(value: object) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
