"""Modules that are imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _LateModule:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


def late(package: str, names: str) -> list[Any]:
    """Return stand-ins for modules of a package, named with spaces between, each imported when first used.

    A branch for type checkers imports the same modules, so that uses are typed.
    """
    return [_LateModule(f"{package}.{name}") for name in names.split()]
