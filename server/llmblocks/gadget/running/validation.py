"""Validation of values against a JSON Schema as JavaScript's zod does it: with its order, words, patterns and numbers.

It takes time linear in schema and value: references judge each value once, and steps are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import takewhile
from typing import Any, Final, TypeVar

from llmblocks.gadget.rules import G202_UNKNOWN_PARAMETER, G206_CONSTRAINT_VIOLATED
from llmblocks.gadget.running.assertions import NOT_GIVEN, UNDEFINED, Flaw, alone, malformed, wrong_choice, wrong_size
from llmblocks.gadget.running.json_schema import (
    JsonSchema,
    elements,
    is_tuple,
    member,
    only_member,
    plain,
    resolved,
)
from llmblocks.gadget.running.patterns import matcher

T = TypeVar("T")
Path = tuple[str | int, ...]
Flaws = Iterator[Flaw]
STEPS: Final = 20_000
"""The number of steps of a validation: about a tenth of a second."""
STEPS_OF_A_VALUE: Final = 50
"""The number of steps that each value in the parameters adds."""
_ORDER = {
    **dict.fromkeys(("type", "enum", "const"), 0),
    **dict.fromkeys(("additionalItems", "items", "additionalProperties"), 2),
    **dict.fromkeys(("minLength", "minItems", "minimum", "exclusiveMinimum"), 3),
    **dict.fromkeys(("maxLength", "maxItems", "maximum", "exclusiveMaximum"), 4),
    **dict.fromkeys(("multipleOf", "pattern", "format", "allOf", "required"), 5),
}
_ORDER_OF_TUPLES = {
    **_ORDER,
    **dict.fromkeys(("minItems", "maxItems", "additionalItems"), 0),
    **dict.fromkeys(("items", "prefixItems"), 1),
}


class TooComplexError(Exception):
    """A validation takes more steps than its values justify, or a pattern of the schema takes too long."""


class Validation:
    """The validation of one value by a valid schema. If `lenient`, a pattern that takes too long matches."""

    def __init__(self, root: JsonSchema, value: object, *, lenient: bool) -> None:
        self._root = root
        self._lenient = lenient
        self._known: dict[tuple[str, int, int], tuple[object, object, Any]] = {}
        self._left = STEPS + STEPS_OF_A_VALUE * _count(value)

    def parsed(self, schema: object, value: Any) -> tuple[Any, list[Path], list[Flaw]]:
        """Return a value with defaults, without the keys that the schema forbids; their paths; and all other flaws.

        Source: zod, which drops unknown keys at any depth.
        """
        filled, dropped = self._filled(schema, value)
        found = [*self._flaws(schema, filled)]
        # a key that another part of `allOf` knows is not a mistake, and is kept
        unknown = [each.path for each in found if each.kind == "unknown" and self._at(schema, each.path) is None]
        if unknown:
            filled = deepcopy(filled)
            for path in unknown:
                around = filled
                for step in path[:-1]:
                    around = around[step]
                around.pop(path[-1], None)
            found = [*self._flaws(schema, filled)]
        return filled, dropped + unknown, found

    def _at(self, schema: object, path: Path) -> JsonSchema | None:
        found = plain(self._root, schema)
        for step in path:
            found = plain(self._root, member(self._root, found, str(step)))
        return found

    def _filled(self, schema: object, value: Any) -> tuple[Any, list[Path]]:
        """Add defaults, and drop the keys that keep a member of a union from fitting."""
        if not isinstance(value, dict | list):
            return value, []
        # references to one part, in many places, lead to that same part
        while isinstance(schema, Mapping) and len(schema) == 1 and isinstance(schema.get("$ref"), str):
            self._step()
            schema = resolved(self._root, schema["$ref"])
        return self._once("filled", schema, value, lambda: self._fill(schema, value))

    def _fill(self, schema: object, value: dict[str, Any] | list[Any]) -> tuple[Any, list[Path]]:
        self._step()
        root, known = self._root, plain(self._root, schema)
        if known is None:
            return value, []
        dropped: list[Path] = []

        def inside(part: object, item: object, step: str | int) -> Any:
            filled, more = self._filled(part, item)
            dropped.extend([(step, *path) for path in more])
            return filled

        found: Any
        if isinstance(value, list):
            listed, rest = elements(known)
            found = [inside(listed[at] if at < len(listed) else rest, item, at) for at, item in enumerate(value)]
            for default in takewhile(bool, map(self._default, listed[len(found) :])):
                found += default
        else:
            found = {name: inside(member(root, known, name), item, name) for name, item in value.items()}
            for part in (known, *(plain(root, each) or {} for each in known.get("allOf") or ())):
                for name, each in (part.get("properties") or {}).items():
                    if name not in found and (default := self._default(each)):
                        (found[name],) = default
        for word in ("anyOf", "oneOf"):
            for each in known.get(word) or ():
                filled, more, flaws = self.parsed(each, found)
                if not flaws:
                    found, dropped = filled, dropped + more
                    break
        return found, dropped

    def _default(self, schema: object) -> list[Any]:
        holder = schema if isinstance(schema, Mapping) and "default" in schema else plain(self._root, schema) or {}
        return [deepcopy(holder["default"])] if "default" in holder else []

    def _flaws(self, schema: Any, value: object) -> Flaws:
        """Yield the errors of a value, in zod's order: type, parts, size, form."""
        self._step()
        if isinstance(schema, bool):
            if not schema:
                yield Flaw("constraint", "no value is allowed")
            return
        # the elements of a tuple after the listed ones come first
        order = _ORDER_OF_TUPLES if is_tuple(schema) else _ORDER
        for word, part in sorted(schema.items(), key=lambda item: order.get(item[0], 1)):
            yield from self._of(word, part, value, schema)

    def _inside(self, schema: Any, value: object, step: str | int) -> Flaws:
        for flaw in self._flaws(schema, value):
            yield flaw._replace(path=(step, *flaw.path))

    def _missing(self, schema: Any, step: str | int) -> Flaw:
        flaw = next(self._flaws(schema, UNDEFINED), None)
        return Flaw("missing", flaw.message if flaw else NOT_GIVEN, (step,))

    def _fits(self, schema: Any, value: object) -> bool:
        return next(self._flaws(schema, value), None) is None

    def _matches(self, source: str, text: str) -> bool | None:
        found = matcher(source)(text, again=not self._lenient)
        if found is None and not self._lenient:
            # the next would take as long
            raise TooComplexError(f"the pattern /{source:.100}/ takes too long to match")
        return found

    def _of(self, word: str, part: Any, value: Any, schema: JsonSchema) -> Flaws:
        """Yield the errors of a value that a keyword finds."""
        is_object, is_array = isinstance(value, dict), isinstance(value, list)
        match word:
            case "properties" if is_object:
                needed = frozenset(schema.get("required", ()))
                for name, each in part.items():
                    if name in value:
                        yield from self._inside(each, value[name], name)
                    elif name in needed and not (isinstance(each, Mapping) and "default" in each):
                        yield self._missing(each, name)
            case "patternProperties" if is_object:
                for source, each in part.items():
                    for name, item in value.items():
                        if self._matches(source, name):
                            yield from self._inside(each, item, name)
            case "additionalProperties" if is_object and part is not True:
                properties, patterns = schema.get("properties", {}), [*schema.get("patternProperties", {})]
                for name, item in value.items():
                    if name in properties or any(self._matches(each, name) is not False for each in patterns):
                        continue
                    if part is False:
                        yield Flaw("unknown", G202_UNKNOWN_PARAMETER.says({"name": name}), (name,), aborts=False)
                    else:
                        yield from self._inside(part, item, name)
            case "propertyNames" if is_object:
                for name in value:
                    if not self._fits(part, name):
                        yield Flaw("constraint", "Invalid key in record", (name,))
            case "items" | "prefixItems" | "additionalItems" if is_array:
                yield from self._of_elements(word, part, value, schema)
            case "minItems" if is_array:
                listed, rest = elements(schema)
                if rest is False if is_tuple(schema) else "items" not in schema:
                    yield from alone(word, part, value, schema)
                for at in range(len(value), int(min(part, len(listed)))) if rest is not False else ():
                    yield self._missing(listed[at], at)
            case "$ref":
                found = resolved(self._root, part)
                yield from self._once("flaws", found, value, lambda: (*self._flaws(found, value),))
            case "allOf":
                seen: set[object] = set()
                for each in part:
                    for flaw in self._flaws(each, value):
                        # report an error of several members once
                        if flaw[:3] not in seen:
                            seen.add(flaw[:3])
                            yield flaw
            case "anyOf":
                failed = [*takewhile(bool, self._failures(part, value))]
                if len(failed) == len(part):
                    yield from _of_none(part, failed)
            case "oneOf":
                yield from self._one_of(part, value, schema)
            case "not":
                if self._fits(part, value):
                    yield Flaw("constraint", "it matches the schema in `not`")
            case "if":
                yield from self._flaws(schema.get("then" if self._fits(part, value) else "else", True), value)
            case "pattern":
                if isinstance(value, str) and self._matches(part, value) is False:
                    yield malformed(part, schema)
            case _:
                yield from alone(word, part, value, schema)

    def _of_elements(self, word: str, part: Any, value: list[Any], schema: JsonSchema) -> Flaws:
        """Yield the errors of elements. For an array of a wrong size, zod may report only the size."""
        listed, rest = elements(schema)
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        if is_tuple(schema) and (word == "prefixItems" or isinstance(part, list)):
            if rest is not False or len(value) >= least:
                for at, (each, item) in enumerate(zip(listed, value, strict=False)):
                    yield from self._inside(each, item, at)
        elif rest is False:
            if len(value) > len(listed) and most is None:
                yield wrong_size("maxItems", len(listed), value, schema)
        elif is_tuple(schema) or (word == "items" and (most is None or len(value) <= most)):
            ends = False
            for at in range(len(listed), len(value)):
                for flaw in self._inside(part, value[at], at):
                    ends = ends or flaw.ends
                    yield flaw
            if len(value) < least and not ends and not is_tuple(schema):
                yield wrong_size("minItems", least, value, schema)

    def _failures(self, members: list[Any], value: object) -> Iterator[list[Flaw]]:
        """Yield the deciding errors of a value against each member of a union; none if a member fits."""
        only = only_member(members)
        for number, each in enumerate(members):
            found: list[Flaw] = []
            for flaw in self._flaws(each, value):
                found.append(flaw)
                if flaw.aborts and number != only:
                    break
            yield found

    def _one_of(self, members: list[Any], value: Any, schema: JsonSchema) -> Flaws:
        tag, tagged = self._once("tags", members, None, lambda: self._tags(members))
        if not tag:
            failed = [*filter(None, self._failures(members, value))]
            if len(failed) == len(members):
                yield from _of_none(members, failed)
            elif len(failed) < len(members) - 1:
                yield Flaw("type", "Invalid input: more than one option matched")
        elif not isinstance(value, dict):
            yield from alone("type", "object", value, {})
        elif isinstance(given := value.get(tag), str) and given in tagged:
            yield from self._flaws(tagged[given], value)
        else:
            words = f"Invalid discriminator value. Expected {' | '.join(map(repr, tagged))}"
            yield wrong_choice(words, [*tagged], (tag,))

    def _tags(self, members: list[Any]) -> tuple[str, dict[str, Any]]:
        """Return the property that distinguishes the objects of a union, or "", and the members by its values."""
        parts = [plain(self._root, each) for each in members]
        known = [part["properties"] for part in parts if isinstance(part, Mapping) and "properties" in part]
        for tag in known[0] if len(known) == len(parts) > 1 else ():
            values = [_tags_of(each.get(tag)) for each in known]
            tagged = {value: part for part, each in zip(members, values, strict=True) for value in each}
            if all(values) and len(tagged) == sum(map(len, values)):
                return tag, tagged
        return "", {}

    def _once(self, question: str, part: object, value: object, answer: Callable[[], T]) -> T:
        """Return the answer to a question about a part of the schema and a value, computed once."""
        key = question, id(part), id(value)
        known = self._known.get(key)
        if known is None:
            # both stay alive, so their identities stay theirs
            known = self._known[key] = part, value, answer()
        found: T = known[2]
        return found

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooComplexError(G206_CONSTRAINT_VIOLATED.says({"case": "too-complex"}))


def _of_none(members: list[Any], failed: list[list[Flaw]]) -> list[Flaw]:
    """Return the errors of a value that fits no member of a union: those of the only near match, as in zod."""
    only = only_member(members)
    near = [flaws for flaws in failed if not flaws[-1].aborts] if only is None else [failed[only]]
    context = near[0] if len(near) == 1 else []
    return [flaw for flaw in context if flaw.kind != "unknown"] or context or [Flaw("type", "Invalid input")]


def _tags_of(schema: object) -> list[str]:
    if not isinstance(schema, Mapping):
        return []
    values = schema["enum"] if isinstance(schema.get("enum"), list) else [schema["const"]] if "const" in schema else []
    return values if all(isinstance(value, str) for value in values) else []


def _count(value: object) -> int:
    """Return the number of values in a value."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inside))
