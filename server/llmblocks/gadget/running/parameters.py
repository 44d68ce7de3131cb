"""Parameters for a gadget: typed by its schema, complete with defaults, valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from llmblocks.gadget.call import read_body
from llmblocks.gadget.running.assertions import Invalid
from llmblocks.gadget.running.parts import JsonSchema
from llmblocks.gadget.running.schema import Issue, ParameterSchema
from llmblocks.gadget.syntax.markers import Markers, markers_or_default
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.pointer_errors import ErrorKind

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

_KINDS: dict[str, Invalid] = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "literal_error": "choice",
    "enum": "choice",
}
"""Our kind for each kind of error of pydantic."""
AnySchema = JsonSchema | type["BaseModel"] | ParameterSchema


@dataclass(eq=False, repr=False)
class ParameterError(ValueError):
    """The error of unreadable or invalid parameters.

    Attributes:
        errors: All errors, each with its `kind`, `pointer` and `message`.
        kind, pointer: Those of the first error.
        parameters: For invalid arguments, the values as typed by the schema, which the runtime would validate.

    For unreadable arguments, the text is the runtime's.
    """

    message: str
    errors: tuple[Issue, ...]
    parameters: Parameters | None = None

    def __str__(self) -> str:
        return self.message

    @property
    def kind(self) -> Invalid | ErrorKind:
        return self.errors[0].kind

    @property
    def pointer(self) -> str:
        return self.errors[0].pointer


def parse_parameters(raw: str, *, markers: Markers | None = None, schema: AnySchema | None = None) -> dict[str, Any]:
    """Decode the text between a call's header and its end.

    Args:
        raw: A `GadgetCall.parameters_raw`.
        markers: The markers; None for the default ones.
        schema: A JSON Schema or a pydantic model. It decides the types at its pointers, missing properties get their
            defaults, and forbidden ones are dropped.

    Returns:
        The valid parameters; from a pydantic model, `model_dump(by_alias=True)`.

    Raises:
        ParameterError: The arguments are unreadable or invalid; it has all errors.
        ValueError: The schema is invalid.

    Source: llmist's executor; validation by jsonschema, or by pydantic for its models.
    """
    if not isinstance(raw, str):
        raise TypeError(f"raw is a str, such as GadgetCall.parameters_raw, not {type(raw).__name__}")
    ready = prepare(schema) if schema is not None else None
    arg = markers_or_default(markers).arg
    parameters, problems = read_body(raw, arg).decoded(ready.expected if ready is not None else None)
    if parameters is None:
        errors = tuple(Issue(problem.kind, problem.pointer, problem.message) for problem in problems)
        raise ParameterError(errors[0].message, errors)
    return validated(parameters, ready)[0] if ready is not None else parameters


def prepare(schema: AnySchema) -> ParameterSchema:
    """Return the prepared schema."""
    return schema if isinstance(schema, ParameterSchema) else ParameterSchema(schema)


def validated(parameters: Parameters, schema: ParameterSchema) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return typed parameters with defaults, and the dropped pointers; raise `ParameterError` if they are invalid."""
    if schema.model is not None:
        return validated_model(parameters, schema.model).model_dump(by_alias=True), ()
    checked = schema.check(parameters)
    if checked.issues:
        raise _invalid(checked.issues, parameters)
    return checked.parameters, checked.ignored


def validated_model(parameters: Parameters, model: type[BaseModel]) -> BaseModel:
    """Return the parameters as an instance of a pydantic model; raise `ParameterError` if they are invalid."""
    from pydantic import ValidationError

    try:
        return model.model_validate(parameters)
    except ValidationError as error:
        raise _invalid(tuple(_model_issues(error, parameters)), parameters) from error


def _invalid(issues: tuple[Issue, ...], parameters: Parameters) -> ParameterError:
    lines = [f"{issue.pointer or 'root'}: {issue.message}" for issue in issues]
    return ParameterError("\n".join(lines), issues, parameters)


def _model_issues(error: ValidationError, parameters: Parameters) -> list[Issue]:
    found = []
    for detail in error.errors(include_url=False, include_context=False):
        word = detail["type"]
        kind = _KINDS.get(word) or ("type" if word.endswith(("_type", "_parsing")) else "constraint")
        found.append(Issue(kind, _pointer(detail["loc"], parameters, kind == "missing"), detail["msg"]))
    return found


def _pointer(place: tuple[int | str, ...], parameters: Parameters, missing: bool) -> str:
    """Return the pointer of a pydantic location, without the names of union members."""
    current: object = parameters
    segments: list[str] = []
    for number, part in enumerate(place):
        inside = (isinstance(current, Mapping) and part in current) or (
            isinstance(current, list) and isinstance(part, int) and part < len(current)
        )
        if inside:
            current = current[part]  # type: ignore[index]
            segments.append(str(part))
        elif missing and number == len(place) - 1:
            segments.append(str(part))
    return "/".join(segments)
