"""Checking what users have written in their settings. Loaded only when there is something to check."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from llmblocks.core.finding import Severity
from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.given import Given
from llmblocks.settings.values import DEFAULTS, Delivery, Dialect, Settings, SeverityName

Path = tuple[str | int, ...]
Code = Literal["C001", "C002", "C004"]
Words = tuple[Annotated[str, Field(min_length=1)], ...]
_SHOWN = 40
_NEEDS = {
    "model_type": "it must be an object",
    "dict_type": "it must be an object",
    "tuple_type": "it must be an array",
    "string_too_short": "it must not be empty",
}
"""What a setting must be, where the words of pydantic are not those of TOML and JSON."""


class Problem(NamedTuple):
    """Something wrong with one setting. Shape: `path` leads to it, e.g. ("gadget", "markers", "start")."""

    code: Code
    path: Path
    message: str

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.code == "C002" else Severity.ERROR


class Checked(NamedTuple):
    """The part of what was written that can be used, and what is wrong with the rest."""

    given: dict[str, Given]
    problems: tuple[Problem, ...]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Diagnostics(_Group):
    maxPerDocument: Annotated[int, Field(ge=1, le=1_000_000)] = DEFAULTS.max_diagnostics  # noqa: N815
    delivery: Delivery = DEFAULTS.delivery


class _Files(_Group):
    maxSizeMB: Annotated[float, Field(gt=0, le=4096)] = DEFAULTS.max_size_mb  # noqa: N815


class _Markers(_Group):
    start: str = marks.START
    end: str = marks.END
    arg: str = marks.ARG

    @model_validator(mode="after")
    def _are_told_apart(self) -> _Markers:
        for problem in marks.problems(self.start, self.end, self.arg):
            raise ValueError(problem)
        return self


class _Gadget(_Group):
    markers: _Markers = Field(default_factory=_Markers)


class _Stf(_Group):
    dialect: Dialect = DEFAULTS.dialect


class _Tags(_Group):
    names: Annotated[Words, Field(strict=False)] = DEFAULTS.tags


class _Rules(_Group):
    select: Annotated[Words, Field(strict=False)] = ()
    ignore: Annotated[Words, Field(strict=False)] = ()
    severity: dict[str, SeverityName] = Field(default_factory=dict)


class _Model(_Group):
    diagnostics: _Diagnostics = Field(default_factory=_Diagnostics)
    files: _Files = Field(default_factory=_Files)
    gadget: _Gadget = Field(default_factory=_Gadget)
    stf: _Stf = Field(default_factory=_Stf)
    tags: _Tags = Field(default_factory=_Tags)
    rules: _Rules = Field(default_factory=_Rules)


def check_settings(given: Given) -> Checked:
    """Sort what was written into what can be used and what is wrong. Errors: none; odd values are problems."""
    if not isinstance(given, dict):
        message = f"the settings are {_show(given)} — they must be an object; the defaults are used"
        return Checked({}, (Problem("C001", (), message),))
    usable = _copy(given)
    problems: dict[Path, Problem] = {}
    while True:
        try:
            _Model.model_validate(usable)
        except ValidationError as error:
            found = [_problem(usable, each) for each in error.errors(include_url=False)]
            problems = {problem.path: problem for problem in found} | problems
            removed = [_remove(usable, problem.path) for problem in found]
            if not any(removed):
                usable = {}
        else:
            return Checked(usable, tuple(problems.values()))


def build(given: dict[str, Given]) -> Settings:
    """The settings of what was checked before. Errors: `ValidationError` where it was not."""
    model = _Model.model_validate(given)
    return Settings(
        markers=marks.Markers(model.gadget.markers.start, model.gadget.markers.end, model.gadget.markers.arg),
        dialect=model.stf.dialect,
        tags=model.tags.names,
        select=model.rules.select,
        ignore=model.rules.ignore,
        severity=tuple(sorted(model.rules.severity.items())),
        max_diagnostics=model.diagnostics.maxPerDocument,
        max_size_mb=model.files.maxSizeMB,
        delivery=model.diagnostics.delivery,
    )


def _problem(given: dict[str, Given], error: Any) -> Problem:
    kind, text = error["type"], error["msg"]
    path = _existing(given, tuple(error["loc"]))
    name = ".".join(map(str, path))
    if kind == "extra_forbidden":
        near = get_close_matches(str(path[-1]), _names(path[:-1]), 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_names(path[:-1]))}"
        return Problem("C002", path, f"unknown setting {name} — {hint}")
    if path[-2:] == ("gadget", "markers") and kind == "value_error":
        return Problem("C004", path, text.removeprefix("Value error, "))
    need = _NEEDS.get(kind) or text.replace("Input should be", "it must be")
    value = _show(_at(given, path))
    return Problem("C001", path, f"{name} is {value} — {need}; the default is used instead")


def _names(path: Path) -> list[str]:
    model: Any = _Model
    for step in path:
        found = model.model_fields.get(step)
        if found is None or not (isinstance(found.annotation, type) and issubclass(found.annotation, BaseModel)):
            return []
        model = found.annotation
    return list(model.model_fields)


def _existing(given: Given, path: Path) -> Path:
    """The part of a path that leads through what was written; validators add steps of their own."""
    steps: list[str | int] = []
    for step in path:
        if isinstance(given, dict) and step in given:
            given = given[str(step)]
        elif isinstance(given, list) and isinstance(step, int) and step < len(given):
            given = given[step]
        else:
            break
        steps.append(step)
    return tuple(steps)


def _at(given: Given, path: Path) -> Given:
    for step in path:
        given = given[step]
    return given


def _remove(given: Given, path: Path) -> bool:
    """Take out what a path leads to, a whole list where it is one of its items; says whether it was there."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    if not path:
        return False
    try:
        parent = _at(given, path[:-1])
    except (KeyError, IndexError, TypeError):
        # a group around it went just before
        return True
    return isinstance(parent, dict) and parent.pop(path[-1], None) is not None


def _copy(given: Given) -> Any:
    if isinstance(given, dict):
        return {key: _copy(value) for key, value in given.items()}
    return [_copy(value) for value in given] if isinstance(given, list) else given


def _show(value: Given) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
