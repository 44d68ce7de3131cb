"""Relative paths and glob patterns in settings, resolved from their base folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from llmblocks.settings.given import Given
from llmblocks.settings.globs import anchored

_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


def is_import_path(text: str) -> bool:
    """Whether a text names an object in a Python module: `package.module:Name`."""
    return _IMPORT_PATH.fullmatch(text) is not None


def anchored_path(path: str, folder: str) -> str:
    """The absolute path of a file that settings name; `~` is the home of the user."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def anchored_settings(given: dict[str, Given], folder: str) -> dict[str, Given]:
    """Valid settings whose paths and glob patterns no longer depend on a folder."""

    def path(text: str) -> str:
        return text if is_import_path(text) else anchored_path(text, folder)

    def glob(text: str) -> str:
        return anchored(text, folder)

    changes: dict[tuple[str, str], Callable[[Any], Given]] = {
        ("files", "languages"): lambda by: {glob(key): each for key, each in by.items()},
        ("files", "exclude"): lambda globs: list(map(glob, globs)),
        ("files", "extendExclude"): lambda globs: list(map(glob, globs)),
        ("rules", "perFileIgnores"): lambda by: {glob(key): each for key, each in by.items()},
        ("gadget", "schemas"): lambda by: {glob(key): list(map(path, each)) for key, each in by.items()},
    }
    found = dict(given)
    for (group, name), change in changes.items():
        if name in found.get(group, ()):
            found[group] = {**found[group], name: change(found[group][name])}
    return found
