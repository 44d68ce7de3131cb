"""Validation of users' settings. Loaded only when there is something to check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, time
from difflib import get_close_matches
from typing import Any, NamedTuple

from llmblocks.contents.content import Content
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.settings.given import Given, SettingPath, is_of_user
from llmblocks.settings.rule_names import NAMES, Known, nearest
from llmblocks.settings.rules import C001_INVALID_SETTING, C002_UNKNOWN_SETTING, C004_OVERLAPPING_MARKERS
from llmblocks.settings.schema import SCHEMA, Schema, fields, setting
from llmblocks.settings.validation import Wrong, judged
from llmblocks.settings.values import DEFAULTS, ByGlob, Settings, kept
from llmblocks.tags.declared import Attribute, Tag

MOST_PROBLEMS = 100
"""The maximum number of reported problems; the rest are only counted."""
_SHOWN = 40
_LONGEST_HINTED = 100
_MOST_NAMES = 10_000
_LONGEST_LIST = 1000
_LONGEST_NUMBER = 200
_NEARER = 0.8
"""The similarity required of a name in another group, while 0.6 is enough in its own."""


class InvalidSetting(NamedTuple):
    """A problem of a setting."""

    rule: Rule
    path: SettingPath
    """Leads to the setting, e.g. ("gadget", "markers", "start")."""
    data: Mapping[str, object]

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def message(self) -> FindingMessage:
        return self.rule.message(self.data)

    def finding(self, start: int, end: int) -> Finding:
        """Return the finding for it at a place."""
        return Problem(self.rule, start, end, self.data).finding(self.rule.severity)


class CheckedSettings(NamedTuple):
    """The valid part of a user's settings, the `Settings` made from it, and the problems of the rest."""

    given: dict[str, Given]
    settings: Settings
    problems: tuple[InvalidSetting, ...]


def check_settings(given: Given, known: Known) -> CheckedSettings:
    """Separate a user's settings into valid settings and problems. Never raises; at most `MOST_PROBLEMS` are reported.

    Args:
        given: The result of `as_given`, or anything that is not an object.
        known: The ids of the languages.

    Returns:
        The valid part names rules by code.
    """
    if not isinstance(given, dict):
        # arrays are not cut off at any depth
        shown = "an array" if isinstance(given, list) else _show(given)
        return CheckedSettings(
            {}, DEFAULTS, (InvalidSetting(C001_INVALID_SETTING, (), {"case": "whole", "value": shown}),)
        )
    if _count(given) > _MOST_NAMES:
        data = {"case": "too many", "most": _MOST_NAMES}
        return CheckedSettings({}, DEFAULTS, (InvalidSetting(C001_INVALID_SETTING, (), data),))
    usable = _copy(given)
    problems: dict[SettingPath, InvalidSetting] = {}
    left_out: set[SettingPath] = set()
    while True:
        values, wrong = judged(usable, known)
        if not wrong:
            return CheckedSettings(usable, _settings(values), _limited(problems, len(left_out)))
        for each in wrong:
            if each.path not in left_out and len(problems) < MOST_PROBLEMS:
                problems[each.path] = _problem(usable, each)
            left_out.add(each.path)
        _remove(usable, [each.path for each in wrong])


def _limited(problems: dict[SettingPath, InvalidSetting], count: int) -> tuple[InvalidSetting, ...]:
    reported = tuple(problems.values())
    more = count - len(reported)
    if not more:
        return reported
    return (*reported, InvalidSetting(C001_INVALID_SETTING, reported[-1].path, {"case": "more", "count": more}))


def _settings(values: dict[str, Any]) -> Settings:
    """Return the settings for complete and valid values, with rules by their codes."""
    files, gadget, rules, tags = (values[group] for group in ("files", "gadget", "rules", "tags"))
    # not the constructor: all names are known to be valid
    return DEFAULTS._replace(
        **_fields(values),
        markers=Markers(**gadget["markers"]),
        schemas=_by_glob(gadget["schemas"]),
        tags=tuple(dict.fromkeys((*tags["names"], *tags["declared"]))),
        declared_tags=tuple([_tag(name, tag) for name, tag in tags["declared"].items()]),
        select=_selected(rules["select"], rules["extendSelect"]),
        ignore=tuple(dict.fromkeys((*rules["ignore"], *rules["extendIgnore"]))),
        severity=tuple(sorted(rules["severity"].items())),
        per_file_ignores=_by_glob(rules["perFileIgnores"]),
        languages=tuple([ByGlob(glob, (language,)) for glob, language in files["languages"].items()]),
        strings=(
            *[ByGlob(glob, (name,)) for glob, name in files["datasets"].items()],
            *[ByGlob(glob, kept(each)) for glob, each in files["strings"].items()],
        ),
        templates=tuple([ByGlob(glob, (each,)) for glob, each in values["completion"]["templates"].items()]),
        code=tuple([ByGlob(glob, kept(each)) for glob, each in files["code"].items()]),
        exclude=(*files["exclude"], *files["extendExclude"]),
        baseline=rules.get("baseline") or "",
    )


def _fields(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of settings that are fields of `Settings`."""
    found = {}
    for group, name, schema in fields():
        value = values[group][name]
        found[schema["field"]] = tuple(value) if isinstance(value, list) else value
    return found


def _selected(select: list[str], more: list[str]) -> tuple[str, ...]:
    """Return the selected codes. If all are, explicitly selected ones stay next to the groups of all."""
    return tuple(dict.fromkeys((*(select or [code[0] for code in NAMES]), *more))) if more else (*select,)


def _tag(name: str, tag: dict[str, Any]) -> Tag:
    attributes = None
    if "attributes" in tag:
        attributes = tuple(
            [
                Attribute(name, each["required"], each["description"], (*each["values"],))
                for name, each in tag["attributes"].items()
            ]
        )
    (kind, *others), schema, values = tag["content"], tag.get("schema", ""), (*tag["values"],)
    if schema and kind == "text":
        kind = "json"
    content = Content(kind, schema, values, (*others,)) if kind != "text" or values else None
    return Tag(name, tag["description"], attributes, content)


def _by_glob(given: Mapping[str, list[str]]) -> tuple[ByGlob, ...]:
    return tuple([ByGlob(glob, tuple(dict.fromkeys(values))) for glob, values in given.items()])


def _problem(given: dict[str, Given], wrong: Wrong) -> InvalidSetting:
    path, need, kind = wrong
    # a content that is given as a text is a list of one
    is_alone = path[3:4] == ("content",) and len(path) > 4 and len(_at(given, path[:4])) == 1
    name = ".".join(_short(str(step)) for step in (path[:4] if is_alone else path))
    if kind == "unknown":
        return InvalidSetting(C002_UNKNOWN_SETTING, path, {"setting": name, "hint": _hint(path)})
    if kind == "markers":
        return InvalidSetting(C004_OVERLAPPING_MARKERS, path, {"why": need})
    value = _at(given, path)
    if kind == "rule":
        value = value if isinstance(path[-1], int) else path[-1]
        # the nearest rule takes long to find, so only for reported problems
        data: dict[str, object] = {"case": "rule", "setting": name, "value": _show(value)}
        data["need"] = nearest(value)
        return InvalidSetting(C001_INVALID_SETTING, path, data)
    effect = "it is left out" if isinstance(path[-1], int) or is_of_user(path[:-1]) else "the default is used instead"
    data = {"setting": name, "need": need, "effect": effect}
    if kind == "name":
        return InvalidSetting(C001_INVALID_SETTING, path, {**data, "case": "name", "value": _show(path[-1])})
    return InvalidSetting(C001_INVALID_SETTING, path, {**data, "value": _show(value)})


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
    """Yield the paths of all settings and groups."""
    for name, each in schema.get("properties", {}).items():
        yield (*path, name)
        yield from _settings_below(each, (*path, name))


def _at(given: Given, path: SettingPath) -> Given:
    for step in path:
        given = given[step]
    return given


def _remove(given: Given, paths: list[SettingPath]) -> None:
    """Remove the values at some paths, and lists that become empty."""
    # from the end of a list to its start: a removal moves the items after it
    for path in sorted(filter(None, paths), key=lambda path: (len(path), str(path[:-1]), _index(path)), reverse=True):
        try:
            parent = _at(given, path[:-1])
            del parent[path[-1]]
        except (KeyError, IndexError, TypeError):
            # its group has just been removed
            continue
        if parent == []:
            del _at(given, path[:-2])[path[-2]]


def _index(path: SettingPath) -> int:
    return path[-1] if isinstance(path[-1], int) else 0


def _count(given: Given) -> int:
    """Return the number of names, at any depth. The rest of a list that is too long is not counted."""
    if isinstance(given, list):
        return min(len(given), _LONGEST_LIST)
    return len(given) + sum(map(_count, given.values())) if isinstance(given, dict) else 0


def _copy(given: Given) -> Any:
    # `deepcopy` takes twenty times as long
    if isinstance(given, dict):
        return {key: _copy(value) for key, value in given.items()}
    return [_copy(value) for value in given] if isinstance(given, list) else given


def _show(value: Given) -> str:
    """Return a value as its user may have written it, shortened for a message."""
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
