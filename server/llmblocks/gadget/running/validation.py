"""Validation of parameters against a JSON Schema, with JavaScript's patterns and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from llmblocks.gadget.running.patterns import pattern
from llmblocks.gadget.running.words import choices_of, words_of
from llmblocks.gadget.syntax.catalogue import CONSTRAINT_VIOLATED, UNKNOWN_PARAMETER
from llmblocks.gadget.syntax.javascript import finite
from llmblocks.gadget.syntax.pointer_errors import ErrorKind

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

JsonSchema = Mapping[str, Any]
Invalid = Literal["missing", "unknown", "type", "choice", "constraint"]
"""Missing, forbidden, of the wrong type, not among the choices, or against another constraint of the schema."""
Keyword = Callable[[Any, Any, Any, Any], Iterator["ValidationError"]]

_EXACT = 2**53
_TOLERANCE = 4 * 2.0**-52
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


class Issue(NamedTuple):
    """A validation error at a pointer ("" for all parameters).

    Shape: `message` is the runtime's, where it has one; `choices` are the allowed values where the value is none.
    """

    kind: Invalid | ErrorKind
    pointer: str
    message: str
    choices: tuple[Any, ...] = ()


class InvalidSchemaError(ValueError):
    """The error of an invalid JSON Schema. Shape: `path` leads to the part that is wrong."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


TOO_DEEP: Final = Issue("constraint", "", CONSTRAINT_VIOLATED.says({"case": "too-deep"}))


def make_validator(schema: JsonSchema, *, timed: bool = False) -> Validator:
    """The validator of a schema, for its draft. If `timed`, a pattern that takes too long matches.

    Errors: `InvalidSchemaError`.
    """
    from jsonschema import Draft202012Validator, FormatChecker, SchemaError
    from jsonschema.validators import extend, validator_for
    from referencing import Registry

    kind: Any = validator_for(schema, default=Draft202012Validator)
    only_patterns = FormatChecker(())
    only_patterns.checkers = {"regex": (_is_pattern, ())}
    try:
        kind.check_schema(dict(schema), format_checker=only_patterns)
    except SchemaError as error:
        where = "/".join(map(str, error.absolute_path)) or "its top"
        path = tuple(error.absolute_path)
        raise InvalidSchemaError(f"not a JSON Schema, at {where}: {error.message}", path) from error
    keywords = {name: keyword for name, keyword in _KEYWORDS.items() if name in kind.VALIDATORS}
    if timed:
        keywords["pattern"] = _timed_pattern
    if "unevaluatedProperties" in kind.VALIDATORS:
        keywords["unevaluatedProperties"] = _unevaluated(kind.VALIDATORS["unevaluatedProperties"])
    # Not the default registry: it fetches unknown references from the network.
    extended: Any = extend(kind, keywords)  # type: ignore[no-untyped-call]
    # A reference to a schema with `$schema` is validated by the class of that draft, without these keywords.
    undrafted = {name: part for name, part in schema.items() if name != "$schema"}
    validator: Validator = extended(undrafted, registry=Registry(), format_checker=_formats(kind.FORMAT_CHECKER))
    return validator


def issues(validator: Validator, parameters: Any) -> tuple[Issue, ...]:
    """All validation errors, in the order of the schema.

    Errors: `ValueError` for a reference to something outside the schema.
    """
    from referencing.exceptions import Unresolvable

    try:
        found = [issue for error in validator.iter_errors(parameters) for issue in _issues(error)]
    except Unresolvable as lost:
        raise ValueError(f"the schema refers to something outside it: {lost}") from lost
    except RecursionError:
        return (TOO_DEEP,)
    if len(found) < 2:
        return tuple(found)
    # of a value of the wrong type, the runtime says nothing else
    mistyped = {issue.pointer for issue in found if issue.kind == "type"}
    found = [issue for issue in found if issue.kind in ("type", "missing") or issue.pointer not in mistyped]
    seen: set[tuple[str, str]] = set()
    return tuple(one for one in found if not (one[1:3] in seen or seen.add(one[1:3])))  # type: ignore[func-returns-value]


def as_float64(schema: JsonSchema) -> JsonSchema:
    """The schema with its integers as JavaScript reads them; the schema itself if none changes."""
    waiting: list[object] = [schema]
    seen: set[int] = set()  # a schema may contain itself
    while waiting:
        part = waiting.pop()
        if isinstance(part, int):
            if abs(part) > _EXACT:
                rounded: JsonSchema = _rounded(schema)
                return rounded
        elif isinstance(part, Mapping | list) and id(part) not in seen:
            seen.add(id(part))
            waiting += part.values() if isinstance(part, Mapping) else part
    return schema


def is_multiple(value: float, step: float) -> bool:
    """Whether a number is a multiple of another within float64's precision: 1.15 is a multiple of 0.01.

    Source: zod, which accepts a quotient that is whole within four roundings.
    """
    try:
        ratio = float(value) / float(step)
    except (OverflowError, ZeroDivisionError):
        return False
    return isfinite(ratio) and abs(ratio - round(ratio)) < _TOLERANCE * max(abs(ratio), 1)


def _rounded(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {name: _rounded(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_rounded(value) for value in part]
    if isinstance(part, int) and abs(part) > _EXACT:
        # past float64, JavaScript has an infinity
        return finite(f"{part:d}") if abs(part) < 10**308 else float("inf") * (1 if part > 0 else -1)
    return part


def _issues(error: ValidationError) -> Iterator[Issue]:
    members = _members_that_are_not_null(error)
    if members is not None:
        for member in members:
            yield from _issues(member)
        return
    path = [str(part) for part in error.absolute_path]
    kind = _KINDS.get(str(error.validator), "constraint")
    missing: object = None
    if kind == "missing" and isinstance(error.instance, dict):
        names = [name for name in _required(error.validator_value) if error.message.startswith(repr(name))][:1]
        path += names
        if names and isinstance(error.schema, Mapping):
            properties = error.schema.get("properties")
            missing = properties.get(names[0], {}) if isinstance(properties, Mapping) else {}
    if error.validator == "unevaluatedProperties" and error.validator_value is not False:
        kind = "constraint"
    if kind != "unknown" or not isinstance(error.instance, dict):
        yield Issue(kind, "/".join(path), words_of(error, missing), choices_of(error))
    elif error.validator != "unevaluatedProperties":
        yield Issue(kind, "/".join(path), error.message)
    else:
        for name in error.instance:
            if repr(name) in error.message:
                yield Issue(kind, "/".join([*path, name]), UNKNOWN_PARAMETER.says({"name": name}))


def _members_that_are_not_null(error: ValidationError) -> list[ValidationError] | None:
    """The errors of the one member of a union that is not null, as the runtime reports them; None for other unions."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        return None
    members: Any = error.validator_value
    real = [at for at, member in enumerate(members) if not (isinstance(member, dict) and member.get("type") == "null")]
    if len(real) != 1:
        return None
    return [each for each in error.context if each.relative_schema_path[0] == real[0]] or None


def _required(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [name for names in value.values() for name in names]
    return list(value) if isinstance(value, list) else []


def _is_pattern(text: object) -> bool:
    try:
        return not isinstance(text, str) or bool(pattern(text))
    except ValueError:
        return False


def _formats(given: FormatChecker) -> FormatChecker:
    from jsonschema import FormatChecker

    checker = FormatChecker(())
    checker.checkers = {**given.checkers, "regex": (_is_pattern, ())}
    return checker


def _pattern(validator: Any, source: str, value: object, _: object) -> Iterator[ValidationError]:
    from jsonschema import ValidationError

    if isinstance(value, str) and not pattern(source)(value):
        yield ValidationError(f"{value!r} does not match {source!r}")


def _timed_pattern(validator: Any, source: str, value: object, _: object) -> Iterator[ValidationError]:
    from jsonschema import ValidationError

    from llmblocks.gadget.running.matching import timed_pattern

    if isinstance(value, str) and not timed_pattern(source)(value):
        yield ValidationError(f"{value!r} does not match {source!r}")


def _pattern_properties(validator: Any, patterns: JsonSchema, value: Any, _: object) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for source, member in patterns.items():
            matches = pattern(source)
            for name, item in value.items():
                if matches(name):
                    yield from validator.descend(item, member, path=name, schema_path=source)


def _additional_properties(
    validator: Any, allowed: object, value: Any, schema: JsonSchema
) -> Iterator[ValidationError]:
    from jsonschema import ValidationError

    if not isinstance(value, dict) or allowed is True:
        return
    known = schema.get("properties", {})
    patterns = [pattern(source) for source in schema.get("patternProperties", {})]
    for name in value:
        if name not in known and not any(matches(name) for matches in patterns):
            if allowed is False:
                yield ValidationError(UNKNOWN_PARAMETER.says({"name": name}), path=[name])
            else:
                yield from validator.descend(value[name], allowed, path=name)


def _multiple_of(validator: Any, step: float, value: Any, _: object) -> Iterator[ValidationError]:
    from jsonschema import ValidationError

    if validator.is_type(value, "number") and not is_multiple(value, step):
        yield ValidationError(f"{value!r} is not a multiple of {step}")


def _unevaluated(original: Keyword) -> Keyword:
    """The keyword of the library, with the names that JavaScript's patterns match."""

    def unevaluated(validator: Any, allowed: object, value: Any, schema: Any) -> Iterator[ValidationError]:
        sources = schema.get("patternProperties")
        if sources and isinstance(value, dict):
            matched: JsonSchema = {name: {} for name in value if any(pattern(source)(name) for source in sources)}
            schema = {**schema, "patternProperties": {}, "properties": {**schema.get("properties", {}), **matched}}
        yield from original(validator, allowed, value, schema)

    return unevaluated


_KEYWORDS: dict[str, Keyword] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "multipleOf": _multiple_of,
}
