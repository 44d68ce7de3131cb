"""Settings from several sources, of which later ones override earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from llmblocks.settings.given import Given, merged
from llmblocks.settings.rule_names import code_of
from llmblocks.settings.schema import SettingPath

_EXTENSIONS: dict[SettingPath, SettingPath] = {
    ("files", "extendExclude"): ("files", "exclude"),
    ("rules", "extendSelect"): ("rules", "select"),
    ("rules", "extendIgnore"): ("rules", "ignore"),
}
"""The lists that extend another list, which replaces both."""


class SettingsLayer(NamedTuple):
    """Valid settings from one source."""

    origin: str
    """The path of a file, or the name of another source."""
    given: dict[str, Given]


class Combined(NamedTuple):
    """The settings of all layers."""

    given: dict[str, Given]
    origins: dict[SettingPath, tuple[str, ...]]
    """The sources of each setting, the lowest first."""


def combined(layers: Iterable[SettingsLayer]) -> Combined:
    """Combine layers, the lowest first.

    A value replaces that of lower layers. So does a list such as `rules.ignore`; `rules.extendIgnore` adds to it. A
    rule that one layer selects is not ignored by lower ones, and vice versa.
    """
    given: dict[str, Given] = {}
    origins: dict[SettingPath, tuple[str, ...]] = {}
    for origin, own in layers:
        lower = _undecided(given, own)
        for extension, replaced in _EXTENSIONS.items():
            if _list(own, replaced) is not None:
                lower = _with(lower, extension, None)
                origins.pop(extension, None)
        given = merged(lower, own)
        for extension in _EXTENSIONS:
            both = [*(_list(lower, extension) or ()), *(_list(own, extension) or ())]
            given = _with(given, extension, list(dict.fromkeys(both)) or None)
        given = _with(given, ("rules", "extendIgnore"), _also_ignored(given, lower, own))
        for path, _ in leaves(own):
            origins[path] = (*origins.get(path, ()), origin) if path in _EXTENSIONS else (origin,)
    return Combined(given, origins)


def _undecided(lower: dict[str, Given], own: dict[str, Given]) -> dict[str, Given]:
    """Return lower settings without the ignored rules that a layer selects."""
    chosen = _codes(own, ("select", "extendSelect"))
    for name in ("ignore", "extendIgnore") if chosen else ():
        ignored = _list(lower, ("rules", name))
        if ignored is not None:
            lower = _with(lower, ("rules", name), [each for each in ignored if not _code(each).startswith(chosen)])
    return lower


def _also_ignored(given: dict[str, Given], lower: dict[str, Given], own: dict[str, Given]) -> list[str] | None:
    """Return `extendIgnore` with the rules that lower layers select and a layer ignores."""
    ignored = _list(given, ("rules", "extendIgnore"))
    left_out = _codes(own, ("ignore", "extendIgnore"))
    if not left_out or _list(own, ("rules", "select")) is not None:
        return ignored
    gone = [each for each in _codes(lower, ("select", "extendSelect")) if each.startswith(left_out)]
    return list(dict.fromkeys((*(ignored or ()), *gone))) or None


def _list(given: dict[str, Given], path: SettingPath) -> list[str] | None:
    found: list[str] | None = given.get(str(path[0]), {}).get(path[1])
    return found


def _with(given: dict[str, Given], path: SettingPath, value: list[str] | None) -> dict[str, Given]:
    """Return the same settings with another list, or without it."""
    group, name = str(path[0]), path[1]
    inside = {key: each for key, each in given.get(group, {}).items() if key != name}
    if value is not None:
        inside[name] = value
    return {**given, group: inside} if inside or group in given else given


def _codes(given: dict[str, Given], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(_code(each) for name in names for each in _list(given, ("rules", name)) or ())


def _code(text: str) -> str:
    return code_of(text) or text


def leaves(given: dict[str, Given], path: SettingPath = ()) -> Iterator[tuple[SettingPath, Given]]:
    """Yield the settings in groups, each with its path."""
    for name, each in given.items():
        if isinstance(each, dict) and each:
            yield from leaves(each, (*path, name))
        else:
            yield (*path, name), each
