"""Validation of users' settings. Loaded only when there is something to check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, time
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ValidationError

from llmblocks.core.finding import Finding
from llmblocks.core.problem import Problem
from llmblocks.core.rule import Rule
from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.given import Given, Path, is_of_user
from llmblocks.settings.model import LONGEST_NAME, MOST_ITEMS, Model, validated
from llmblocks.settings.model import Tag as DeclaredTag
from llmblocks.settings.rule_names import NAMES, Known
from llmblocks.settings.rules import INVALID_SETTING, OVERLAPPING_MARKERS, UNKNOWN_SETTING
from llmblocks.settings.values import DEFAULTS, Attribute, ByGlob, Settings, Tag

MOST_PROBLEMS = 100
"""The number of problems that are reported; of the rest, only their number is."""
_SHOWN = 40
_MOST_NAMES = 10_000
_LONGEST_NUMBER = 200
_NEARER = 0.8
"""How much a name of another group must look like the one that is written, where 0.6 is enough for its own."""
_NEEDS = {
    "model_type": "it must be an object",
    "dict_type": "it must be an object",
    "tuple_type": "it must be an array",
    "string_type": "it must be a string",
    "bool_type": "it must be true or false",
    "string_too_short": "it must not be empty",
    "too_long": f"it must not have more than {MOST_ITEMS} items",
    "string_too_long": "it must not have more than {max_length} characters",
}
"""Requirements in the words of TOML and JSON, where pydantic's differ."""


class InvalidSetting(NamedTuple):
    """A problem of a setting. Shape: `path` leads to the setting, e.g. ("gadget", "markers", "start")."""

    kind: Rule
    path: Path
    data: Mapping[str, object]

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def message(self) -> str:
        return self.kind.message(self.data)

    def finding(self, start: int, end: int) -> Finding:
        """The finding for it at a place."""
        return Problem(self.kind, start, end, self.data).finding(self.kind.severity)


class CheckedSettings(NamedTuple):
    """The valid part of a user's settings, the `Settings` made of it, and the problems of the rest."""

    given: dict[str, Given]
    settings: Settings
    problems: tuple[InvalidSetting, ...]


def check_settings(given: Given, known: Known) -> CheckedSettings:
    """Separate a user's settings into valid settings and problems.

    Shape:  `given` is the result of `as_given`, or anything that is not an object; the valid part names rules by code.
    Errors: none; invalid values are problems, at most `MOST_PROBLEMS`.
    """
    if not isinstance(given, dict):
        # arrays are not cut off at any depth
        shown = "an array" if isinstance(given, list) else _show(given)
        return CheckedSettings({}, DEFAULTS, (InvalidSetting(INVALID_SETTING, (), {"case": "whole", "value": shown}),))
    if _count(given) > _MOST_NAMES:
        data = {"case": "too many", "most": _MOST_NAMES}
        return CheckedSettings({}, DEFAULTS, (InvalidSetting(INVALID_SETTING, (), data),))
    usable = _copy(given)
    problems: dict[Path, InvalidSetting] = {}
    left_out: set[Path] = set()
    while True:
        try:
            model = validated(usable, known)
        except ValidationError as error:
            wrong = [(_existing(usable, tuple(each["loc"])), each) for each in error.errors(include_url=False)]
            for path, each in wrong:
                if path not in left_out and len(problems) < MOST_PROBLEMS:
                    problems[path] = _problem(usable, path, each)
                left_out.add(path)
            if not _remove(usable, [path for path, _ in wrong]):
                usable = {}
        else:
            return CheckedSettings(usable, _settings(model), _told(problems, len(left_out)))


def _told(problems: dict[Path, InvalidSetting], count: int) -> tuple[InvalidSetting, ...]:
    told = tuple(problems.values())
    more = count - len(told)
    if not more:
        return told
    return (
        *told,
        InvalidSetting(INVALID_SETTING, told[-1].path, {"case": "more", "count": more}),
    )


def _settings(model: Model) -> Settings:
    declared = tuple(_tag(name, tag) for name, tag in model.tags.declared.items())
    # not the constructor: all names are known to be right
    return DEFAULTS._replace(
        markers=marks.Markers(model.gadget.markers.start, model.gadget.markers.end, model.gadget.markers.arg),
        schemas=_by_glob(model.gadget.schemas),
        dialect=model.stf.dialect,
        default_role=model.stf.defaultRole,
        gadget_roles=model.stf.gadgetRoles,
        block_roles=model.stf.blockRoles,
        hint_types=model.hints.types,
        hint_waves=model.hints.waves,
        hint_ends=model.hints.ends,
        lens_order=model.lenses.order,
        lens_parameters=model.lenses.parameters,
        tags=tuple(dict.fromkeys((*model.tags.names, *model.tags.declared))),
        declared_tags=declared,
        select=_selected(model.rules.select, model.rules.extendSelect),
        ignore=tuple(dict.fromkeys((*model.rules.ignore, *model.rules.extendIgnore))),
        severity=tuple(sorted(model.rules.severity.items())),
        per_file_ignores=_by_glob(model.rules.perFileIgnores),
        languages=tuple(ByGlob(glob, (language,)) for glob, language in model.files.languages.items()),
        exclude=(*model.files.exclude, *model.files.extendExclude),
        max_diagnostics=model.diagnostics.maxPerDocument,
        max_size_mb=model.files.maxSizeMB,
        delivery=model.diagnostics.delivery,
    )


def _selected(select: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """The selected codes; where all are, those that are selected expressly stay beside the groups of all."""
    return tuple(dict.fromkeys((*(select or [code[0] for code in NAMES]), *more))) if more else select


def _tag(name: str, tag: DeclaredTag) -> Tag:
    if tag.attributes is None:
        return Tag(name, tag.description)
    attributes = [
        Attribute(name, each.required, each.description, each.values) for name, each in tag.attributes.items()
    ]
    return Tag(name, tag.description, tuple(attributes))


def _by_glob(given: Mapping[str, tuple[str, ...]]) -> tuple[ByGlob, ...]:
    return tuple([ByGlob(glob, tuple(dict.fromkeys(values))) for glob, values in given.items()])


def _problem(given: dict[str, Given], path: Path, error: Any) -> InvalidSetting:
    kind, text = error["type"], error["msg"]
    name = ".".join(_short(str(step)) for step in path)
    if kind == "extra_forbidden":
        return InvalidSetting(UNKNOWN_SETTING, path, {"setting": name, "hint": _hint(path)})
    if kind == "unknown_rule":
        what = _show(_at(given, path) if isinstance(path[-1], int) else path[-1])
        data: dict[str, object] = {"case": "rule", "setting": name, "value": what, "need": text}
        return InvalidSetting(INVALID_SETTING, path, data)
    if path[-2:] == ("gadget", "markers") and kind == "value_error":
        return InvalidSetting(OVERLAPPING_MARKERS, path, {"reason": text.removeprefix("Value error, ")})
    need = _NEEDS.get(kind, "").format_map(error.get("ctx", {})) or text.replace("Input should be", "it must be")
    effect = "it is left out" if isinstance(path[-1], int) or is_of_user(path[:-1]) else "the default is used instead"
    data = {"setting": name, "need": need, "effect": effect}
    if error["loc"][-1] == "[key]":
        return InvalidSetting(INVALID_SETTING, path, {**data, "case": "name", "value": _show(path[-1])})
    return InvalidSetting(INVALID_SETTING, path, {**data, "value": _show(_at(given, path))})


def _hint(path: Path) -> str:
    """The remedy for an unknown setting: the nearest one of its group, or else of another group."""
    written, names = str(path[-1])[:LONGEST_NAME], _names(path[:-1])
    if near := get_close_matches(written, names, 1):
        return f"did you mean {near[0]}?"
    elsewhere = {each[-1]: each for each in _settings_below(Model, ())}
    if near := get_close_matches(written, elsewhere, 1, _NEARER):
        return f"did you mean {'.'.join(elsewhere[near[0]])}?"
    return f"the known ones are {', '.join(names)}"


def _settings_below(model: type[BaseModel], path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The paths of all settings and groups."""
    for name, field in model.model_fields.items():
        yield (*path, name)
        if group := _model(field.annotation):
            yield from _settings_below(group, (*path, name))


def _names(path: Path) -> list[str]:
    """The settings of a group."""
    found: Any = Model
    for step in path:
        model = _model(found)
        found = found_in.annotation if model and (found_in := model.model_fields.get(str(step))) else _values(found)
    model = _model(found)
    return list(model.model_fields) if model else []


def _model(annotation: Any) -> type[BaseModel] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _values(annotation: Any) -> Any:
    """The type of the values of an object whose keys are a user's own."""
    if get_origin(annotation) is dict:
        return get_args(annotation)[1]
    return next(filter(None, map(_values, get_args(annotation))), None)


def _existing(given: Given, path: Path) -> Path:
    """The part of a path that exists in the user's settings; validators add steps of their own."""
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


def _remove(given: Given, paths: list[Path]) -> bool:
    """Remove the values at some paths, and lists that become empty; returns whether there were any."""
    removed = False
    # from the end of a list to its start: a removal moves the items after it
    for path in sorted(filter(None, paths), key=lambda path: (len(path), str(path[:-1]), _index(path)), reverse=True):
        try:
            parent = _at(given, path[:-1])
            del parent[path[-1]]
        except (KeyError, IndexError, TypeError):
            # its group has just been removed
            continue
        removed = True
        if parent == []:
            del _at(given, path[:-2])[path[-2]]
    return removed


def _index(path: Path) -> int:
    return path[-1] if isinstance(path[-1], int) else 0


def _count(given: dict[str, Given]) -> int:
    return len(given) + sum(_count(each) for each in given.values() if isinstance(each, dict))


def _copy(given: Given) -> Any:
    if isinstance(given, dict):
        return {key: _copy(value) for key, value in given.items()}
    return [_copy(value) for value in given] if isinstance(given, list) else given


def _show(value: Given) -> str:
    """A value as its user may have written it, shortened for a message."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        # Python refuses to print the longest numbers
        return "a very long number"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list):
        return _short(f"[{', '.join(map(_show, value[:_SHOWN]))}]")
    if isinstance(value, dict):
        return _short(f"{{{', '.join(f'{_short(str(key))} = {_show(value[key])}' for key in list(value)[:_SHOWN])}}}")
    return _short(repr(value[:_SHOWN] if isinstance(value, str) else value))


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
