"""Objects with named and checked fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Self, dataclass_transform, get_args, get_origin, get_type_hints

from pydantic.checks import FieldInfo, InvalidError, check
from pydantic.errors import Problem, ValidationError


def ConfigDict(**options: Any) -> dict[str, Any]:  # noqa: N802 - as in pydantic
    """How a model checks. Models of settings are all strict, and forbid other fields: nothing depends on it."""
    return options


def model_validator(*, mode: str) -> Callable[[Any], Any]:
    """Mark a method that checks a model as a whole, after its fields."""

    def mark(method: Any) -> Any:
        method.checks_model = mode
        return method

    return mark


class _Fields:
    """The fields of a model, by name: read when they are first asked for, as annotations may name later classes."""

    def __get__(self, _: object, model: type[Any]) -> dict[str, FieldInfo]:
        model.annotations = get_type_hints(model, include_extras=True)
        model.model_fields = found = {
            name: getattr(model, f"_default_{name}") for name in model.annotations if name not in _OWN
        }
        for name, info in found.items():
            annotation = model.annotations[name]
            info.annotation = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
        return found


@dataclass_transform(kw_only_default=True)
class BaseModel:
    """An object with the fields that its class annotates."""

    model_config: ClassVar[dict[str, Any]]
    model_fields: ClassVar[Any] = _Fields()
    annotations: ClassVar[dict[str, Any]]
    _checks: ClassVar[tuple[Any, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.model_fields = _Fields()
        cls._checks = tuple(each for each in vars(cls).values() if hasattr(each, "checks_model"))
        for name, value in [*vars(cls).items()]:
            if isinstance(value, FieldInfo):
                setattr(cls, f"_default_{name}", value)
                delattr(cls, name)

    def __init__(self, **given: Any) -> None:
        for name, info in type(self).model_fields.items():
            setattr(self, name, given[name] if name in given else info.value())

    @classmethod
    def model_validate(cls, given: Any, *, context: Any = None) -> Self:
        """The model of an object. Errors: `ValidationError`."""
        try:
            return cls.checked(given, context)
        except InvalidError as error:
            raise ValidationError(error.problems) from error

    @classmethod
    def checked(cls, given: Any, context: Any) -> Self:
        """The same for a model in another. Errors: `InvalidError`."""
        if not isinstance(given, dict):
            what = f"Input should be a valid dictionary or instance of {cls.__name__}"
            raise InvalidError([Problem("model_type", what)])
        fields, found, problems = cls.model_fields, {}, []
        for name in fields:
            if name in given:
                try:
                    found[name] = check(cls.annotations[name], given[name], context)
                except InvalidError as error:
                    problems += [problem.below(name) for problem in error.problems]
        problems += [
            Problem("extra_forbidden", "Extra inputs are not permitted", (name,))
            for name in given
            if name not in fields
        ]
        if problems:
            raise InvalidError(problems)
        made = cls(**found)
        for each in cls._checks:
            try:
                made = each(made)
            except ValueError as error:
                raise InvalidError([Problem("value_error", f"Value error, {error}")]) from error
        return made

    def model_dump(self, *, mode: str, exclude_none: bool) -> dict[str, Any]:
        """Plain values. Shape: always as for JSON, and without what is None."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: _dumped(value) for name, value in values.items() if value is not None}


_OWN = frozenset(("model_config", "model_fields", "annotations", "_checks"))


def _dumped(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, dict):
        return {name: _dumped(each) for name, each in value.items() if each is not None}
    return [_dumped(each) for each in value] if isinstance(value, tuple) else value
