"""Checks of plain values by annotations."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic_core import PydanticCustomError

from pydantic.errors import Problem

_MISSING: Final = object()
_TYPES: Final = {
    str: ("string_type", "Input should be a valid string"),
    int: ("int_type", "Input should be a valid integer"),
    float: ("float_type", "Input should be a valid number"),
    bool: ("bool_type", "Input should be a valid boolean"),
}
_LIMITS: Final = (
    ("le", operator.le, "less_than_equal", "less than or equal to"),
    ("ge", operator.ge, "greater_than_equal", "greater than or equal to"),
    ("gt", operator.gt, "greater_than", "greater than"),
)


class ValidationInfo:
    """What a validator is told besides the value."""

    def __init__(self, context: Any) -> None:
        self.context = context


@dataclass(frozen=True, slots=True)
class AfterValidator:
    """A function of a valid value, and of a `ValidationInfo` if it takes two arguments, which gives another one."""

    function: Callable[..., Any]

    def __call__(self, value: Any, context: Any) -> Any:
        """The other value. Errors: those of the function."""
        more = (ValidationInfo(context),) if len(signature(self.function).parameters) > 1 else ()
        return self.function(value, *more)


# annotations are hashed
@dataclass(slots=True, eq=False)
class FieldInfo:
    """Limits, and the default of a field. Shape: `annotation` is the type of a field, without what annotates it."""

    default: Any = _MISSING
    default_factory: Callable[[], Any] | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    annotation: Any = None

    def value(self) -> Any:
        """The default. Every field of the settings has one."""
        return self.default_factory() if self.default_factory is not None else self.default


def Field(  # noqa: N802 - as in pydantic
    *, default: Any = _MISSING, default_factory: Callable[[], Any] | None = None, **limits: Any
) -> Any:
    """Limits, and the default of a field."""
    return FieldInfo(default, default_factory, limits)


class InvalidError(Exception):
    """The errors of a value."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__()
        self.problems = problems


def check(annotation: Any, value: Any, context: Any) -> Any:
    """The value as a field holds it. Errors: `InvalidError`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:], value, context)
    if origin is Literal:
        return _choice(arguments, value)
    if origin in (Union, UnionType):
        [one] = [each for each in arguments if each is not NoneType]
        return None if value is None else check(one, value, context)
    if origin is tuple:
        return _items(arguments[0], value, context, None)
    if origin is dict:
        return _entries(*arguments, value, context, None)
    if annotation in _TYPES:
        return _plain(annotation, value)
    return annotation.checked(value, context)


def _annotated(annotation: Any, notes: tuple[Any, ...], value: Any, context: Any) -> Any:
    limits: dict[str, Any] = {}
    for note in notes:
        if isinstance(note, FieldInfo):
            limits |= note.limits
    most, origin, arguments = limits.get("max_length"), get_origin(annotation), get_args(annotation)
    if origin is tuple:
        value = _items(arguments[0], value, context, most)
    elif origin is dict:
        value = _entries(*arguments, value, context, most)
    else:
        value = check(annotation, value, context)
        _within(value, limits)
    for note in notes:
        if isinstance(note, AfterValidator):
            value = _after(note, value, context)
    return value


def _after(validator: AfterValidator, value: Any, context: Any) -> Any:
    try:
        return validator(value, context)
    except PydanticCustomError as error:
        raise InvalidError([Problem(error.type, str(error))]) from error
    except ValueError as error:
        raise InvalidError([Problem("value_error", f"Value error, {error}")]) from error


def _plain(kind: type, value: Any) -> Any:
    is_kind = type(value) is kind or (kind is float and type(value) is int)
    if not is_kind:
        raise InvalidError([Problem(*_TYPES[kind])])
    if kind is str and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            what = "Input should be a valid string, unable to parse raw data as a unicode string"
            raise InvalidError([Problem("string_unicode", what)]) from None
    if kind is float and type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise InvalidError([Problem(*_TYPES[kind])]) from None
    return value


def _choice(choices: tuple[Any, ...], value: Any) -> Any:
    if isinstance(value, str) and value in choices:
        return value
    *others, last = [repr(each) for each in choices]
    raise InvalidError([Problem("literal_error", f"Input should be {', '.join(others)} or {last}")])


def _within(value: Any, limits: dict[str, Any]) -> None:
    if isinstance(value, str):
        least, most = limits.get("min_length", 0), limits.get("max_length")
        if len(value) < least:
            raise InvalidError([Problem("string_too_short", f"String should have at least {least} characters")])
        if most is not None and len(value) > most:
            what = f"String should have at most {most} characters"
            raise InvalidError([Problem("string_too_long", what, ctx={"max_length": most})])
    else:
        for name, holds, kind, words in _LIMITS:
            if name in limits and not holds(value, limits[name]):
                raise InvalidError([Problem(kind, f"Input should be {words} {limits[name]}")])


def _items(annotation: Any, value: Any, context: Any, most: int | None) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise InvalidError([Problem("tuple_type", "Input should be a valid tuple")])
    found: list[Any] = []
    problems: list[Problem] = []
    for number, each in enumerate(value):
        try:
            found.append(check(annotation, each, context))
        except InvalidError as error:
            problems += [problem.below(number) for problem in error.problems]
        if most is not None and len(found) > most:
            raise InvalidError([_too_long("Tuple", most, len(value))])
    if problems:
        raise InvalidError(problems)
    return tuple(found)


def _entries(names: Any, values: Any, value: Any, context: Any, most: int | None) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise InvalidError([Problem("dict_type", "Input should be a valid dictionary")])
    if most is not None and len(value) > most:
        raise InvalidError([_too_long("Dictionary", most, len(value))])
    found: dict[Any, Any] = {}
    problems: list[Problem] = []
    for name, each in value.items():
        key = name
        try:
            key = check(names, name, context)
        except InvalidError as error:
            problems += [problem.below(name, "[key]") for problem in error.problems]
        try:
            found[key] = check(values, each, context)
        except InvalidError as error:
            problems += [problem.below(name) for problem in error.problems]
    if problems:
        raise InvalidError(problems)
    return found


def _too_long(what: str, most: int, length: int) -> Problem:
    words = f"{what} should have at most {most} items after validation, not {length}"
    return Problem("too_long", words, ctx={"max_length": most})
