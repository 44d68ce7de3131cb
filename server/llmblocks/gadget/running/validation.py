"""Validation of values against a JSON Schema as JavaScript's zod does it: with its order, words, patterns and numbers.

It takes time linear in schema and value: references judge each value once, and steps are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from itertools import takewhile
from typing import Any, Final, TypeVar

from llmblocks.contract.markup import shortened
from llmblocks.gadget.rules import CONSTRAINT_VIOLATED, UNKNOWN_PARAMETER
from llmblocks.gadget.running.assertions import ASSERTIONS, MOST_OFFERED, Flaw, check, size, wrong_size
from llmblocks.gadget.running.parts import (
    REFERENCES,
    JsonSchema,
    elements,
    is_tuple,
    member,
    only_member,
    plain,
    resolved,
)
from llmblocks.gadget.running.patterns import matcher
from llmblocks.gadget.running.words import NOT_GIVEN, malformed, not_given, target, wrong_type

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
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), 6),
}
_ORDER_OF_TUPLES = {
    **_ORDER,
    **dict.fromkeys(("minItems", "maxItems", "additionalItems"), 0),
    **dict.fromkeys(("items", "prefixItems"), 1),
}


class TooComplexError(Exception):
    """A validation takes more steps than its values justify, or a pattern of the schema takes too long."""


class Validation:
    """The validation of one value. Answers are stored by the identities of a part of the schema and a value.

    Args:
        root: A valid schema.
        value: The value.
        lenient: A pattern that takes too long matches, and is not tried again.
    """

    def __init__(self, root: JsonSchema, value: object, *, lenient: bool) -> None:
        self._root = root
        self._lenient = lenient
        self._known: dict[tuple[str, int, int], tuple[object, object, Any]] = {}
        self._left = STEPS + STEPS_OF_A_VALUE * _count(value)

    def parsed(self, schema: object, value: Any) -> tuple[Any, list[Path], list[Flaw]]:
        """Return a value with defaults, without the keys that the schema forbids; their paths; and all other flaws.

        Source: zod, which drops unknown keys at any depth.

        Raises:
            RecursionError: It is nested too deeply.
            TooComplexError: It takes too many steps.
            ValueError: A reference leads outside the schema.
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
            for part in listed[len(found) :]:
                if not (default := self._default(part)):
                    break
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
            if word in _APPLICATORS:
                yield from _APPLICATORS[word](self, word, part, value, schema)
            elif word in ASSERTIONS:
                yield from ASSERTIONS[word](word, part, value, schema)

    def _inside(self, schema: Any, value: object, step: str | int) -> Flaws:
        for flaw in self._flaws(schema, value):
            yield flaw._replace(path=(step, *flaw.path))

    def _fits(self, schema: Any, value: object) -> bool:
        return next(self._flaws(schema, value), None) is None

    def _reference(self, word: str, part: Any, value: object, schema: JsonSchema) -> Flaws:
        found = resolved(self._root, part)
        if found is None:
            raise ValueError(f"the schema refers to something outside it: {part}")
        yield from self._once("flaws", found, value, lambda: (*self._flaws(found, value),))

    def _fewest(self, word: str, limit: Any, value: Any, schema: JsonSchema) -> Flaws:
        listed, rest = elements(schema)
        if not isinstance(value, list) or (rest is False if is_tuple(schema) else "items" not in schema):
            yield from size(word, limit, value, schema)
        elif is_tuple(schema):
            for at in range(len(value), min(int(limit), len(listed))):
                yield Flaw("missing", not_given(self._root, listed[at]), (at,))

    def _items(self, word: str, part: Any, value: Any, schema: JsonSchema) -> Flaws:
        """Judge elements. For an array of a wrong size, zod may report only the size."""
        if not isinstance(value, list):
            return
        listed, rest = elements(schema)
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        if is_tuple(schema):
            if rest is False and len(value) < least:
                return
            if word == "prefixItems" or isinstance(part, list):
                for at, (each, item) in enumerate(zip(listed, value, strict=False)):
                    yield from self._inside(each, item, at)
                return
        elif word == "additionalItems" or (most is not None and len(value) > most):
            return
        if rest is False:
            if len(value) > len(listed) and most is None:
                yield wrong_size("maxItems", len(listed), value, schema)
            return
        ends = False
        for at in range(len(listed), len(value)):
            for flaw in self._inside(part, value[at], at):
                ends = ends or flaw.ends
                yield flaw
        if len(value) < least and not ends and not is_tuple(schema):
            yield wrong_size("minItems", least, value, schema)

    def _contains(self, word: str, part: Any, value: Any, schema: JsonSchema) -> Flaws:
        if isinstance(value, list):
            count = sum(self._fits(part, each) for each in value)
            if count < schema.get("minContains", 1) or count > schema.get("maxContains", count):
                yield Flaw("constraint", f"too {'many' if count else 'few'} items match `contains`")

    def _pattern(self, word: str, source: str, value: object, schema: JsonSchema) -> Flaws:
        if isinstance(value, str) and self._matches(source, value) is False:
            yield check(malformed(source, schema), schema)

    def _matches(self, source: str, text: str) -> bool | None:
        found = matcher(source, again=not self._lenient)(text)
        if found is None and not self._lenient:
            # the next would take as long
            raise TooComplexError(f"the pattern /{source:.100}/ takes too long to match")
        return found

    def _properties(self, word: str, members: Mapping[str, Any], value: Any, schema: JsonSchema) -> Flaws:
        needed = frozenset(schema.get("required", ()))
        for name, each in members.items() if isinstance(value, dict) else ():
            if name in value:
                yield from self._inside(each, value[name], name)
            elif name in needed and not (isinstance(each, Mapping) and "default" in each):
                yield Flaw("missing", not_given(self._root, each), (name,))

    def _dependent(self, word: str, needed: Mapping[str, Any], value: Any, schema: JsonSchema) -> Flaws:
        for given, part in needed.items() if isinstance(value, dict) else ():
            if given in value and isinstance(part, list):
                yield from [Flaw("missing", NOT_GIVEN, (name,)) for name in part if name not in value]
            elif given in value:
                yield from self._flaws(part, value)

    def _names(self, word: str, part: Any, value: Any, schema: JsonSchema) -> Flaws:
        for name in value if isinstance(value, dict) else ():
            if not self._fits(part, name):
                yield Flaw("constraint", "Invalid key in record", (name,))

    def _patterned(self, word: str, members: Mapping[str, Any], value: Any, schema: JsonSchema) -> Flaws:
        for source, each in members.items() if isinstance(value, dict) else ():
            for name, item in value.items():
                if self._matches(source, name):
                    yield from self._inside(each, item, name)

    def _additional(self, word: str, part: Any, value: Any, schema: JsonSchema) -> Flaws:
        if isinstance(value, dict) and part is not True:
            known = schema.get("properties", {})
            patterns = [*schema.get("patternProperties", {})]
            for name, item in value.items():
                if name not in known and not any(self._matches(each, name) is not False for each in patterns):
                    yield from self._unknown(part, item, name)

    def _unevaluated(self, word: str, part: Any, value: Any, schema: JsonSchema) -> Flaws:
        if isinstance(value, dict if word == "unevaluatedProperties" else list):
            rest = {other: each for other, each in schema.items() if other != word}
            evaluated = self._evaluated(rest, value)
            for step, item in value.items() if isinstance(value, dict) else enumerate(value):
                if step not in evaluated:
                    yield from self._unknown(part, item, step)

    def _unknown(self, part: Any, value: object, step: str | int) -> Flaws:
        if part is False and isinstance(step, str):
            yield Flaw("unknown", UNKNOWN_PARAMETER.says({"name": step}), (step,), aborts=False)
        else:
            yield from self._inside(part, value, step)

    def _evaluated(self, schema: Any, value: Any) -> frozenset[str | int]:
        """Return the names or indices of a value that a schema which it fits decides about."""
        if isinstance(schema, bool):
            return frozenset()
        self._step()
        parts = [resolved(self._root, schema[word]) for word in REFERENCES if word in schema] + schema.get("allOf", [])
        parts += [each for word in ("anyOf", "oneOf") for each in schema.get(word, ()) if self._fits(each, value)]
        found: set[str | int] = set()
        if "if" in schema:
            fits = self._fits(schema["if"], value)
            parts += [schema["if"], schema.get("then")] if fits else [schema.get("else")]
        if isinstance(value, dict):
            parts += [part for name, part in schema.get("dependentSchemas", {}).items() if name in value]
            found |= schema.get("properties", {}).keys()
            patterns = [*schema.get("patternProperties", {})]
            found |= {name for name in value if any(self._matches(each, name) is not False for each in patterns)}
            if "additionalProperties" in schema or "unevaluatedProperties" in schema:
                found |= value.keys()
        else:
            listed, _ = elements(schema)
            is_all = "items" in schema or "unevaluatedItems" in schema
            found |= {*range(len(value) if is_all else len(listed))}
        for part in filter(None, parts):
            found |= self._once("evaluated", part, value, partial(self._evaluated, part, value))
        return frozenset(found)

    def _all_of(self, word: str, members: list[Any], value: object, schema: JsonSchema) -> Flaws:
        seen: set[object] = set()
        for each in members:
            for flaw in self._flaws(each, value):
                # report an error of several members once
                if flaw[:3] not in seen:
                    seen.add(flaw[:3])
                    yield flaw

    def _errors_of(self, members: list[Any], value: object) -> Iterator[list[Flaw]]:
        """Yield the deciding errors of a value against each member of a union; none if a member fits."""
        only = only_member(members)
        for number, each in enumerate(members):
            found = self._flaws(each, value)
            yield [*(found if number == only else _up_to_the_end(found))]

    def _any_of(self, word: str, members: list[Any], value: object, schema: JsonSchema) -> Flaws:
        failed = [*takewhile(bool, self._errors_of(members, value))]
        if len(failed) == len(members):
            yield from _of_none(members, failed)

    def _one_of(self, word: str, members: list[Any], value: Any, schema: JsonSchema) -> Flaws:
        tag, tagged = self._once("tags", members, None, lambda: self._tags(members))
        if not tag:
            failed = [*filter(None, self._errors_of(members, value))]
            if len(failed) == len(members):
                yield from _of_none(members, failed)
            elif len(failed) < len(members) - 1:
                yield Flaw("type", "Invalid input: more than one option matched")
        elif not isinstance(value, dict):
            yield Flaw("type", wrong_type("object", schema, value))
        elif isinstance(given := value.get(tag), str) and given in tagged:
            yield from self._flaws(tagged[given], value)
        else:
            words = f"Invalid discriminator value. Expected {' | '.join(map(repr, tagged))}"
            yield Flaw("choice", shortened(words, 400), (tag,), (*tagged,)[:MOST_OFFERED])

    def _tags(self, members: list[Any]) -> tuple[str, dict[str, Any]]:
        """Return the property that distinguishes the objects of a union, or "", and the members by its values."""
        parts = [target(self._root, each) for each in members]
        known = [part["properties"] for part in parts if isinstance(part, Mapping) and "properties" in part]
        for tag in known[0] if len(known) == len(parts) > 1 else ():
            values = [_tags_of(each.get(tag)) for each in known]
            tagged = {value: part for part, each in zip(members, values, strict=True) for value in each}
            if all(values) and len(tagged) == sum(map(len, values)):
                return tag, tagged
        return "", {}

    def _not(self, word: str, part: Any, value: object, schema: JsonSchema) -> Flaws:
        if self._fits(part, value):
            yield Flaw("constraint", "it matches the schema in `not`")

    def _if(self, word: str, part: Any, value: object, schema: JsonSchema) -> Flaws:
        yield from self._flaws(schema.get("then" if self._fits(part, value) else "else", True), value)

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
            raise TooComplexError(CONSTRAINT_VIOLATED.says({"case": "too-complex"}))


_APPLICATORS: Final[Mapping[str, Callable[[Validation, str, Any, Any, JsonSchema], Flaws]]] = {
    **dict.fromkeys(REFERENCES, Validation._reference),
    "minItems": Validation._fewest,
    **dict.fromkeys(("items", "prefixItems", "additionalItems"), Validation._items),
    "contains": Validation._contains,
    "pattern": Validation._pattern,
    "properties": Validation._properties,
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), Validation._dependent),
    "propertyNames": Validation._names,
    "patternProperties": Validation._patterned,
    "additionalProperties": Validation._additional,
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), Validation._unevaluated),
    "allOf": Validation._all_of,
    "anyOf": Validation._any_of,
    "oneOf": Validation._one_of,
    "not": Validation._not,
    "if": Validation._if,
}


def _up_to_the_end(flaws: Flaws) -> Flaws:
    """Yield errors up to the first that decides."""
    for flaw in flaws:
        yield flaw
        if flaw.aborts:
            return


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
    count, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        count += 1
        if isinstance(part, dict | list):
            waiting += part.values() if isinstance(part, dict) else part
    return count
