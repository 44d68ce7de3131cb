"""Relative paths and glob patterns in settings, resolved from their base folder."""

from __future__ import annotations

import os
import re

from llmblocks.settings.given import Given
from llmblocks.settings.globs import anchored
from llmblocks.settings.schema import SCHEMA

_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
GLOBS = tuple(
    [
        (group, name)
        for group, settings in SCHEMA["properties"].items()
        for name, each in settings.get("properties", {}).items()
        if "glob" in [each.get(inside, {}).get("format") for inside in ("items", "propertyNames")]
    ]
)
"""The settings with glob patterns: lists of them, or mappings by pattern."""


def is_import_path(text: str) -> bool:
    """Return whether a text names an object in a Python module: `package.module:Name`."""
    return _IMPORT_PATH.fullmatch(text) is not None


def anchored_path(path: str, folder: str) -> str:
    """Return the absolute path of a file that settings name; `~` is the home of the user."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def anchored_settings(given: dict[str, Given], folder: str) -> dict[str, Given]:
    """Return valid settings whose paths and glob patterns no longer depend on a folder."""

    def path(text: str) -> str:
        return text if is_import_path(text) else anchored_path(text, folder)

    def glob(text: str) -> str:
        return anchored(text, folder)

    found = dict(given)
    for group, name in GLOBS:
        if name in found.get(group, ()):
            globs = found[group][name]
            by_glob: dict[str, Given] = {}
            for pattern, value in globs.items() if isinstance(globs, dict) else ():
                # `/a/b` and `a/b` are one pattern
                before = by_glob.get(glob(pattern), [])
                by_glob[glob(pattern)] = [*before, *value] if isinstance(value, list) else value
            found[group] = {**found[group], name: by_glob if isinstance(globs, dict) else [*map(glob, globs)]}
    if schemas := found.get("gadget", {}).get("schemas"):
        found["gadget"]["schemas"] = {key: list(map(path, each)) for key, each in schemas.items()}
    return found
