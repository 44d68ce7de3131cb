"""Settings from several sources, of which later ones override earlier ones, and those in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from llmblocks.settings.given import Given, merged
from llmblocks.settings.schema import SettingPath
from llmblocks.settings.toml import key, value

_EXTENSIONS = (
    ("files", "exclude", "extendExclude"),
    ("rules", "select", "extendSelect"),
    ("rules", "ignore", "extendIgnore"),
)
"""Groups with a list, and another list that extends it. The first replaces both."""
_SELECTION = ("select", "extendSelect"), ("ignore", "extendIgnore")
_DEFAULT = "default"


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
    """Yield the settings in groups, each with its path."""
    for name, each in given.items():
        if isinstance(each, dict) and each:
            yield from leaves(each, (*path, name))
        else:
            yield (*path, name), each


class Effective(NamedTuple):
    """Settings in the form of a settings file."""

    values: dict[str, Any]
    origins: dict[SettingPath, tuple[str, ...]]
    """The sources of each given setting."""


def as_toml(settings: Effective) -> str:
    """Return settings as lines of TOML, each with its sources in a comment."""
    lines = []
    for path, each in leaves(settings.values):
        of = ", ".join(settings.origins.get(path, (_DEFAULT,)))
        lines.append(f"{key(path)} = {value(each)}  # {of}\n")
    # a path may contain invalid text
    return "".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")


def as_json(settings: Effective) -> dict[str, Any]:
    """Return settings as plain JSON values. The sources are by dotted names."""
    origins: Mapping[str, list[str]] = {".".join(map(str, path)): [*of] for path, of in settings.origins.items()}
    return {"settings": settings.values, "origins": origins}
