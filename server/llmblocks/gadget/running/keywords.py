"""Keywords of JSON Schema as JavaScript's zod understands them, in time linear in schema and value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from llmblocks.gadget.running.bounds import TooComplexError
from llmblocks.gadget.running.matching import matcher
from llmblocks.gadget.syntax.catalogue import UNKNOWN_PARAMETER

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Keyword = Callable[[Any, Any, Any, Any], Iterator["ValidationError"]]
_TOLERANCE = 4 * 2.0**-52


def is_multiple(value: float, step: float) -> bool:
    """Whether a number is a multiple of another within float64's precision: 1.15 is a multiple of 0.01.

    Source: zod, which accepts a quotient that is whole within four roundings.
    """
    try:
        ratio = float(value) / float(step)
    except (OverflowError, ZeroDivisionError):
        return False
    return isfinite(ratio) and abs(ratio - round(ratio)) < _TOLERANCE * max(abs(ratio), 1)


def plain_keywords() -> dict[str, Keyword]:
    """The keywords without patterns. Their messages quote no value: it may be large, and `words_of` has the words."""
    from jsonschema import ValidationError

    def multiple_of(validator: Any, step: float, value: Any, _: object) -> Iterator[ValidationError]:
        if validator.is_type(value, "number") and not is_multiple(value, step):
            yield ValidationError(f"{value!r} is not a multiple of {step}")

    def required(validator: Any, names: list[str], value: Any, _: object) -> Iterator[ValidationError]:
        for name in names if isinstance(value, dict) else ():
            if name not in value:
                yield ValidationError(f"{name!r} is a required property", path=[name])

    def dependent(validator: Any, names: Mapping[str, list[str]], value: Any, _: object) -> Iterator[ValidationError]:
        for given, needed in names.items() if isinstance(value, dict) else ():
            for name in needed if given in value else ():
                if name not in value:
                    yield ValidationError(f"{name!r} is a dependency of {given!r}", path=[name])

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
        "multipleOf": multiple_of,
        "required": required,
        "dependentRequired": dependent,
        "uniqueItems": unique,
        "enum": enum,
        "const": const,
    }


def pattern_keywords(*, lenient: bool) -> dict[str, Keyword]:
    """The keywords with patterns. Shape: if `lenient`, a pattern that takes too long matches, and is not tried again.

    Errors: `TooComplexError` for such a pattern, if not `lenient`: the next would take as long.
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


def unevaluated(original: Keyword) -> Keyword:
    """The keyword of the library, with the names that JavaScript's patterns match."""

    def unevaluated(validator: Any, allowed: object, value: Any, schema: Any) -> Iterator[ValidationError]:
        sources = schema.get("patternProperties")
        if sources and isinstance(value, dict):
            fits = [name for name in value if any(matcher(each)(name) is not False for each in sources)]
            properties = {**schema.get("properties", {}), **{name: {} for name in fits}}
            schema = {**schema, "patternProperties": {}, "properties": properties}
        yield from original(validator, allowed, value, schema)

    return unevaluated


def _canonical(value: Any) -> object:
    """A value that is equal to that of an equal JSON value, and hashable: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, dict):
        return "object", frozenset([(name, _canonical(each)) for name, each in value.items()])
    if isinstance(value, list | tuple):
        return "array", tuple([_canonical(each) for each in value])
    return value
