"""The bounds of a validation: each part of a schema judges each value once, and steps are counted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

T = TypeVar("T")
STEPS: Final = 20_000
"""The steps of a validation: about a tenth of a second."""
STEPS_OF_A_VALUE: Final = 50
"""The steps that each value in the parameters adds."""


class TooComplexError(Exception):
    """A validation takes more steps than its values justify, or a pattern of the schema too much time."""


class Bounds(threading.local):
    """The memory of the validation that a thread is at.

    What was judged is known by the identities of the part of the schema and of the value, which are kept with it.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int], tuple[object, object, Any]] = {}
        self._left = 0

    def begin(self, parameters: object) -> None:
        """Forget the last validation."""
        self._known = {}
        self._left = STEPS + STEPS_OF_A_VALUE * _count(parameters)

    def end(self) -> None:
        """Keep nothing of the validation."""
        self._known = {}

    def once(self, question: str, part: object, value: object, answer: Callable[[], T]) -> T:
        """The answer to a question about a part of the schema and a value, computed once."""
        key = question, id(part), id(value)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = part, value, answer()
        found: T = known[2]
        return found

    def step(self) -> None:
        """Take a step. Errors: `TooComplexError`."""
        self._left -= 1
        if self._left < 0:
            raise TooComplexError


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
    """A copy of an error: whoever passes one on writes its own part of the path into it."""
    found: ValidationError = type(error).create_from(error)
    return found


def bounded_keywords(bounds: Bounds) -> dict[str, Any]:
    """The keywords that apply several schemas to one value."""
    from jsonschema import ValidationError

    def reference(validator: Any, ref: str, value: object, _: object) -> Iterator[ValidationError]:
        bounds.step()
        part, resolver = (resolved := validator._resolver.lookup(ref)).contents, resolved.resolver

        def errors() -> tuple[ValidationError, ...]:
            return tuple(validator.descend(value, part, resolver=resolver))

        return map(_fresh, bounds.once("errors", part, value, errors))

    def all_of(validator: Any, members: list[Any], value: object, _: object) -> Iterator[ValidationError]:
        seen: set[tuple[object, ...]] = set()
        for number, member in enumerate(members):
            bounds.step()
            for error in validator.descend(value, member, schema_path=number):
                # what several members say is said once
                same = (*error.relative_path, error.validator, id(error.validator_value), error.message)
                if same not in seen:
                    seen.add(same)
                    yield error

    def any_of(validator: Any, members: list[Any], value: object, _: object) -> Iterator[ValidationError]:
        fits, context = _fitting(validator, members, value)
        if next(fits, None) is None:
            yield ValidationError("Invalid input", context=context)

    def one_of(validator: Any, members: list[Any], value: object, _: object) -> Iterator[ValidationError]:
        fits, context = _fitting(validator, members, value)
        if next(fits, None) is None:
            yield ValidationError("Invalid input", context=context)
        elif next(fits, None) is not None:
            yield ValidationError("Invalid input")

    def _fitting(validator: Any, members: list[Any], value: object) -> tuple[Iterator[int], list[ValidationError]]:
        """The numbers of the members that fit, and the errors of the only one that is not null, once it was tried."""
        context: list[ValidationError] = []
        only = only_member(members)

        def fitting() -> Iterator[int]:
            for number, member in enumerate(members):
                bounds.step()
                errors = validator.descend(value, member, schema_path=number)
                found = [*errors] if number == only else [*filter(None, [next(errors, None)])]
                if not found:
                    yield number
                elif number == only:
                    context.extend(found)

        return fitting(), context

    return {"$ref": reference, "allOf": all_of, "anyOf": any_of, "oneOf": one_of}


def only_member(members: object) -> int | None:
    """The number of the one member of a union that is not null; None for other unions."""
    if not isinstance(members, list):
        return None
    real = [at for at, each in enumerate(members) if not (isinstance(each, Mapping) and each.get("type") == "null")]
    return real[0] if len(real) == 1 else None
