"""Keywords of JSON Schema as JavaScript's zod reads them, in its order, in time linear in schema and value."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from llmblocks.gadget.rules import UNKNOWN_PARAMETER
from llmblocks.gadget.running.bounds import TooComplexError, require_room
from llmblocks.gadget.running.matching import matcher
from llmblocks.gadget.running.words import NOT_GIVEN, SAFE_INTEGER, is_tuple, not_given

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Keyword = Callable[[Any, Any, Any, Any], Iterator["ValidationError"]]
_TOLERANCE = 4 * 2.0**-52
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


def in_order(schema: Any) -> Iterable[tuple[str, Any]]:
    """Return the keywords of a schema in zod's order: type, parts, size, form."""
    if len(schema) < 2:
        found: Iterable[tuple[str, Any]] = schema.items()
        return found
    # the elements after the listed ones come first
    order = _ORDER_OF_TUPLES if is_tuple(schema) else _ORDER
    return sorted(schema.items(), key=lambda item: order.get(item[0], 1))


def in_order_of_old_drafts(schema: Any) -> Iterable[tuple[str, Any]]:
    """Return the same for drafts up to 7, where a reference stands alone."""
    return [("$ref", schema["$ref"])] if "$ref" in schema else in_order(schema)


def is_multiple(value: float, step: float) -> bool:
    """Return whether a number is a multiple of another within float64's precision: 1.15 is a multiple of 0.01.

    Source: zod, which accepts a quotient that is whole within four roundings.
    """
    try:
        ratio = float(value) / float(step)
    except (OverflowError, ZeroDivisionError):
        return False
    return isfinite(ratio) and abs(ratio - round(ratio)) < _TOLERANCE * max(abs(ratio), 1)


def plain_keywords() -> dict[str, Keyword]:
    """Return the keywords without patterns.

    Their messages quote no value, which may be large; `words_of` has the words.
    """
    from jsonschema import ValidationError

    def kind(validator: Any, kinds: object, value: Any, schema: Any) -> Iterator[ValidationError]:
        names = kinds if isinstance(kinds, list) else [kinds]
        if not any(validator.is_type(value, name) for name in names):
            # a value outside the choices has no other error
            if "const" not in schema and "enum" not in schema:
                yield ValidationError("it is of another type")
        elif "integer" in names and "number" not in names and _is_unsafe(value):
            word, limit = ("maximum", SAFE_INTEGER) if value > 0 else ("minimum", -SAFE_INTEGER)
            yield ValidationError("it is no safe integer", validator=word, validator_value=limit)

    def bound(is_beyond: Callable[[float, float], bool], strict: str = "") -> Keyword:
        def bound(validator: Any, limit: float, value: Any, schema: Any) -> Iterator[ValidationError]:
            if not _is_number(validator, value, schema) or (abs(limit) == SAFE_INTEGER and _is_integer(schema)):
                return
            # draft 4 uses another keyword
            if is_beyond(value, limit) or (value == limit and schema.get(strict) is True):
                yield ValidationError("it is out of bounds")

        return bound

    def size(kind: type[str | list[Any]], is_beyond: Callable[[float, float], bool]) -> Keyword:
        name = "string" if kind is str else "array"

        def size(validator: Any, limit: float, value: Any, schema: Any) -> Iterator[ValidationError]:
            # zod measures a text where an array is expected, and an array where a text is
            kinds = str | list if schema.get("type") == name and not is_tuple(schema) else kind
            if isinstance(value, kinds) and is_beyond(len(value), limit):
                yield ValidationError("it is of another size")

        return size

    def fewest(validator: Any, limit: float, value: Any, schema: Any) -> Iterator[ValidationError]:
        parts, rest = parts_of(schema) if is_tuple(schema) and isinstance(value, list) else ([], False)
        is_left_to_items = isinstance(value, list) and "items" in schema and not is_tuple(schema)
        if rest is False and not is_left_to_items:
            yield from least(validator, limit, value, schema)
        for at in range(len(value), min(int(limit), len(parts))) if rest is not False else ():
            yield ValidationError(not_given(parts[at], validator), path=[at], validator="required")

    least = size(list, operator.lt)

    def multiple_of(validator: Any, step: float, value: Any, schema: Any) -> Iterator[ValidationError]:
        if _is_number(validator, value, schema) and not is_multiple(value, step):
            yield ValidationError(f"{value!r} is not a multiple of {step}")

    def properties(validator: Any, members: Mapping[str, Any], value: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(value, dict):
            return
        needed = frozenset(schema.get("required", ()))
        for name, member in members.items():
            if name in value:
                yield from validator.descend(value[name], member, path=name, schema_path=name)
            elif name in needed and not (isinstance(member, Mapping) and "default" in member):
                yield ValidationError(not_given(member, validator), path=[name], validator="required")

    def required(validator: Any, names: list[str], value: Any, schema: Any) -> Iterator[ValidationError]:
        known = schema.get("properties", {})
        for name in names if isinstance(value, dict) else ():
            if name not in value and name not in known:
                yield ValidationError(NOT_GIVEN, path=[name])

    def names(validator: Any, member: Any, value: Any, _: object) -> Iterator[ValidationError]:
        for name in value if isinstance(value, dict) else ():
            if next(validator.descend(name, member), None) is not None:
                yield ValidationError("Invalid key in record", path=[name])

    def dependent(validator: Any, names: Mapping[str, list[str]], value: Any, _: object) -> Iterator[ValidationError]:
        for given, needed in names.items() if isinstance(value, dict) else ():
            for name in needed if given in value else ():
                if name not in value:
                    yield ValidationError(NOT_GIVEN, path=[name])

    def unique(validator: Any, wanted: bool, value: Any, _: object) -> Iterator[ValidationError]:
        if wanted and isinstance(value, list):
            seen: set[object] = set()
            for item in map(_canonical, value):
                if item in seen:
                    yield ValidationError("the items are not unique")
                    return
                seen.add(item)

    def enum(validator: Any, values: list[Any], value: Any, _: object) -> Iterator[ValidationError]:
        wanted = _canonical(value)
        if not any(wanted == _canonical(each) for each in values):
            yield ValidationError("it is not among the allowed values")

    def const(validator: Any, allowed: Any, value: Any, _: object) -> Iterator[ValidationError]:
        if _canonical(value) != _canonical(allowed):
            yield ValidationError("it is not the allowed value")

    return {
        "type": kind,
        "minimum": bound(operator.lt, "exclusiveMinimum"),
        "maximum": bound(operator.gt, "exclusiveMaximum"),
        "exclusiveMinimum": bound(operator.le),
        "exclusiveMaximum": bound(operator.ge),
        "minLength": size(str, operator.lt),
        "maxLength": size(str, operator.gt),
        "minItems": fewest,
        "maxItems": size(list, operator.gt),
        "multipleOf": multiple_of,
        "properties": properties,
        "required": required,
        "propertyNames": names,
        "dependentRequired": dependent,
        "uniqueItems": unique,
        "enum": enum,
        "const": const,
    }


def pattern_keywords(*, lenient: bool) -> dict[str, Keyword]:
    """Return the keywords with patterns.

    Args:
        lenient: A pattern that takes too long matches, and is not tried again.

    Raises:
        TooComplexError: A pattern takes too long, unless `lenient`; the next would take as long.
    """
    from jsonschema import ValidationError

    def matched(source: str, text: str) -> bool | None:
        found = matcher(source, again=not lenient)(text)
        if found is None and not lenient:
            raise TooComplexError(f"the pattern /{source:.100}/ takes too long to match")
        return found

    def pattern(validator: Any, source: str, value: object, _: object) -> Iterator[ValidationError]:
        if isinstance(value, str) and matched(source, value) is False:
            yield ValidationError(f"it does not match {source!r}")

    def pattern_properties(
        validator: Any, members: Mapping[str, Any], value: Any, _: object
    ) -> Iterator[ValidationError]:
        for source, member in members.items() if isinstance(value, dict) else ():
            for name, item in value.items():
                if matched(source, name):
                    yield from validator.descend(item, member, path=name, schema_path=source)

    def additional(validator: Any, allowed: object, value: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(value, dict) or allowed is True:
            return
        known = schema.get("properties", {})
        patterns = [*schema.get("patternProperties", {})]
        for name in value:
            if name in known or any(matched(source, name) is not False for source in patterns):
                continue
            if allowed is False:
                yield ValidationError(UNKNOWN_PARAMETER.says({"name": name}), path=[name])
            else:
                yield from validator.descend(value[name], allowed, path=name)

    return {"pattern": pattern, "patternProperties": pattern_properties, "additionalProperties": additional}


def elements(original: Keyword) -> Keyword:
    """Wrap the library's keyword for elements. For an array of a wrong size, zod may report only the size."""
    from jsonschema import ValidationError

    def elements(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(value, list) and not is_tuple(schema) and len(value) > schema.get("maxItems", len(value)):
            return
        listed, rest = parts_of(schema) if is_tuple(schema) else ([], True)
        if isinstance(value, list) and rest is False and len(value) < schema.get("minItems", 0):
            return
        if part is not False or rest is not False:
            ends = False
            for error in original(validator, part, value, schema):
                ends = ends or _ends(error)
                yield error
            least = schema.get("minItems", 0)
            if isinstance(value, list) and not is_tuple(schema) and not ends and len(value) < least:
                yield ValidationError("it is too short", validator="minItems", validator_value=least)
        elif isinstance(value, list) and len(value) > len(listed) and "maxItems" not in schema:
            yield ValidationError("it is too long", validator="maxItems", validator_value=len(listed))

    return elements


def _ends(error: ValidationError) -> bool:
    """Return whether zod does not report the size of the value around an error."""
    if error.context:
        return any(map(_ends, error.context))
    if error.validator == "type":
        return error.validator_value == "integer" and type(error.instance) in (int, float)
    return error.validator == "maxItems" and isinstance(error.instance, list) and not is_tuple(error.schema)


def parts_of(schema: Mapping[str, Any]) -> tuple[list[Any], Any]:
    """Return the schemas of a tuple's elements, and the schema of the elements after them."""
    if "prefixItems" in schema:
        return schema["prefixItems"], schema.get("items", True)
    return schema["items"], schema.get("additionalItems", True)


def with_room(original: Keyword) -> Keyword:
    """Wrap the library's keyword for references."""

    def with_room(validator: Any, reference: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        require_room()
        yield from original(validator, reference, value, schema)

    return with_room


def unevaluated(original: Keyword) -> Keyword:
    """Wrap the library's keyword, with the names that JavaScript's patterns match."""

    def unevaluated(validator: Any, allowed: object, value: Any, schema: Any) -> Iterator[ValidationError]:
        sources = schema.get("patternProperties")
        if sources and isinstance(value, dict):
            fits = [name for name in value if any(matcher(each)(name) is not False for each in sources)]
            properties = {**schema.get("properties", {}), **{name: {} for name in fits}}
            schema = {**schema, "patternProperties": {}, "properties": properties}
        yield from original(validator, allowed, value, schema)

    return unevaluated


def _is_unsafe(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) > SAFE_INTEGER


def _is_integer(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "integer"


def _is_number(validator: Any, value: object, schema: Mapping[str, Any]) -> bool:
    """Return whether zod checks the size of a value. It does not for 1.5 where an integer is expected."""
    found: bool = validator.is_type(value, "integer" if _is_integer(schema) else "number")
    return found


def _canonical(value: Any) -> object:
    """Return a hashable value that is equal for equal JSON values: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, dict):
        return "object", frozenset([(name, _canonical(each)) for name, each in value.items()])
    if isinstance(value, list | tuple):
        return "array", tuple([_canonical(each) for each in value])
    return value
