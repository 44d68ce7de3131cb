"""The schema of a gadget's parameters, and parameters by it: typed, complete with defaults, valid."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from llmblocks.contract.arguments import Checked, Issue
from llmblocks.gadget.call import read_body
from llmblocks.gadget.rules import G206_CONSTRAINT_VIOLATED
from llmblocks.gadget.running.assertions import Invalid
from llmblocks.gadget.running.json_schema import (
    JsonSchema,
    as_float64,
    is_listed,
    member,
    plain,
    require_schema,
    scalar,
    understood,
)
from llmblocks.gadget.running.validation import TooComplexError, Validation
from llmblocks.gadget.syntax.markers import Markers, markers_or_default
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.values import Expected

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

_KINDS: dict[str, Invalid] = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "literal_error": "choice",
    "enum": "choice",
}
"""Our kind for each kind of error of pydantic."""


TOO_DEEP: Final = Issue("constraint", "", G206_CONSTRAINT_VIOLATED.says({"case": "too-deep"}))


class ParameterSchema:
    """A gadget's parameter schema, prepared once and used for many calls.

    It is made from a JSON Schema (draft 4 to 2020-12) or a pydantic model class; anything else
    raises `TypeError`, and `check` raises `ValueError` for an invalid JSON Schema. If `timed`, patterns run in another
    process, and one that takes too long matches: for editors, which show what they find. With `mcp`, it is the schema
    of an MCP tool, of which llmist reads a part.
    """

    def __init__(self, schema: JsonSchema | type[BaseModel], *, timed: bool = False, mcp: bool = False) -> None:
        self._timed = timed
        self.model: type[BaseModel] | None = None
        if isinstance(schema, Mapping):
            self.json: JsonSchema = schema
            with suppress(RecursionError):  # `check` finds it again
                self.json = as_float64(schema)
        elif isinstance(schema, type) and hasattr(schema, "model_json_schema"):
            self.model = schema
            self.json = schema.model_json_schema()
        else:
            how = ": read it with json.loads first" if isinstance(schema, str | bytes) else ""
            raise TypeError(
                f"a schema is a JSON Schema as a dict, or a pydantic model class, not {type(schema).__name__}{how}"
            )
        read = understood(self.json) if mcp and self.model is None else None
        self._runtime = None if read is None else ParameterSchema(read, timed=timed)
        self._is_valid = False

    def expected(self, pointer: str) -> Expected:
        """Return the type that decides the coercion at a pointer; "unknown" if the schema leaves it open.

        Source: llmist's executor, with zod's types recovered from the JSON Schema that zod writes for them.
        """
        if self._runtime is not None:
            return self._runtime.expected(pointer)
        *above, found = self._on_the_way(pointer)
        # llmist does not type the elements after the listed ones of a tuple
        is_typed = all(map(is_listed, above, pointer.split("/")))
        return scalar(self.json, found, set()) if is_typed else "unknown"

    def at(self, pointer: str) -> JsonSchema | None:
        """Return the part of the schema at a pointer, with references followed, or None."""
        return self._on_the_way(pointer)[-1]

    def _on_the_way(self, pointer: str) -> list[JsonSchema | None]:
        """Return the parts of the schema from the root to a pointer."""
        found = [plain(self.json, self.json)]
        for segment in pointer.split("/") if pointer else ():
            found.append(plain(self.json, member(self.json, found[-1], segment)))
        return found

    def check(self, parameters: Parameters) -> Checked:
        """Add defaults, drop parameters that the JSON Schema forbids, and validate.

        Source: llmist, whose zod drops unknown keys at any depth and runs.
        """
        if self._runtime is None:
            return self._check(parameters)
        sent = self._runtime.check(parameters)
        return sent if sent.issues else sent._replace(of_server=self._check(sent.parameters).issues)

    def prepare(self) -> None:
        """Do the work of the first `check` in advance.

        Raises:
            ValueError: The schema is invalid.
        """
        if not self._is_valid:
            require_schema(self.json)
            self._is_valid = True

    def _check(self, parameters: Parameters) -> Checked:
        try:
            self.prepare()
            validation = Validation(self.json, parameters, lenient=self._timed)
            filled, dropped, flaws = validation.parsed(self.json, parameters)
        except RecursionError:
            return Checked(parameters, (), (TOO_DEEP,))
        except TooComplexError as error:
            return Checked(parameters, (), (Issue("constraint", "", str(error)),))
        once: dict[tuple[str, str], Issue] = {}
        for flaw in flaws:
            pointer = "/".join(map(str, flaw.path))
            once.setdefault((pointer, flaw.message), Issue(flaw.kind, pointer, flaw.message, flaw.choices))
        ignored = dict.fromkeys(["/".join(map(str, path)) for path in dropped])
        return Checked(filled, (*ignored,), (*once.values(),))


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
    def kind(self) -> str:
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

    Source: llmist's executor; validation is that of zod, or of pydantic for its models.
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
        other: Invalid = "type" if word.endswith(("_type", "_parsing")) else "constraint"
        pointer = _pointer(detail["loc"], parameters, word == "missing")
        found.append(Issue(_KINDS.get(word, other), pointer, detail["msg"]))
    return found


def _pointer(place: tuple[int | str, ...], parameters: Parameters, missing: bool) -> str:
    """Return the pointer of a pydantic location, without the names of union members."""
    current: object = parameters
    segments: list[str] = []
    for number, part in enumerate(place):
        is_index = isinstance(current, list) and isinstance(part, int) and part < len(current)
        if is_index or (isinstance(current, Mapping) and part in current):
            current = current[part]  # type: ignore[index]
        elif not missing or number < len(place) - 1:
            continue
        segments.append(str(part))
    return "/".join(segments)
