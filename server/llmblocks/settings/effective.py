"""All settings in force, with the source of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.settings.check import check_settings
from llmblocks.settings.layers import combined, leaves
from llmblocks.settings.schema import SettingPath
from llmblocks.settings.toml import key, value

if TYPE_CHECKING:
    from llmblocks.settings.layers import SettingsLayer
    from llmblocks.settings.sources import Sources

_DEFAULT = "default"


class Effective(NamedTuple):
    """Settings in the form of a settings file."""

    values: dict[str, Any]
    origins: dict[SettingPath, tuple[str, ...]]
    """The sources of each given setting."""


def effective(sources: Sources, layers: Iterable[SettingsLayer]) -> Effective:
    """Return the settings of several layers, the lowest first, above the defaults."""
    together = combined(layers)
    return Effective({**check_settings(together.given, sources.known).values}, together.origins)


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
