"""The bounds of a validation: each part of a schema judges each value once, and steps are counted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, TypeVar

from llmblocks.gadget.running.words import is_tuple, target

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

T = TypeVar("T")
STEPS: Final = 20_000
"""The number of steps of a validation: about a tenth of a second."""
STEPS_OF_A_VALUE: Final = 50
"""The number of steps that each value in the parameters adds."""


class TooComplexError(Exception):
    """A validation takes more steps than its values justify, or a pattern of the schema takes too long."""


class Bounds(threading.local):
    """The memory of the current validation of a thread.

    Answers are stored by the identities of a part of the schema and a value. Both are kept alive with them.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int], tuple[object, object, Any]] = {}
        self._left = 0

    def begin(self, parameters: object) -> None:
        """Forget the last validation."""
        self._known = {}
        self._left = STEPS + STEPS_OF_A_VALUE * _count(parameters)

    def end(self) -> None:
        """Forget the validation."""
        self._known = {}

    def once(self, question: str, part: object, value: object, answer: Callable[[], T]) -> T:
        """Return the answer to a question about a part of the schema and a value, computed once."""
        key = question, id(part), id(value)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = part, value, answer()
        found: T = known[2]
        return found

    def step(self) -> None:
        """Count a step.

        Raises:
            TooComplexError: There are too many.
        """
        self._left -= 1
        if self._left < 0:
            raise TooComplexError


def require_room(calls: int = 30) -> None:
    """Raise `RecursionError` while some stack is left: the library cannot handle it while it resolves references."""
    if calls:
        require_room(calls - 1)


def _count(value: object) -> int:
    count, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        count += 1
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return count


def _fresh(error: ValidationError) -> ValidationError:
    """Copy an error, because each parent adds its own part to the path."""
    found: ValidationError = type(error).create_from(error)
    return found


def bounded_keywords(bounds: Bounds) -> dict[str, Any]:
    """Return the keywords that apply several schemas to one value."""
    from jsonschema import ValidationError

    def reference(validator: Any, ref: str, value: object, _: object) -> Iterator[ValidationError]:
        bounds.step()
        require_room()
        part, resolver = (resolved := validator._resolver.lookup(ref)).contents, resolved.resolver

        def errors() -> tuple[ValidationError, ...]:
            return tuple(validator.descend(value, part, resolver=resolver))

        return map(_fresh, bounds.once("errors", part, value, errors))

    def all_of(validator: Any, members: list[Any], value: object, _: object) -> Iterator[ValidationError]:
        seen: set[tuple[object, ...]] = set()
        for number, member in enumerate(members):
            bounds.step()
            for error in validator.descend(value, member, schema_path=number):
                # report an error of several members once
                same = (*error.relative_path, error.validator, id(error.validator_value), error.message)
                if same not in seen:
                    seen.add(same)
                    yield error

    def errors_of(validator: Any, members: list[Any], value: object) -> Iterator[list[ValidationError]]:
        """Yield the deciding errors of a value against each member of a union; none if a member fits."""
        only = only_member(members)
        for number, member in enumerate(members):
            bounds.step()
            found = validator.descend(value, member, schema_path=number)
            yield [*(found if number == only else _up_to_the_end(found))]

    def any_of(validator: Any, members: list[Any], value: object, _: object) -> Iterator[ValidationError]:
        failed = [*takewhile(bool, errors_of(validator, members, value))]
        if len(failed) == len(members):
            yield _of_none(members, failed)

    def one_of(validator: Any, members: list[Any], value: Any, _: object) -> Iterator[ValidationError]:
        tag, tagged = bounds.once("tags", members, None, lambda: tags_of(members, validator))
        if not tag:
            failed = [*filter(None, errors_of(validator, members, value))]
            if len(failed) == len(members):
                yield _of_none(members, failed)
            elif len(failed) < len(members) - 1:
                yield ValidationError("Invalid input: more than one option matched")
        elif not isinstance(value, dict):
            yield ValidationError("it is of another type", validator="type", validator_value="object")
        elif isinstance(given := value.get(tag), str) and given in tagged:
            yield from validator.descend(value, tagged[given])
        else:
            words = f"Invalid discriminator value. Expected {' | '.join(map(repr, tagged))}"
            yield ValidationError(words, path=[tag], validator="enum", validator_value=[*tagged])

    def _of_none(members: list[Any], failed: list[list[ValidationError]]) -> ValidationError:
        """Return the error of a value that fits no member: that of the only near match, as in zod."""
        only = only_member(members)
        near = [errors for errors in failed if not aborts(errors[-1])] if only is None else [failed[only]]
        context = near[0] if len(near) == 1 else []
        known = [error for error in context if not is_unknown(error)]
        return ValidationError("Invalid input", context=known or context)

    return {"$ref": reference, "allOf": all_of, "anyOf": any_of, "oneOf": one_of}


_CHECKS = frozenset(
    (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems", "pattern", "format"),
    )
)


def is_unknown(error: ValidationError) -> bool:
    """Return whether the error is a key that zod drops."""
    return error.validator in ("additionalProperties", "unevaluatedProperties") and error.validator_value is False


def aborts(error: ValidationError) -> bool:
    """Return whether zod considers a value with this error to be of another kind."""
    if error.context:
        return any(map(aborts, error.context))
    if is_tuple(error.schema) or (error.validator == "maxItems" and isinstance(error.instance, list)):
        return not is_unknown(error)
    return not (is_unknown(error) or error.validator in _CHECKS)


def _up_to_the_end(errors: Iterator[ValidationError]) -> Iterator[ValidationError]:
    """Yield errors up to the first that decides."""
    for error in errors:
        yield error
        if aborts(error):
            return


def tags_of(members: list[Any], validator: Any) -> tuple[str, dict[str, Any]]:
    """Return the property that distinguishes the objects of a union, and the members by its values; "" without one."""
    parts = [target(member, validator) for member in members]
    known = [part["properties"] for part in parts if isinstance(part, Mapping) and "properties" in part]
    if len(known) < max(len(parts), 2):
        return "", {}
    for tag in known[0]:
        values = [_tags(each.get(tag)) for each in known]
        tagged = {value: part for part, each in zip(members, values, strict=True) for value in each}
        if all(values) and len(tagged) == sum(map(len, values)):
            return tag, tagged
    return "", {}


def _tags(schema: object) -> list[str]:
    values = [schema["const"]] if isinstance(schema, Mapping) and "const" in schema else []
    if isinstance(schema, Mapping) and isinstance(schema.get("enum"), list):
        values = schema["enum"]
    return values if all(isinstance(value, str) for value in values) else []


def only_member(members: object) -> int | None:
    """Return the index of the only member of a union that is not null; None for other unions."""
    if not isinstance(members, list):
        return None
    real = [at for at, each in enumerate(members) if not (isinstance(each, Mapping) and each.get("type") == "null")]
    return real[0] if len(real) == 1 else None
