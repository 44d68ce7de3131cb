"""The validation of users' settings. Loaded only when there is something to check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from difflib import get_close_matches
from typing import Any, NamedTuple

from llmblocks.contents.content import ALONE, Content
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget.syntax import markers as marks
from llmblocks.json5.path import steps
from llmblocks.settings.files import is_schema, require_schema
from llmblocks.settings.given import Given, is_of_user
from llmblocks.settings.globs import compile_globs
from llmblocks.settings.rule_names import NAMES, Known, code_of, nearest
from llmblocks.settings.rules import C001_INVALID_SETTING, C002_UNKNOWN_SETTING, C004_OVERLAPPING_MARKERS
from llmblocks.settings.schema import (
    SCHEMA,
    Formats,
    Schema,
    SettingPath,
    SettingsValidation,
    Wrong,
    completed,
    either,
    fields,
    setting,
)
from llmblocks.settings.values import DEFAULTS, TAG_NAME, ByGlob, Settings, texts
from llmblocks.tags.syntax import Attribute, Tag, is_name

MOST_PROBLEMS = 100
"""The maximum number of reported problems."""
_SHOWN = 40
_LONGEST_HINTED = 100
_LONGEST_NUMBER = 200
_NEARER = 0.8
"""The similarity required of a name in another group, while 0.6 is enough in its own."""
_MATCH_NOTHING = (
    (re.compile(r"(^!?|/)\.{1,2}(/|$)|^!?(~|[A-Za-z]:)[/\\]"), "a pattern counts from the folder of its settings"),
    (re.compile(r"(?<!\\)(\\\\)*\{[^{}]*,[^{}]*\}"), "braces list no choices in .gitignore; write a pattern for each"),
    (re.compile(r"(?<!\\)(\\\\)*\\[A-Za-z0-9_.]"), "folders are separated by /"),
)
"""Patterns that are valid in .gitignore, but do not have the intended meaning."""


class InvalidSetting(NamedTuple):
    rule: Rule
    path: SettingPath
    """Leads to the setting, e.g. ("gadget", "markers", "start")."""
    data: Mapping[str, object]

    @property
    def message(self) -> FindingMessage:
        return self.rule.message(self.data)

    def finding(self, start: int, end: int) -> Finding:
        return Problem(self.rule, start, end, self.data).finding(self.rule.severity)


class CheckedSettings(NamedTuple):
    """The valid part of a user's settings, the `Settings` made from it, and the problems of the rest."""

    given: dict[str, Given]
    settings: Settings
    problems: tuple[InvalidSetting, ...]
    values: Mapping[str, Any] = {}
    """The valid part with all defaults."""


def check_settings(given: Given, known: Known) -> CheckedSettings:
    """Separate settings from `as_given` into valid ones, with rules by code, and problems. Never raises."""
    if not isinstance(given, dict):
        # arrays are not cut off at any depth
        whole = {"case": "whole", "value": "an array" if isinstance(given, list) else _show(given)}
        return CheckedSettings({}, DEFAULTS, (InvalidSetting(C001_INVALID_SETTING, (), whole),))
    validation = SettingsValidation(_formats(known))
    valid = validation.valid(SCHEMA, given)
    values, problems = completed(SCHEMA, valid), (*map(_problem, validation.wrong[:MOST_PROBLEMS]),)
    return CheckedSettings(valid, _settings(values), problems, values)


def _settings(values: dict[str, Any]) -> Settings:
    """Return the settings for complete and valid values, with rules by their codes."""
    files, gadget, rules, tags = (values[group] for group in ("files", "gadget", "rules", "tags"))
    plain: dict[str, Any] = {}
    for group, name, schema in fields():
        value = values[group][name]
        plain[schema["field"]] = tuple(value) if isinstance(value, list) else value
    # not the constructor: all names are known to be valid
    return DEFAULTS._replace(
        **plain,
        markers=marks.Markers(**gadget["markers"]),
        schemas=_by_glob(gadget["schemas"]),
        tags=tuple(dict.fromkeys((*tags["names"], *tags["declared"]))),
        declared_tags=tuple([_tag(name, tag) for name, tag in tags["declared"].items()]),
        select=_selected(rules["select"], rules["extendSelect"]),
        ignore=tuple(dict.fromkeys((*rules["ignore"], *rules["extendIgnore"]))),
        severity=tuple(sorted(rules["severity"].items())),
        per_file_ignores=_by_glob(rules["perFileIgnores"]),
        languages=_by_glob(files["languages"]),
        strings=_by_glob(files["datasets"]) + _by_glob(files["strings"]),
        templates=_by_glob(values["completion"]["templates"]),
        code=_by_glob(files["code"]),
        exclude=(*files["exclude"], *files["extendExclude"]),
        baseline=rules.get("baseline") or "",
    )


def _selected(select: list[str], more: list[str]) -> tuple[str, ...]:
    """Return the selected codes. If all are, explicitly selected ones stay next to the groups of all."""
    return tuple(dict.fromkeys((*(select or [code[0] for code in NAMES]), *more))) if more else (*select,)


def _tag(name: str, tag: dict[str, Any]) -> Tag:
    attributes = [
        Attribute(name, each["required"], each["description"], (*each["values"],))
        for name, each in tag.get("attributes", {}).items()
    ]
    (kind, *others), schema, values = tag["content"], tag.get("schema", ""), (*tag["values"],)
    if schema and kind == "text":
        kind = "json"
    content = Content(kind, schema, values, (*others,)) if kind != "text" or values else None
    return Tag(name, tag["description"], (*attributes,) if "attributes" in tag else None, content)


def _by_glob(given: Mapping[str, Any]) -> tuple[ByGlob, ...]:
    return tuple([ByGlob(glob, tuple(dict.fromkeys(texts(values)))) for glob, values in given.items()])


def _problem(wrong: Wrong) -> InvalidSetting:
    path, value, need, kind, is_name = wrong
    # a content that is given as a text is a list of one
    name = ".".join(_short(str(step)) for step in (path[:4] if path[3:] == ("content", 0) else path))
    if kind == "unknown":
        return InvalidSetting(C002_UNKNOWN_SETTING, path, {"setting": name, "hint": _hint(path)})
    if kind == "markers":
        return InvalidSetting(C004_OVERLAPPING_MARKERS, path, {"why": need})
    data: dict[str, object] = {"setting": name, "value": _show(value), "need": need}
    if kind == "rule":
        # the nearest rule takes long to find, so only for reported problems
        return InvalidSetting(C001_INVALID_SETTING, path, {**data, "case": "rule", "need": nearest(value)})
    is_item = isinstance(path[-1], int) or is_of_user(path[:-1])
    data["effect"] = "it is left out" if is_item else "the default is used instead"
    return InvalidSetting(C001_INVALID_SETTING, path, data | ({"case": "name"} if is_name else {}))


def _hint(path: SettingPath) -> str:
    """Return the remedy for an unknown setting: the nearest one of its group, or else of another group."""
    written, names = str(path[-1])[:_LONGEST_HINTED], [*setting(path[:-1])["properties"]]
    if near := get_close_matches(written, names, 1):
        return f"did you mean {near[0]}?"
    elsewhere = {each[-1]: each for each in _settings_below(SCHEMA, ())}
    if near := get_close_matches(written, elsewhere, 1, _NEARER):
        return f"did you mean {'.'.join(elsewhere[near[0]])}?"
    return f"the known ones are {', '.join(names)}"


def _settings_below(schema: Schema, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, each in schema.get("properties", {}).items():
        yield (*path, name)
        yield from _settings_below(each, (*path, name))


def _show(value: Given) -> str:
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


def _formats(known: Known) -> Formats:
    def rule(text: str) -> str:
        if (code := code_of(text)) is None:
            raise ValueError("it must be a rule")
        return code

    def language(text: str) -> None:
        if text not in known:
            raise ValueError(f"it must be {either(known)}")

    return {
        "rule": rule,
        "language": language,
        "path": _path,
        "baseline": _path,
        "gadgets": _path,
        "glob": _glob,
        "tag": _tag_name,
        "string": _string,
        "regex": _regex,
        "markers": _markers,
        "content": _content,
        "schema": _schema,
        "template": _template,
    }


def _path(text: str) -> None:
    if "\0" in text:
        raise ValueError("a path must not contain a NUL character")


def _glob(text: str) -> None:
    _path(text)
    try:
        compile_globs((text,))
    except ValueError:
        raise ValueError("it must be a glob pattern as in .gitignore") from None
    for shape, need in _MATCH_NOTHING:
        if shape.search(text):
            raise ValueError(f"it matches nothing: {need}")


def _string(text: str) -> None:
    steps(text)


def _regex(text: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it must be a regular expression: {error}") from None


def _schema(text: str) -> None:
    require_schema(text) if is_schema(text) else _path(text)


def _template(text: str) -> None:
    from llmblocks.completions.shipped import template_called

    # the path of a file that contains one
    _path(text) if text.endswith(".json") else template_called(text)


def _tag_name(text: str) -> None:
    if not is_name(text):
        raise ValueError(TAG_NAME)


def _content(given: list[Given]) -> None:
    if len(given) > 1 and (alone := [each for each in ALONE if each in given]):
        raise ValueError(f"it must not have '{alone[0]}' among alternatives")


def _markers(given: dict[str, str]) -> None:
    for problem in marks.problems(*(marks.Markers()._asdict() | given).values()):
        raise ValueError(problem)
