"""Settings as users write them: nested values of any type, from several sources. Later ones override earlier ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from llmblocks.settings.schema import SettingPath, setting

Given = Any
"""A user's JSON or TOML values."""
DEEPEST = 16
"""The maximum depth; known settings have seven levels. Deeper values, which only unknown settings have, are cut off."""
_CUT = "…"
_LEFT_TO_EDITORS = frozenset(("server", "trace", "enable", "trusted", "keepsCaret", "commands", "calmTyping"))
_DECLARED: SettingPath = ("tags", "declared")
_EXTENSIONS = (
    ("files", "exclude", "extendExclude"),
    ("rules", "select", "extendSelect"),
    ("rules", "ignore", "extendIgnore"),
)
"""Groups with a list, and another list that extends it. The first replaces both."""
_SELECTION = ("select", "extendSelect"), ("ignore", "extendIgnore")


def as_given(value: Given) -> dict[str, Given] | None:
    """Return a user's settings as nested objects; None for anything but an object.

    `{"stf.dialect": "@"}` and `{"stf": {"dialect": "@"}}` are the same; null means not set. Settings that only editors
    read (the command of the server, the trace) are dropped, and nothing is deeper than `DEEPEST` objects or arrays. The
    schema of a content becomes JSON if it is an object; its kind becomes a list if it is a text.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        return None
    found = _nested(value, (), 1)
    return {name: each for name, each in found.items() if name not in _LEFT_TO_EDITORS}


def steps(key: str, parent: SettingPath) -> list[str]:
    """Return the names in a dotted key, without our own at the top; a key with too many names counts as one."""
    if "." not in key or key.count(".") >= DEEPEST or is_of_user(parent):
        return [key]
    return (key if parent else key.removeprefix("llmblocks.")).split(".")


def is_of_user(path: SettingPath) -> bool:
    """Return whether the user chooses the keys in a group, such as glob patterns: dots in them separate nothing."""
    return "propertyNames" in setting(path[:2])


def own_settings(value: Given) -> Given:
    """Return our part of a client's settings: under our name, under `settings`, or all of them."""
    for name in ("settings", "llmblocks"):
        if isinstance(value, dict) and name in value:
            value = value[name]
    return value


def merged(under: dict[str, Given], over: dict[str, Given]) -> dict[str, Given]:
    found = dict(under)
    for key, value in over.items():
        there = found.get(key)
        found[key] = merged(there, value) if isinstance(there, dict) and isinstance(value, dict) else value
    return found


def _nested(value: dict[Any, Given], path: SettingPath, depth: int) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for key, each in value.items():
        *groups, name = steps(_text(str(key)), path)
        inside = (*path, *groups, name)
        each = _cut(each, inside, depth + 1)
        if each is None or (each == {} and not is_of_user(path)):
            continue
        there = found
        for group in groups:
            inner = there.setdefault(group, {})
            if not isinstance(inner, dict):
                inner = there[group] = {}
            there = inner
        if isinstance(each, dict) and isinstance(there.get(name), dict):
            there[name] = merged(there[name], each)
        else:
            there[name] = each
    return found


def _cut(value: Given, path: SettingPath, depth: int) -> Given:
    name = path[3] if len(path) == 4 and path[:2] == _DECLARED else ""
    if isinstance(value, str):
        value = _text(value)
        return [value] if name == "content" else value
    if not isinstance(value, dict | list):
        return value
    if isinstance(value, dict) and name == "schema":
        # a schema is one value, even as a table: the names in it are not settings
        with suppress(RecursionError):
            return json.dumps(value, default=str, ensure_ascii=False)
    if depth > DEEPEST:
        return _CUT
    if isinstance(value, dict):
        return _nested(value, path, depth)
    return [_cut(each, (*path, 0), depth + 1) for each in value]


def _text(given: str) -> str:
    """Return a text that other programs accept: JSON may contain a lone surrogate."""
    return given.encode("utf-8", "backslashreplace").decode("utf-8")


class SettingsLayer(NamedTuple):
    origin: str
    """The path of a file, or the name of another source."""
    given: dict[str, Given]


class Combined(NamedTuple):
    given: dict[str, Given]
    origins: dict[SettingPath, tuple[str, ...]]
    """The sources of each given setting, the lowest first."""

    def as_json(self) -> dict[str, Given]:
        origins = {".".join(map(str, path)): [*of] for path, of in self.origins.items()}
        return {"settings": self.given, "origins": origins}


def combined(layers: Iterable[SettingsLayer]) -> Combined:
    """Combine layers, the lowest first.

    A value replaces that of lower layers. So does a list such as `rules.ignore`; `rules.extendIgnore` adds to it. A
    rule that one layer selects is not ignored by lower ones, and vice versa.
    """
    given: dict[str, Given] = {}
    origins: dict[SettingPath, tuple[str, ...]] = {}
    for origin, own in layers:
        lower = {group: {**each} for group, each in given.items()}
        selected, ignored = (tuple(_items(own, "rules", *names)) for names in _SELECTION)
        for name in _SELECTION[1]:
            if name in lower.get("rules", {}):
                lower["rules"][name] = [each for each in lower["rules"][name] if not each.startswith(selected)]
        for group, replaced, extension in _EXTENSIONS:
            if replaced in own.get(group, {}):
                lower.get(group, {}).pop(extension, None)
                origins.pop((group, extension), None)
        given = merged(lower, own)
        for group, _, extension in _EXTENSIONS:
            items = [*_items(lower, group, extension), *_items(own, group, extension)]
            if extension == "extendIgnore" and "select" not in own.get("rules", {}):
                items += [each for each in _items(lower, "rules", *_SELECTION[0]) if each.startswith(ignored)]
            if items:
                given[group] = {**given.get(group, {}), extension: [*dict.fromkeys(items)]}
        for path, _ in leaves(own):
            adds = path[1:] in [(extension,) for *_, extension in _EXTENSIONS]
            origins[path] = (*origins.get(path, ()), origin) if adds else (origin,)
    return Combined(given, origins)


def _items(given: dict[str, Given], group: str, *names: str) -> Iterator[str]:
    for name in names:
        yield from given.get(group, {}).get(name, ())


def leaves(given: dict[str, Given], path: SettingPath = ()) -> Iterator[tuple[SettingPath, Given]]:
    for name, each in given.items():
        if isinstance(each, dict) and each:
            yield from leaves(each, (*path, name))
        else:
            yield (*path, name), each
