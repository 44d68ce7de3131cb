"""Validation of parameters against a JSON Schema, with JavaScript's patterns and numbers."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from llmblocks.gadget.rules import CONSTRAINT_VIOLATED, UNKNOWN_PARAMETER
from llmblocks.gadget.running import keywords
from llmblocks.gadget.running.bounds import Bounds, bounded_keywords
from llmblocks.gadget.running.metaschema import JsonSchema, Metaschema, is_pattern
from llmblocks.gadget.running.words import choices_of, words_of
from llmblocks.gadget.syntax.javascript import finite
from llmblocks.gadget.syntax.pointer_errors import ErrorKind

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Invalid = Literal["missing", "unknown", "type", "choice", "constraint"]
"""A value is missing, forbidden, of the wrong type, not among the choices, or violates another constraint of the
schema.
"""

_EXACT = 2**53
_TYPES: dict[str, Any] = {
    "string": str,
    "number": int | float,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
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
    """A validation error at a pointer ("" for all parameters)."""

    kind: Invalid | ErrorKind
    pointer: str
    message: str
    """The runtime's message, if it has one."""
    choices: tuple[Any, ...] = ()
    """The allowed values, if the value is not one of them."""


TOO_DEEP: Final = Issue("constraint", "", CONSTRAINT_VIOLATED.says({"case": "too-deep"}))
TOO_COMPLEX: Final = Issue("constraint", "", CONSTRAINT_VIOLATED.says({"case": "too-complex"}))


def require_schema(schema: JsonSchema) -> None:
    """Raise `InvalidSchemaError` for anything but a JSON Schema."""
    _metaschema(_draft(schema)).require(schema)


# kept, because the parts of most schemas have the shapes of others
_metaschema = lru_cache(maxsize=8)(Metaschema)


def _draft(schema: JsonSchema) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    return validator_for(schema, default=Draft202012Validator)


def make_validator(schema: JsonSchema, bounds: Bounds, *, timed: bool = False) -> Validator:
    """Return the validator of a schema, for its draft. If `timed`, a pattern that takes too long matches.

    Raises:
        InvalidSchemaError: The schema is invalid.
    """
    from jsonschema.validators import create
    from referencing import Registry

    require_schema(schema)
    kind = _draft(schema)
    given = {**keywords.plain_keywords(), **keywords.pattern_keywords(lenient=timed), **bounded_keywords(bounds)}
    changed = {name: keyword for name, keyword in given.items() if name in kind.VALIDATORS}
    for name in ("items", "prefixItems", "additionalItems"):
        if name in kind.VALIDATORS:
            changed[name] = keywords.elements(kind.VALIDATORS[name])
    for name in ("$dynamicRef", "$recursiveRef"):
        if name in kind.VALIDATORS:
            changed[name] = keywords.with_room(kind.VALIDATORS[name])
    if "unevaluatedProperties" in kind.VALIDATORS:
        changed["unevaluatedProperties"] = keywords.unevaluated(kind.VALIDATORS["unevaluatedProperties"])
    if "required" not in kind.VALIDATORS:
        # draft 3 gives these another meaning
        changed = {name: keyword for name, keyword in changed.items() if name not in ("type", "properties")}
    is_old = "unevaluatedProperties" not in kind.VALIDATORS
    # Not the default registry: it fetches unknown references from the network.
    extended: Any = create(
        kind.META_SCHEMA,
        {**kind.VALIDATORS, **changed},
        type_checker=kind.TYPE_CHECKER,
        format_checker=kind.FORMAT_CHECKER,
        id_of=kind.ID_OF,
        applicable_validators=keywords.in_order_of_old_drafts if is_old else keywords.in_order,
    )
    has_float_integers = kind.TYPE_CHECKER.is_type(1.0, "integer")

    def counted(validator: Any, value: object, name: str) -> bool:
        bounds.step()
        if name == "integer" and isinstance(value, float):
            return has_float_integers and value.is_integer()
        if isinstance(value, bool):
            return name in ("boolean", "any")
        return name == "any" or isinstance(value, _TYPES[name])

    # nearly every keyword checks the type first
    extended.is_type = counted
    # A reference to a schema with `$schema` is validated by the class of that draft, without these keywords.
    undrafted = {name: part for name, part in schema.items() if name != "$schema"}
    validator: Validator = extended(undrafted, registry=Registry(), format_checker=_formats(kind.FORMAT_CHECKER))
    return validator


def issues(validator: Validator, parameters: Any) -> tuple[Issue, ...]:
    """Return all validation errors, in the order of the schema.

    Raises:
        ValueError: A reference leads outside the schema.
    """
    from referencing.exceptions import Unresolvable

    try:
        found = [issue for error in validator.iter_errors(parameters) for issue in _issues(error, ())]
    except Unresolvable as lost:
        raise ValueError(f"the schema refers to something outside it: {lost}") from lost
    except RecursionError:
        return (TOO_DEEP,)
    seen: set[tuple[str, str]] = set()
    return tuple(one for one in found if not (one[1:3] in seen or seen.add(one[1:3])))  # type: ignore[func-returns-value]


def as_float64(schema: JsonSchema) -> JsonSchema:
    """Return the schema with its integers as JavaScript reads them; the same object if none changes."""
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


def _rounded(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {name: _rounded(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_rounded(value) for value in part]
    if isinstance(part, int) and abs(part) > _EXACT:
        # beyond float64, JavaScript has infinities
        return finite(f"{part:d}") if abs(part) < 10**308 else float("inf") * (1 if part > 0 else -1)
    return part


def _issues(error: ValidationError, above: tuple[str, ...]) -> Iterator[Issue]:
    """Yield the issues of an error.

    Args:
        error: The error; several places may share it.
        above: The path to the value of its parent.
    """
    path = [*above, *map(str, error.relative_path)]
    if error.context:
        # for a union with one member that is not null, the runtime reports the errors of that member
        for member in error.context:
            yield from _issues(member, (*path,))
        return
    kind = _KINDS.get(str(error.validator), "constraint")
    if error.validator == "unevaluatedProperties" and error.validator_value is not False:
        kind = "constraint"
    if kind != "unknown" or not isinstance(error.instance, dict):
        yield Issue(kind, "/".join(path), words_of(error), choices_of(error))
    elif error.validator != "unevaluatedProperties":
        yield Issue(kind, "/".join(path), error.message)
    else:
        for name in error.instance:
            if repr(name) in error.message:
                yield Issue(kind, "/".join([*path, name]), UNKNOWN_PARAMETER.says({"name": name}))


def _formats(given: FormatChecker) -> FormatChecker:
    from jsonschema import FormatChecker

    checker = FormatChecker(())
    checker.checkers = {**given.checkers, "regex": (is_pattern, ()), "jwt": (_is_token, ())}
    return checker


def _is_token(text: object) -> bool:
    """Return whether a value is not a text, or is a JSON Web Token, with an unchecked signature. Source: zod."""
    if not isinstance(text, str):
        return True
    header, *rest = text.split(".")
    try:
        found = json.loads(b64decode(header + "=" * (-len(header) % 4), validate=True).decode("latin-1"))
    except (ValueError, RecursionError):
        return False
    return len(rest) == 2 and isinstance(found, dict) and found.get("typ", "JWT") == "JWT" and bool(found.get("alg"))
